import { setTimeout as wait } from 'node:timers/promises'
import type { GatewaySession } from '@msgctl/network/gateway'
import { rows } from '@msgctl/server/platform/db/db'
import { describe, expect, it } from 'vitest'
import { newId } from './crash-lab.ts'
import { type HostUse, totalOf, useOf } from './host-figures.ts'
import { openHostLab } from './host-lab.ts'

/** `npm run gateway -- many` sets how many there are. */
const count = Number(process.env.GATEWAY_NUMBERS ?? 10)
const hostCount = 2
const atOnce = 5
/** Below this size, what a process needs by itself hides what a number needs. */
const measuredFrom = 50
const mostMbForEach = 2.5
const isFull = count >= measuredFrom
const idleMs = isFull ? 20_000 : 500
const sendingMs = isFull ? 60_000 : 1000
/** A campaign sends 3 to 7 s apart. */
const spacingMs = isFull ? 5000 : 500
const capacity = String(Math.ceil(count / hostCount))
// How fast a host can connect numbers is measured, not how fast it may.
const lab = await openHostLab({ GATEWAY_CAPACITY: capacity, GATEWAY_LOGIN_SPREAD_SECONDS: '0' }, hostCount)
const use = async (): Promise<HostUse> => totalOf((await lab.metricsOfHosts()).map(useOf))
const round = (value: number, digits = 2) => Number(value.toFixed(digits))

describe(`${hostCount} hosts of ${count} numbers`, () => {
  it('connect all of them, send at their pace, and connect again what a lost host had', async () => {
    const before = await use()
    const linkedAtMs = performance.now()
    const sessions = await linkAll()
    const linkSeconds = (performance.now() - linkedAtMs) / 1000
    const linked = await use()
    await wait(idleMs)
    const idle = await use()
    const databaseKb = await databaseKbForEach()
    await beginAll(sessions)
    const begun = await use()
    const sent = await sendAll(sessions)
    const busy = await use()
    const reconnectSeconds = await replaceOne()
    const after = await use()
    const perNumber = ({ residentMb }: HostUse) => round((residentMb - before.residentMb) / count)
    const figures = {
      secondsToLinkOne: round(linkSeconds / count),
      mbForEach: perNumber(idle),
      mbForEachAfterSending: perNumber(busy),
      mbForEachAfterReconnect: perNumber(after),
      idleCpuPercent: round(((idle.cpuSeconds - linked.cpuSeconds) / (idleMs / 1000)) * 100, 1),
      ...sent,
      cpuMsOfAFirstSend: round(((begun.cpuSeconds - idle.cpuSeconds) * 1000) / count, 1),
      cpuMsOfASend: round(((busy.cpuSeconds - begun.cpuSeconds) * 1000) / sent.sends, 1),
      secondsToReconnectHalf: Math.round(reconnectSeconds),
      databaseKbForEach: databaseKb,
      databaseKbForEachAfterReconnect: await databaseKbForEach(),
    }
    process.stderr.write(`${count} numbers: ${JSON.stringify({ ...figures, before, idle, busy, after })}\n`)
    const { undecryptable, replaced } = await lab.net.counts({})
    expect({ undecryptable, replaced }).toEqual({ undecryptable: 0, replaced: 0 })
    if (isFull) expect(figures.mbForEach).toBeLessThanOrEqual(mostMbForEach)
  }, 3_600_000)
})

/** Returns what the keys and the state of a number take in the database, with their indexes. */
async function databaseKbForEach(): Promise<number> {
  const [size] = await rows<{ bytes: number }>(
    lab.db,
    `select pg_total_relation_size('gateway_keys')::float8 + pg_total_relation_size('gateway_sessions') as bytes`,
  )
  return Math.round((size?.bytes ?? 0) / 1024 / count)
}

async function linkAll(): Promise<GatewaySession[]> {
  const left = Array.from({ length: count }, (_, n) => `1555448${String(n).padStart(4, '0')}`)
  const sessions: GatewaySession[] = []
  const linkNext = async (): Promise<void> => {
    for (let phone = left.shift(); phone; phone = left.shift()) sessions.push(await lab.link(phone))
  }
  await Promise.all(Array.from({ length: atOnce }, linkNext))
  return sessions
}

/** Returns what the hosts wrote about a number. */
function linesAbout({ containerId }: GatewaySession): string {
  return lab
    .output()
    .split('\n')
    .filter((line) => line.includes(containerId))
    .join('\n')
}

/**
 * Sends a message to the person of the number with this place. A failure prints what the hosts wrote about the number.
 */
async function sendOne(session: GatewaySession, place: number, text: string): Promise<void> {
  const to = { kind: 'phone', digits: `120255${String(place).padStart(4, '0')}8` } as const
  const options = { clientId: newId(), timeoutMs: 60_000 }
  await lab.driver.send(session, to, { kind: 'text', text }, options).catch((error: unknown) => {
    process.stderr.write(`${linesAbout(session)}\n`)
    throw error
  })
}

/**
 * Lets every number begin its conversation, a few at a time: a first message takes the most CPU, and the guard bounds
 * them.
 */
async function beginAll(sessions: readonly GatewaySession[]): Promise<void> {
  const left = [...sessions.entries()]
  const beginNext = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) await sendOne(next[1], next[0], 'the first message')
  }
  await Promise.all(Array.from({ length: atOnce }, beginNext))
}

/** Lets every number send to its person, each after its pause. Fails when one send fails. */
async function sendAll(sessions: readonly GatewaySession[]) {
  const { messages: before } = await lab.net.counts({})
  const durationsMs: number[] = []
  const startedMs = performance.now()
  const isOver = () => performance.now() - startedMs >= sendingMs
  async function sendFrom(session: GatewaySession, n: number): Promise<void> {
    await wait((n / count) * spacingMs)
    for (let sends = 0; !isOver(); sends++) {
      const sentAtMs = performance.now()
      await sendOne(session, n, `message ${sends}`)
      durationsMs.push(performance.now() - sentAtMs)
      await wait(Math.max(0, spacingMs - (performance.now() - sentAtMs)))
    }
  }
  await Promise.all(sessions.map(sendFrom))
  const seconds = (performance.now() - startedMs) / 1000
  expect((await lab.net.counts({})).messages - before).toBe(durationsMs.length)
  const sorted = durationsMs.sort((a, b) => a - b)
  const atPart = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)
  return {
    sends: sorted.length,
    sendsForEachSecond: round(sorted.length / seconds, 1),
    sendMsMedian: atPart(0.5),
    sendMsOf99Percent: atPart(0.99),
  }
}

/** Kills one of the hosts and starts another one. Returns how many seconds its numbers were away. */
async function replaceOne(): Promise<number> {
  const half = Math.floor(count / hostCount)
  const { logins } = await lab.net.counts({})
  const startedMs = performance.now()
  await lab.replaceHost(async () => undefined)
  const again = async () => (await lab.net.counts({})).logins - logins
  await expect.poll(again, { timeout: 1_200_000, interval: 500 }).toBeGreaterThanOrEqual(half)
  return (performance.now() - startedMs) / 1000
}
