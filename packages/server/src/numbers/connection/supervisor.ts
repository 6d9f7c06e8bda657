import { startPollingLoop } from '../../concurrency/polling-loop.ts'
import { withGatewayTimeout } from '../../gateway/timeout.ts'
import type { Services } from '../../services.ts'
import type { NumberRow } from '../records/store.ts'
import { toSession } from '../records/view.ts'
import { restartConnection } from './restart-connection.ts'
import { applyState } from './state.ts'
import type { FoundState } from './state-rules.ts'
import {
  nextAction,
  nextUnreachableCheck,
  probeEveryMs,
  type SupervisionAction,
  startDeadline,
} from './supervision-rules.ts'
import {
  claimDue,
  findUnheard,
  type NextCheck,
  type Silence,
  writeHealthy,
  writeNextChecks,
} from './supervisor-store.ts'

/** Numbers that one look takes. */
const batch = 100
const maxBatches = 4
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

  async function poll(): Promise<boolean> {
    if (running.size >= maxBatches) return false
    const due = await claimDue(db, batch, probeEveryMs)
    if (due.length === 0) return false
    const work = supervise(services, due)
      .catch((error: unknown) => log.error({ err: error }, 'numbers could not be supervised; they are within a minute'))
      .finally(() => running.delete(work))
    running.add(work)
    return due.length === batch
  }

  const loop = startPollingLoop({ name: 'supervising numbers', log, poll, minIntervalMs: spacingMs })
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
  const due = await claimDue(services.db, batch, probeEveryMs)
  if (due.length > 0) await supervise(services, due)
  return due.length > 0
}

async function supervise(services: Services, due: readonly NumberRow[]): Promise<void> {
  const silentHosts = await findSilentHosts(services, due)
  const working = due.filter(({ status, id }) => status === 'WORKING' && !silentHosts.has(id)).map(({ id }) => id)
  await writeHealthy(services.db, working)
  const unheard = working.length > 0 ? await findUnheard(services.db, working, silence) : new Set<string>()
  const now = services.clock.now()
  const actions = due.map((number) => {
    const found = { hostAnswers: !silentHosts.has(number.id), unheard: unheard.has(number.id) }
    return { number, order: nextAction(number, found, now) }
  })
  await writeNextChecks(
    services.db,
    actions.flatMap(({ number, order }) => (order.is === 'rest' ? toNextCheck(number, order, now) : [])),
  )
  await Promise.all(actions.map(({ number, order }) => runAction(services, number, order)))
}

/** The next look at a number that needs nothing now; none for one that works, which is left alone for its minute already. */
function toNextCheck(
  number: NumberRow,
  { at, missedProbes }: SupervisionAction & { is: 'rest' },
  now: Date,
): NextCheck[] {
  const usual = number.missedProbes === 0 && at?.getTime() === now.getTime() + probeEveryMs
  return usual ? [] : [{ number, at, missedProbes }]
}

/** The numbers whose host does not answer; all of them when the driver does not say in time. */
async function findSilentHosts({ gateway, log }: Services, due: readonly NumberRow[]): Promise<ReadonlySet<string>> {
  try {
    return await withGatewayTimeout(probeTimeoutMs, gateway.silentHosts(due.map(toSession)))
  } catch (error) {
    log.warn({ err: error }, 'the driver did not say which hosts answer')
    return new Set(due.map(({ id }) => id))
  }
}

/** Does what one number needs. What fails is tried again at its next look. */
async function runAction(services: Services, number: NumberRow, order: SupervisionAction): Promise<void> {
  try {
    const next = await executeAction(services, number, order)
    if (next) await writeNextChecks(services.db, [next])
  } catch (error) {
    services.log.warn({ err: error, containerId: number.id }, 'a number could not be supervised; tried again')
  }
}

/** Answers the next look when that is neither in a minute nor decided by a new state. */
async function executeAction(
  services: Services,
  number: NumberRow,
  order: SupervisionAction,
): Promise<NextCheck | null> {
  switch (order.is) {
    case 'rest':
      return null
    case 'unreachable':
      await applyDecision(services, number, { status: 'UNREACHABLE', me: null, reason: 'instance_down' })
      return null
    case 'ask':
      return probeState(services, number, order.overdue)
    case 'retry':
      return restart(services, number, 'retry')
    case 'stop': {
      const { sequence } = await withGatewayTimeout(probeTimeoutMs, services.gateway.stop(toSession(number)))
      await applyDecision(services, number, { status: 'STOPPED', me: null, reason: 'stopped', sequence })
      return null
    }
    case 'reconnect':
      return restart(services, number, 'no_acks')
    case 'give_up':
      await applyDecision(services, number, { status: 'FAILED', me: null, reason: 'no_acks' })
      return null
  }
}

/** Moves a number to a state that the supervisor decided on, unless it moved on meanwhile. */
function applyDecision(services: Services, number: NumberRow, state: FoundState): Promise<NumberRow | null> {
  const { id: containerId, organizationId } = number
  return applyState(services, { organizationId, containerId, state, source: 'supervisor', expected: number })
}

/** Makes the connection anew and keeps the link. */
async function restart(services: Services, number: NumberRow, reason: 'retry' | 'no_acks'): Promise<null> {
  const starting = await applyDecision(services, number, { status: 'STARTING', me: null, reason })
  if (starting) await restartConnection(services, starting)
  return null
}

/** Asks the network what became of a number that is starting, or whose host answers again. */
async function probeState(services: Services, number: NumberRow, overdue: boolean): Promise<NextCheck | null> {
  const found = await withGatewayTimeout(probeTimeoutMs, services.gateway.state(toSession(number))).catch(() => null)
  const { id: containerId, organizationId } = number
  const isNews = found?.status === 'WORKING' || found?.status === 'SCAN_QR_CODE'
  if (found && (isNews || number.status === 'UNREACHABLE')) {
    await applyState(services, { organizationId, containerId, state: found, source: 'network', expected: number })
    return null
  }
  if (number.status === 'UNREACHABLE')
    return { number, at: nextUnreachableCheck(services.clock.now()), missedProbes: 0 }
  if (overdue && number.networkId !== null) {
    const reason = number.statusReason === 'no_acks' ? 'no_acks' : 'connection_lost'
    await applyDecision(services, number, { status: 'FAILED', me: null, reason })
    return null
  }
  if (overdue || (found && found.status !== 'STARTING')) await restartConnection(services, number)
  return overdue ? null : { number, at: startDeadline(number), missedProbes: 0 }
}
