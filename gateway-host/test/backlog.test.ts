import { rows } from '@msgctl/server/platform/db/db'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { driver, net } = lab
const jane = '12025550100'
/** `npm run gateway -- backlog` sets how many messages wait, and how many MB of history a phone shares. */
const backlog = Number(process.env.GATEWAY_BACKLOG ?? 50)
const historyMb = Number(process.env.GATEWAY_HISTORY_MB ?? 2)
/** A session reads nothing that far ahead: the text behind is requested, the second time for a new session. */
const [mostAhead, requestsOfANewSession] = [2000, 2]

describe('messages that cannot be decrypted', () => {
  it('hold up none of those behind them, and are requested once a minute', { timeout: 300_000 }, async () => {
    const phone = '15554455001'
    const session = await lab.link(phone)
    const received = () => lab.eventsOf(session, 'message.in').map(({ message }) => message.text)
    await net.write({ from: jane, to: phone, message: { conversation: 'before' } })
    await expect.poll(received).toEqual(['before'])
    await driver.stop(session)
    await expect.poll(async () => (await net.counts({})).connections).toBe(0)
    const { requestsToPhones, retriesOfDevices } = await net.counts({})
    const ids = Array.from({ length: backlog }, (_, n) => `BROKEN${n}`)
    await net.writeBroken({ from: jane, to: phone, ids })
    await net.write({ from: jane, to: phone, message: { conversation: 'after' } })
    await driver.start(session)
    await lab.becomes(session, 'WORKING')
    const startedMs = performance.now()
    await expect.poll(received, { timeout: Math.max(6000, backlog * 10) }).toEqual(['before', 'after'])
    report({ backlog, behindMs: Math.round(performance.now() - startedMs) })
    const retries = async () => (await net.counts({})).retriesOfDevices
    const expected = retriesOfDevices + backlog + (backlog > mostAhead ? requestsOfANewSession : 0)
    await expect.poll(retries, { timeout: Math.max(15_000, backlog * 10) }).toBe(expected)
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

describe('a large history that a phone shares', () => {
  it('is stored completely, and holds up no message', { timeout: 300_000 }, async () => {
    const [phone, digits, bytes] = ['15554455003', '12025557101', 1000]
    const messages = historyMb * 1000
    await net.makeHistory({ phone, digits, messages, bytes })
    const session = await lab.link(phone)
    const startedMs = performance.now()
    const to = { kind: 'phone', digits: jane } as const
    await driver.send(session, to, { kind: 'text', text: 'beside it' }, { clientId: 'BESIDE', timeoutMs: 20_000 })
    const sentMs = Math.round(performance.now() - startedMs)
    const { containerId } = session
    const stored = async () => {
      const [found] = await rows<{ count: number }>(
        lab.db,
        'select count(*)::int as count from gateway_history where container_id = :containerId',
        { containerId },
      )
      return found?.count
    }
    await expect.poll(stored, { timeout: 240_000, interval: 500 }).toBe(messages)
    report({ historyMb, messages, sentMs, storedMs: Math.round(performance.now() - startedMs) })
    expect(await lab.metrics()).toMatch(/^gateway_history_failures_total 0$/m)
  })
})

/** Prints figures for a person who measures. */
function report(figures: object): void {
  if (process.env.GATEWAY_BACKLOG) process.stderr.write(`${JSON.stringify(figures)}\n`)
}
