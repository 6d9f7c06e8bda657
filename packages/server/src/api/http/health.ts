import type Koa from 'koa'
import { describeWrongClock } from '#platform/db/clock.ts'
import { countUnknownMigrations, pendingMigrations } from '#platform/db/migrate.ts'
import { requireWritable } from '#platform/db/writable.ts'
import { version } from '#platform/metrics/version.ts'
import type { Services } from '#services.ts'
import { routed } from './router.ts'
import type { RequestState } from './state.ts'

/** How long a check of the database may take before the database counts as unavailable. */
const probeTimeoutMs = 2000
/** Probes are public, so one check serves all probes within this time. */
const probeKeptMs = 500

type Fact = 'ok' | 'failed'

/** What readiness checks of the worker in this process; empty without one. */
export interface WorkerHealth {
  /** Returns whether the dispatcher shows signs of life. */
  readonly dispatcherAlive?: () => boolean
  /** Returns why the periodic jobs are not well, or null. */
  readonly jobsProblem?: () => string | null
}

/** What readiness checks beside the database. */
export interface HealthOptions extends WorkerHealth {
  /** Aborts when the server stops. */
  readonly draining: AbortSignal
}

/**
 * Responds to /healthz with 200 as long as the process responds at all, and to /readyz with 200, or with 503 and the
 * check that failed, by which a load balancer decides whether to send requests here. A read-only database is not ready.
 */
export function health(services: Services, options: HealthOptions): Koa.Middleware<RequestState> {
  const { clock } = services
  const probe = keptFor(probeKeptMs, () => probeDatabase(services))
  return routed((router) => {
    router.get('/readyz', (ctx) => readiness(ctx, { ...options, clock }, probe))
    router.get('/healthz', (ctx) => {
      ctx.body = { status: 'ok', version }
    })
  })
}

interface Probe {
  readonly database: Fact
  readonly migrations: Fact
  /** How many migrations of newer versions the database has. */
  readonly unknownMigrations: number
}

async function readiness(
  ctx: Koa.Context,
  options: HealthOptions & Pick<Services, 'clock'>,
  probe: () => Promise<Probe>,
): Promise<void> {
  const { dispatcherAlive, jobsProblem, draining, clock } = options
  const problem = jobsProblem?.() ?? null
  const { unknownMigrations, ...found } = await probe()
  const checks: Record<string, Fact> = {
    ...found,
    ...(dispatcherAlive && { dispatcher: toFact(dispatcherAlive()) }),
    ...(jobsProblem && { jobs: toFact(problem === null) }),
    accepting: toFact(!draining.aborted),
  }
  const ready = Object.values(checks).every((check) => check === 'ok')
  const reasons = {
    ...outdatedReason(unknownMigrations),
    ...(problem !== null && { jobs: problem }),
    // In a worker it is a problem of the jobs.
    ...(!jobsProblem && clockReason(clock.aheadMs())),
  }
  ctx.set('Cache-Control', 'no-store')
  ctx.status = ready ? 200 : 503
  ctx.body = { status: ready ? 'ready' : 'not_ready', checks, ...(Object.keys(reasons).length > 0 && { reasons }) }
}

/** Versions are tested against the schema of the next one, which usually has one migration more. */
const testedAhead = 1

/**
 * Returns what a newer schema means for this process, which is ready all the same: during an upgrade both versions
 * serve.
 */
function outdatedReason(unknownMigrations: number): Record<string, string> {
  if (unknownMigrations <= testedAhead) return {}
  return { migrations: `The database has ${unknownMigrations} migrations of newer versions. Upgrade this process.` }
}

/** Returns what a wrong clock means for a process without a worker, which is ready all the same. */
function clockReason(aheadMs: number): Record<string, string> {
  const wrong = describeWrongClock(aheadMs)
  return wrong === null ? {} : { clock: `${wrong}: set it right. Codes of authenticator apps may be refused here.` }
}

function toFact(isOk: boolean): Fact {
  return isOk ? 'ok' : 'failed'
}

async function probeDatabase({ db }: Services): Promise<Probe> {
  const alive = await within(
    probeTimeoutMs,
    requireWritable(db).then(() => true),
  )
  if (!alive) return { database: 'failed', migrations: 'failed', unknownMigrations: 0 }
  const migrated = await within(
    probeTimeoutMs,
    pendingMigrations(db).then((names) => names.length === 0),
  )
  const unknownMigrations = await countUnknownMigrations(db).catch(() => 0)
  return { database: 'ok', migrations: toFact(migrated), unknownMigrations }
}

/** Returns the result of `check`, or false when it fails or takes too long. */
async function within(ms: number, check: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  return Promise.race([check.catch(() => false), late]).finally(() => clearTimeout(timer))
}

function keptFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { at: number; value: Promise<T> } | undefined
  return () => {
    if (!kept || performance.now() - kept.at > ms) kept = { at: performance.now(), value: read() }
    return kept.value
  }
}
