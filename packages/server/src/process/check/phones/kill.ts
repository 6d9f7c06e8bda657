import { endHostProcess } from '#networks/gateway/direct/host-process.ts'
import type { Finding } from '#process/check/finding.ts'
import { type Bench, seconds } from './exchange.ts'
import type { Pair } from './pair.ts'
import { type Hosting, readHosting } from './pair-store.ts'
import { readUntil } from './poll.ts'

const name = 'Host ended'
/** A lease lasts 15 s, and a process that starts again takes some more. */
const shortestMs = 60_000

/**
 * Ends the gateway host of the number as a crash does, and waits until both numbers are connected again. A note where
 * the host is of an earlier release, or the number has none.
 */
export async function endHost({ services, withinMs }: Bench, { number, peer }: Pair): Promise<Finding> {
  const note = (text: string): Finding => ({ name, outcome: 'note', text })
  if (number.gateway !== 'direct') {
    return note('Not done: a WAHA server connects the number. Restart it (docker restart waha), and run this again.')
  }
  const { db, secrets } = services
  const sides = [number, peer].filter(({ gateway }) => gateway === 'direct')
  const read = () => Promise.all(sides.map(({ containerId }) => readHosting(db, containerId)))
  const before = await read()
  const ended = before[0]?.hostId
  /** A new host first stores its lease, and the state that it finds is that of the old one. */
  const isMoved = (now: Hosting | undefined, then: Hosting | undefined) =>
    now !== undefined && then !== undefined && now.epoch !== then.epoch && now.sequence > then.sequence
  const isBack = (now: Hosting | undefined, n: number) =>
    now?.isWorking === true && (before[n]?.hostId !== ended || isMoved(now, before[n]))
  const startedMs = performance.now()
  const host = await endHostProcess(db, secrets, number.containerId)
  if (!host) return note('Not done: no gateway host that responds connects the number.')
  if (!host.isEnding) {
    return note(`Not done: the host, process ${host.pid} of ${host.machine}, is of an earlier release. Upgrade it.`)
  }
  const limitMs = Math.max(shortestMs, withinMs)
  const after = await readUntil(read, (now) => now.every(isBack), limitMs)
  if (after.every(isBack)) {
    const took = seconds(performance.now() - startedMs)
    return { name, outcome: 'ok', text: `process ${host.pid} ended, both numbers connected again after ${took}` }
  }
  const text = `Process ${host.pid} ended, and the numbers were not connected again in ${seconds(limitMs)}. `
  return { name, outcome: 'failed', text: `${text}Start the host again: npm run gateway -- start` }
}
