import type Koa from 'koa'
import { describeWrongClock } from '#platform/db/clock.ts'
import { countUnknownMigrations, pendingMigrations } from '#platform/db/migrate.ts'
import { changesFailBecause, requireDiskSpace, requireWritable } from '#platform/db/writable.ts'
import { version } from '#platform/metrics/version.ts'
import type { Services } from '#services.ts'
import { routed } from './router.ts'
import type { RequestState } from './state.ts'

/** How long a check of the database may take before the database counts as unavailable. */
const probeTimeoutMs = 2000
/** Probes are public, so one check serves all probes within this time. */
const probeKeptMs = 500
/** The check of the disk writes, so it is rarer. */
const diskProbeKeptMs = 15_000

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
 * check that failed, by which a load balancer decides whether to send requests here. A database that takes no changes,
 * because it is read-only or its disk is full, is not ready.
 */
export function health(services: Services, options: HealthOptions): Koa.Middleware<RequestState> {
  const { clock } = services
  const probe = keptFor(probeKeptMs, databaseProbe(services))
  return routed((router) => {
    router.get('/readyz', (ctx) => readiness(ctx, { ...options, clock }, probe))
    router.get('/healthz', (ctx) => {
      ctx.body = { status: 'ok', version }
    })
  })
}

interface Probe {
  readonly database: Fact
  /** Why the database takes no changes, where that is known. */
  readonly databaseReason: string | null
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
  const { unknownMigrations, databaseReason, ...found } = await probe()
  const checks: Record<string, Fact> = {
    ...found,
    ...(dispatcherAlive && { dispatcher: toFact(dispatcherAlive()) }),
    ...(jobsProblem && { jobs: toFact(problem === null) }),
    accepting: toFact(!draining.aborted),
  }
  const ready = Object.values(checks).every((check) => check === 'ok')
  const reasons = {
    ...(databaseReason !== null && { database: databaseReason }),
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

/** Returns what checks the database, and logs that it has begun or ceased to refuse changes. */
function databaseProbe({ db, log }: Pick<Services, 'db' | 'log'>): () => Promise<Probe> {
  const probeDisk = keptFor(diskProbeKeptMs, () => within(probeTimeoutMs, requireDiskSpace(db)))
  let refusal: string | null = null
  function report(databaseReason: string | null): void {
    if (databaseReason === refusal) return
    if (databaseReason !== null) log.error({ event: 'database_refuses_changes' }, databaseReason)
    else log.info({ event: 'database_takes_changes' }, 'the database takes changes again')
    refusal = databaseReason
  }
  return async () => {
    const written = await within(probeTimeoutMs, requireWritable(db))
    const database = written.isOk ? await probeDisk() : written
    // A database that is away says nothing about its disk.
    if (database.isOk || database.reason !== null) report(database.reason)
    const databaseReason = database.reason
    if (!written.isOk) return { database: 'failed', databaseReason, migrations: 'failed', unknownMigrations: 0 }
    const pending = within(
      probeTimeoutMs,
      pendingMigrations(db).then((names) => {
        if (names.length > 0) throw new Error('migrations are pending')
      }),
    )
    const migrations = toFact((await pending).isOk)
    const unknownMigrations = await countUnknownMigrations(db).catch(() => 0)
    return { database: toFact(database.isOk), databaseReason, migrations, unknownMigrations }
  }
}

interface Outcome {
  readonly isOk: boolean
  readonly reason: string | null
}

/** Returns whether `check` succeeds in time. */
async function within(ms: number, check: Promise<void>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(resolve, ms, { isOk: false, reason: null })
  })
  const checked = check.then(
    () => ({ isOk: true, reason: null }),
    (error: unknown) => ({ isOk: false, reason: changesFailBecause(error) }),
  )
  return Promise.race([checked, late]).finally(() => clearTimeout(timer))
}

function keptFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { at: number; value: Promise<T> } | undefined
  return () => {
    if (!kept || performance.now() - kept.at > ms) kept = { at: performance.now(), value: read() }
    return kept.value
  }
}
