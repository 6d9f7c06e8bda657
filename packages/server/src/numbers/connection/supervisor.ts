import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import type { NumberRow } from '#numbers/records/store.ts'
import { toSession } from '#numbers/records/view.ts'
import { startPollingLoop } from '#platform/concurrency/polling-loop.ts'
import { idleWaitMs } from '#platform/db/wake.ts'
import { workOn } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'
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
  readNextCheckMs,
  type Silence,
  writeHealthy,
  writeNextChecks,
} from './supervisor-store.ts'

/** Numbers of one claim. */
const batch = 200
/** Numbers that are checked at once. */
const maxChecking = 400
const spacingMs = 500
const probeTimeoutMs = 10_000
const silence: Silence = { sends: 5, people: 3, forMs: 300_000 }

/** The loop of one process that keeps numbers connected. */
export interface Supervisor {
  /** Waits for the checks that run. Another process checks unfinished numbers within a minute. */
  stop(): Promise<void>
}

/**
 * Starts the supervisor. Several processes can run one: each number is claimed by one of them at a time. All state is
 * in the database, so after an outage it continues from there. A driver that is slow with some numbers does not delay
 * the others.
 */
export function startSupervisor(services: Services): Supervisor {
  const { db, log, wake } = services
  const running = new Set<Promise<void>>()
  let checking = 0

  /** Claims only when a check is due, because a claim costs more than reading the time of the next one. */
  async function poll(): Promise<boolean | number> {
    const limit = Math.min(batch, maxChecking - checking)
    if (limit === 0) return false
    const waitMs = (await readNextCheckMs(db)) ?? Number.POSITIVE_INFINITY
    if (waitMs > 0) return Math.min(waitMs, idleWaitMs(wake))
    const due = await claimDue(db, limit, probeEveryMs)
    if (due.length === 0) return false
    checking += due.length
    const work = supervise(services, due)
      .catch((error: unknown) =>
        log.error({ event: 'supervision_failed', err: error }, 'failed to supervise a batch of numbers'),
      )
      .finally(() => {
        checking -= due.length
        running.delete(work)
      })
    running.add(work)
    return due.length === limit
  }

  const loop = startPollingLoop({ name: 'supervising numbers', log, poll, minIntervalMs: spacingMs })
  const unsubscribe = (['clock', 'checks'] as const).map((channel) => wake.on(channel, loop.wake))
  return {
    async stop() {
      for (const off of unsubscribe) off()
      await loop.stop()
      await Promise.all(running)
    },
  }
}

/** Checks one batch of numbers that are due. Returns whether there were any. */
export async function superviseDue(services: Services): Promise<boolean> {
  const due = await claimDue(services.db, batch, probeEveryMs)
  if (due.length > 0) await supervise(services, due)
  return due.length > 0
}

async function supervise(services: Services, claimed: readonly NumberRow[]): Promise<void> {
  await workOn(services, 'numbers', claimed, { run: (due) => check(services, due) })
}

async function check(services: Services, due: readonly NumberRow[]): Promise<void> {
  const silentHosts = await findSilentHosts(services, due)
  const working = due.filter(({ status, id }) => status === 'WORKING' && !silentHosts.has(id)).map(({ id }) => id)
  await writeHealthy(services.db, working)
  const unheard = working.length > 0 ? await findUnheard(services.db, working, silence) : new Set<string>()
  const now = services.clock.now()
  const actions = due.map((number) => {
    const found = { hostResponds: !silentHosts.has(number.id), unheard: unheard.has(number.id) }
    return { number, order: nextAction(number, found, now) }
  })
  await writeNextChecks(
    services.db,
    actions.flatMap(({ number, order }) => (order.is === 'wait' ? toNextCheck(number, order, now) : [])),
  )
  await Promise.all(actions.map(({ number, order }) => runAction(services, number, order)))
}

/** Returns the next check of a number that needs no action; none for a working number, whose claim has set it. */
function toNextCheck(
  number: NumberRow,
  { at, missedProbes }: SupervisionAction & { is: 'wait' },
  now: Date,
): NextCheck[] {
  const usual = number.missedProbes === 0 && at?.getTime() === now.getTime() + probeEveryMs
  return usual ? [] : [{ number, at, missedProbes }]
}

/** Returns the numbers whose host does not respond; all of them when the driver times out. */
async function findSilentHosts({ gateway, log }: Services, due: readonly NumberRow[]): Promise<ReadonlySet<string>> {
  try {
    return await withGatewayTimeout(probeTimeoutMs, gateway.silentHosts(due.map(toSession)))
  } catch (error) {
    log.warn({ event: 'host_check_failed', err: error }, 'failed to check the hosts of numbers')
    return new Set(due.map(({ id }) => id))
  }
}

/** Executes the action of one number. A failed action is repeated at the next check. */
async function runAction(services: Services, number: NumberRow, order: SupervisionAction): Promise<void> {
  try {
    const next = await executeAction(services, number, order)
    if (next) await writeNextChecks(services.db, [next])
  } catch (error) {
    services.log.warn(
      { event: 'supervision_action_failed', err: error, containerId: number.id },
      'failed to supervise a number',
    )
  }
}

/** Executes an action. Returns the next check unless the claim or a new state has set it. */
async function executeAction(
  services: Services,
  number: NumberRow,
  order: SupervisionAction,
): Promise<NextCheck | null> {
  switch (order.is) {
    case 'wait':
      return null
    case 'unreachable':
      await applyDecision(services, number, { status: 'UNREACHABLE', me: null, reason: 'instance_down' })
      return null
    case 'query':
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

/** Moves a number to a state that the supervisor decided on, unless it has changed since. */
function applyDecision(services: Services, number: NumberRow, state: FoundState): Promise<NumberRow | null> {
  const { id: containerId, organizationId } = number
  return applyState(services, { organizationId, containerId, state, source: 'supervisor', expected: number })
}

/** Restarts the connection and keeps the link. */
async function restart(services: Services, number: NumberRow, reason: 'retry' | 'no_acks'): Promise<null> {
  const starting = await applyDecision(services, number, { status: 'STARTING', me: null, reason })
  if (starting) await restartConnection(services, starting)
  return null
}

/** Queries the network for the state of a number that is starting, or whose host responds again. */
async function probeState(services: Services, number: NumberRow, overdue: boolean): Promise<NextCheck | null> {
  const found = await withGatewayTimeout(probeTimeoutMs, services.gateway.state(toSession(number))).catch(() => null)
  const { id: containerId, organizationId } = number
  const isNews = found?.status === 'WORKING' || found?.status === 'SCAN_QR_CODE' || found?.retry !== undefined
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
