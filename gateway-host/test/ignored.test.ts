import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { net } = lab
const jane = '12025550100'
const participant = `${jane}@s.whatsapp.net`

describe('what no person reads', () => {
  it('is acknowledged where the library does not do it', async () => {
    const phone = '15554456004'
    await lab.link(phone)
    await expect.poll(async () => (await net.quiet({})).isQuiet).toBe(true)
    await net.sendStatus({ from: jane, to: phone })
    await expect.poll(async () => (await net.counts({})).pending).toBe(0)
  })

  it.each([
    ['a status of a person', 'status@broadcast', '15554456001', 0],
    ['a message of a channel', '120363000000000001@newsletter', '15554456002', 0],
    ['a message of a broadcast list, which people use like any other', '1700000000@broadcast', '15554456003', 1],
  ])('is not decrypted: %s', async (_, from, phone, receipts) => {
    const session = await lab.link(phone)
    const write = (attrs: Record<string, string> = {}) =>
      net.write({ from: jane, to: phone, message: { conversation: `hello ${from}` }, attrs })
    await write()
    await expect.poll(() => lab.eventsOf(session, 'message.in')).toHaveLength(1)
    const before = (await net.counts({})).receipts
    await write({ from, participant })
    await write()
    await expect.poll(() => lab.eventsOf(session, 'message.in').length).toBeGreaterThanOrEqual(2)
    // The last message has a receipt.
    expect((await net.counts({})).receipts - before).toBe(receipts + 1)
  })
})
