import { startLoop } from '../../concurrency/background-loop.ts'
import { inTime } from '../../concurrency/deadline.ts'
import type { Services } from '../../services.ts'
import type { NumberRow } from '../records/store.ts'
import { sessionOf } from '../records/view.ts'
import { bringUp } from './bring-up.ts'
import { applyState } from './state.ts'
import type { FoundState } from './state-rules.ts'
import { dueBy, type Order, orderFor, probeEveryMs, unreachableAgain } from './supervision-rules.ts'
import { findUnheard, type NextLook, type Silence, takeDue, writeNextLooks } from './supervisor-store.ts'

/** Numbers that one look takes. */
const batch = 100
const batchesAtOnce = 4
const spacingMs = 500
const probeTimeoutMs = 10_000
const silence: Silence = { sends: 5, people: 3, forMs: 300_000 }

/** The loop of one process that keeps numbers connected. */
export interface Supervisor {
  /** Waits for the look that runs; numbers it had taken and not finished are looked at by another within a minute. */
  stop(): Promise<void>
}

/**
 * Starts keeping numbers connected, in as many processes as wanted: each number is taken by one of them at a time. All it
 * knows is in the database, so after an outage it goes on from there. A driver that is slow with some numbers does not
 * keep it from the others.
 */
export function startSupervisor(services: Services): Supervisor {
  const { db, log, wake } = services
  const running = new Set<Promise<void>>()

  async function look(): Promise<boolean> {
    if (running.size >= batchesAtOnce) return false
    const due = await takeDue(db, batch, probeEveryMs)
    if (due.length === 0) return false
    const work = supervise(services, due)
      .catch((error: unknown) => log.error({ err: error }, 'numbers could not be supervised; they are within a minute'))
      .finally(() => running.delete(work))
    running.add(work)
    return due.length === batch
  }

  const loop = startLoop({ name: 'supervising numbers', log, look, spacingMs })
  const unsubscribe = wake.on('clock', loop.wake)
  return {
    async stop() {
      unsubscribe()
      await loop.stop()
      await Promise.all(running)
    },
  }
}

/** Looks at numbers whose time has come, a batch of them, and does what they need; answers whether there were any. */
export async function superviseDue(services: Services): Promise<boolean> {
  const due = await takeDue(services.db, batch, probeEveryMs)
  if (due.length > 0) await supervise(services, due)
  return due.length > 0
}

async function supervise(services: Services, due: readonly NumberRow[]): Promise<void> {
  const silentHosts = await silentHostsOf(services, due)
  const working = due.filter(({ status, id }) => status === 'WORKING' && !silentHosts.has(id)).map(({ id }) => id)
  const unheard = working.length > 0 ? await findUnheard(services.db, working, silence) : new Set<string>()
  const now = services.clock.now()
  const ordered = due.map((number) => {
    const found = { hostAnswers: !silentHosts.has(number.id), unheard: unheard.has(number.id) }
    return { number, order: orderFor(number, found, now) }
  })
  await writeNextLooks(
    services.db,
    ordered.flatMap(({ number, order }) => (order.is === 'rest' ? restOf(number, order, now) : [])),
  )
  await Promise.all(ordered.map(({ number, order }) => carryOut(services, number, order)))
}

/** The next look at a number that needs nothing now; none for one that works, which is left alone for its minute already. */
function restOf(number: NumberRow, { at, missedProbes }: Order & { is: 'rest' }, now: Date): NextLook[] {
  const usual = number.missedProbes === 0 && at?.getTime() === now.getTime() + probeEveryMs
  return usual ? [] : [{ number, at, missedProbes }]
}

/** The numbers whose host does not answer; all of them when the driver does not say in time. */
async function silentHostsOf({ gateway, log }: Services, due: readonly NumberRow[]): Promise<ReadonlySet<string>> {
  try {
    return await inTime(probeTimeoutMs, gateway.silentHosts(due.map(sessionOf)))
  } catch (error) {
    log.warn({ err: error }, 'the driver did not say which hosts answer')
    return new Set(due.map(({ id }) => id))
  }
}

/** Does what one number needs. What fails is tried again at its next look. */
async function carryOut(services: Services, number: NumberRow, order: Order): Promise<void> {
  try {
    const next = await obey(services, number, order)
    if (next) await writeNextLooks(services.db, [next])
  } catch (error) {
    services.log.warn({ err: error, containerId: number.id }, 'a number could not be supervised; tried again')
  }
}

/** Answers the next look when that is neither in a minute nor decided by a new state. */
async function obey(services: Services, number: NumberRow, order: Order): Promise<NextLook | null> {
  switch (order.is) {
    case 'rest':
      return null
    case 'unreachable':
      await judge(services, number, { status: 'UNREACHABLE', me: null, reason: 'instance_down' })
      return null
    case 'ask':
      return ask(services, number, order.overdue)
    case 'retry':
      return anew(services, number, 'retry')
    case 'stop':
      await inTime(probeTimeoutMs, services.gateway.stop(sessionOf(number)))
      await judge(services, number, { status: 'STOPPED', me: null, reason: 'stopped' })
      return null
    case 'reconnect':
      return anew(services, number, 'no_acks')
    case 'give_up':
      await judge(services, number, { status: 'FAILED', me: null, reason: 'no_acks' })
      return null
  }
}

/** Moves a number to a state that the supervisor decided on, unless it moved on meanwhile. */
function judge(services: Services, number: NumberRow, state: FoundState): Promise<NumberRow | null> {
  const { id: containerId, organizationId } = number
  return applyState(services, { organizationId, containerId, state, source: 'supervisor', judged: number })
}

/** Makes the connection anew and keeps the link. */
async function anew(services: Services, number: NumberRow, reason: 'retry' | 'no_acks'): Promise<null> {
  const starting = await judge(services, number, { status: 'STARTING', me: null, reason })
  if (starting) await bringUp(services, starting)
  return null
}

/** Asks the network what became of a number that is starting, or whose host answers again. */
async function ask(services: Services, number: NumberRow, overdue: boolean): Promise<NextLook | null> {
  const found = await inTime(probeTimeoutMs, services.gateway.state(sessionOf(number))).catch(() => null)
  const { id: containerId, organizationId } = number
  const isNews = found?.status === 'WORKING' || found?.status === 'SCAN_QR_CODE'
  if (found && (isNews || number.status === 'UNREACHABLE')) {
    await applyState(services, { organizationId, containerId, state: found, source: 'network', judged: number })
    return null
  }
  if (number.status === 'UNREACHABLE') return { number, at: unreachableAgain(services.clock.now()), missedProbes: 0 }
  if (overdue && number.networkId !== null) {
    const reason = number.statusReason === 'no_acks' ? 'no_acks' : 'connection_lost'
    await judge(services, number, { status: 'FAILED', me: null, reason })
    return null
  }
  if (overdue || (found && found.status !== 'STARTING')) await bringUp(services, number)
  return overdue ? null : { number, at: dueBy(number), missedProbes: 0 }
}
