import { randomBytes } from 'node:crypto'
import type { GatewaySession } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { driver, net, link } = lab
const jane = '12025550100'
const to = { kind: 'phone', digits: jane } as const

async function sendText(session: GatewaySession, digits = jane) {
  const clientId = `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
  const content = { kind: 'text', text: 'hello' } as const
  return driver.send(session, { kind: 'phone', digits }, content, { clientId, timeoutMs: 5000 })
}

/** Which rules about names were broken so far. */
async function broken(): Promise<number> {
  const { rules } = await net.broken({})
  return (rules['people-by-hidden-id'] ?? 0) + (rules['signs-by-hidden-id'] ?? 0)
}

describe('the name of a person on the network', () => {
  it('is the hidden id for an account that was moved, for what is sent, edited, read and typed', async () => {
    const phone = '15557300001'
    const session = await link(phone)
    const { ref } = await sendText(session)
    await driver.edit(session, ref, 'good morning', { timeoutMs: 5000 })
    const shown = async ({ networkId }: typeof ref) =>
      (await net.phoneShows({ by: jane, from: phone, id: networkId })).shown
    await expect.poll(() => shown(ref)).toMatchObject({ edited: 'good morning' })
    await driver.typing(session, to, true)
    const typed = await sendText(session)
    await expect.poll(() => shown(typed.ref)).toMatchObject({ typed: true })
    const { id } = await net.write({ from: jane, to: phone, message: { conversation: 'hello' } })
    await expect.poll(() => lab.eventsOf(session, 'message.in')).toHaveLength(1)
    await driver.seen(session, to, [id])
    const ticks = async () => (await net.account({ phone: jane })).ticks
    await expect.poll(ticks).toContainEqual({ ids: [id], type: 'read', by: phone })
    expect(await broken()).toBe(0)
  })

  it('is the number for an account that was not moved', async () => {
    const before = await broken()
    const phone = '15557300002'
    await net.setAccount({ phone, isMigrated: false })
    const session = await link(phone)
    await sendText(session)
    expect(await broken()).toBe(before)
  })

  it('is the one that the network accepts, and stays so, when the account is moved later', async () => {
    const phone = '15557300003'
    await net.setAccount({ phone, isMigrated: false })
    const session = await link(phone)
    await net.setAccount({ phone, isMigrated: true })
    const before = await broken()
    await sendText(session)
    expect(await broken()).toBe(before + 1)
    await sendText(session)
    expect(await broken()).toBe(before + 1)
  })

  it('is the other one after a message that the network does not understand, and stays so', async () => {
    const phone = '15557300008'
    const session = await link(phone)
    await net.setAccount({ phone, isMigrated: false })
    const [before, { messages }] = [await broken(), await net.counts({})]
    await net.setFaults({ refuseNext: ['400'] })
    await sendText(session)
    expect((await net.counts({})).messages).toBe(messages + 2)
    await sendText(session)
    expect((await net.counts({})).messages).toBe(messages + 3)
    expect(await broken()).toBe(before)
  })

  it('is not tried again while the account may begin no conversations', async () => {
    const phone = '15557300004'
    await net.setAccount({ phone, timelock: { is_active: true, time_enforcement_ends: '4102444800' } })
    const session = await link(phone)
    const before = await net.counts({})
    await net.setFaults({ refusals: { [jane]: '463' } })
    await expect(sendText(session)).rejects.toMatchObject({ kind: 'new_chat_refused' })
    await net.setFaults({})
    expect((await net.counts({})).messages).toBe(before.messages + 1)
  })
})

describe('a refused conversation', () => {
  it('is reported as one when the network does not say what the account may do', async () => {
    const session = await link('15557300007')
    await net.setFaults({ refusals: { [jane]: '463' }, iq: { 'w:mex': { code: '503', text: 'unavailable' } } })
    await expect(sendText(session)).rejects.toMatchObject({ kind: 'contact_refused', outcome: 'not_sent' })
    await net.setFaults({})
  })
})

describe('whether a person is on the network', () => {
  it('is asked by the hidden id: people whose devices are listed nowhere else are reached', async () => {
    const session = await link('15557300005')
    expect(await driver.check(session, [jane, '12025550101'])).toEqual(
      new Map([
        [jane, { exists: true, address: to, lid: expect.stringMatching(/@lid$/) }],
        ['12025550101', { exists: false }],
      ]),
    )
    await sendText(session, '12025550110')
    await expect(sendText(session, '12025550101')).rejects.toMatchObject({ kind: 'recipient' })
  })

  it('is not known when the network stays silent: nothing is refused for that', async () => {
    const session = await link('15557300006')
    await net.setFaults({ silentChecks: true })
    await expect(sendText(session, '12025550111')).rejects.toMatchObject({ kind: 'timeout', outcome: 'not_sent' })
    await net.setFaults({})
  })
})
