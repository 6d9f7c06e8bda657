import { toLid } from '@msgctl/server/networks/simulator/people/lid'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { driver, net } = lab
const timeoutMs = 10_000

/** Waits until the numbers have taken what the network has for them. */
const isQuiet = () => expect.poll(async () => (await net.quiet({})).isQuiet).toBe(true)

/** A linked number with a person to whom it has written. */
async function openChat(phone: string, person: string, addressing: 'phone' | 'lid' = 'phone') {
  const session = await lab.link(phone)
  const to =
    addressing === 'phone'
      ? ({ kind: 'phone', digits: person } as const)
      : ({ kind: 'lid', id: toLid(person) } as const)
  const send = (clientId: string) =>
    driver.send(session, to, { kind: 'text', text: `text ${clientId}` }, { clientId, timeoutMs })
  await send(`${phone} FIRST`)
  const read = async (digits: string) => (await net.readByCompanions({ phone: digits })).read
  const copies = async (id: string) => (await net.phoneShows({ by: person, from: phone, id })).shown?.copies
  return { send, read, copies }
}

describe('the devices of people', () => {
  it('are not queried again while the network has the same list', async () => {
    const { send } = await openChat('15554453001', '12025551100')
    const { queries } = await net.counts({})
    for (const id of ['SAME1', 'SAME2', 'SAME3']) await send(id)
    expect((await net.counts({})).queries).toBe(queries)
  })

  it('get a message by its own id when the network says that they were left out', async () => {
    const person = '12025551200'
    const { send, read, copies } = await openChat('15554453002', person)
    await net.linkCompanion({ phone: person, isNotified: false })
    await send('LEFT OUT')
    await expect.poll(() => read(person)).toEqual([['LEFT OUT']])
    await send('NEXT')
    await expect.poll(() => read(person)).toEqual([['LEFT OUT', 'NEXT']])
    expect([await copies('LEFT OUT'), await copies('NEXT')]).toEqual([1, 1])
  })

  it.each([
    ['phone', '15554453003', '12025551300'],
    ['lid', '15554453006', '12025551600'],
  ] as const)('get the first message after they were linked and notified, by %s', async (addressing, phone, person) => {
    const { send, read } = await openChat(phone, person, addressing)
    // Without it, only the notification can bring the new device.
    await net.setRule({ rule: 'device-hash', isApplied: false })
    await net.linkCompanion({ phone: person, isNotified: true })
    await isQuiet()
    const { messages } = await net.counts({})
    await send('NOTIFIED')
    await expect.poll(() => read(person)).toEqual([['NOTIFIED']])
    expect((await net.counts({})).messages).toBe(messages + 1)
  })
})

describe('the other devices of an account', () => {
  it.each([true, false])('get what its number sends (notified: %s)', async (isNotified) => {
    await net.setRule({ rule: 'device-hash', isApplied: !isNotified })
    const phone = isNotified ? '15554453004' : '15554453005'
    const { send, read } = await openChat(phone, isNotified ? '12025551400' : '12025551500')
    await net.linkCompanion({ phone, isNotified })
    await isQuiet()
    await send('TO OURSELVES')
    await expect.poll(() => read(phone)).toEqual([['TO OURSELVES']])
  })
})
