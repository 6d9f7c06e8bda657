import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { driver, net } = lab
const jane = '12025550100'

describe('messages that cannot be decrypted', () => {
  it('hold up none of those behind them, and are requested from the phone once a minute', async () => {
    const phone = '15554455001'
    const session = await lab.link(phone)
    const received = () => lab.eventsOf(session, 'message.in').map(({ message }) => message.text)
    await net.write({ from: jane, to: phone, message: { conversation: 'before' } })
    await expect.poll(received).toEqual(['before'])
    await driver.stop(session)
    await expect.poll(async () => (await net.counts({})).connections).toBe(0)
    const { requestsToPhones, retriesOfDevices } = await net.counts({})
    const ids = Array.from({ length: 50 }, (_, n) => `BROKEN${n}`)
    await net.writeBroken({ from: jane, to: phone, ids })
    await net.write({ from: jane, to: phone, message: { conversation: 'after' } })
    await driver.start(session)
    await lab.becomes(session, 'WORKING')
    await expect.poll(received, { timeout: 6000 }).toEqual(['before', 'after'])
    await expect.poll(async () => (await net.counts({})).retriesOfDevices).toBe(retriesOfDevices + 50)
    await expect.poll(async () => (await net.counts({})).requestsToPhones).toBe(requestsToPhones + 1)
  })

  it('are requested from the sender five times at most', async () => {
    const phone = '15554455002'
    const session = await lab.link(phone)
    const retries = async () => (await net.counts({})).retriesOfDevices
    const before = await retries()
    for (let count = 1; count <= 5; count++) {
      await net.writeBroken({ from: jane, to: phone, ids: ['AGAIN'] })
      await expect.poll(retries).toBe(before + count)
    }
    await net.writeBroken({ from: jane, to: phone, ids: ['AGAIN'] })
    await net.write({ from: jane, to: phone, message: { conversation: 'last' } })
    await expect.poll(() => lab.eventsOf(session, 'message.in')).toHaveLength(1)
    expect(await retries()).toBe(before + 5)
  })
})
