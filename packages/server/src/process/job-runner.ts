import { hostname } from 'node:os'
import { settlesWithin } from '@msgctl/network/timeout'
import { Agenda, type Job } from 'agenda'
import pg from 'pg'
import { singleFlight } from '#platform/concurrency/single-flight.ts'
import type { PeriodicJob } from '#platform/periodic-jobs.ts'
import type { Services } from '#services.ts'
import { PolledJobBackend } from './job-backend.ts'
import { pollJobs } from './job-poll.ts'
import { findJobsWithoutWork, type JobTiming } from './job-store.ts'
import { watchJobs } from './job-watch.ts'
import { jobsFor } from './jobs.ts'
import { runGuarded } from './run-guarded.ts'
import { responseTimeoutMs } from './start-services.ts'

/** The periodic jobs of a worker. */
export interface RunningJobs {
  /** Returns why the periodic jobs make this worker not ready, or null. */
  problem(): string | null
  /** Returns for each job the seconds since it last ended in any worker, or had nothing to do. */
  secondsSinceEnd(): ReadonlyMap<string, number>
  /** Starts no further run, and resolves when those under way have ended. */
  stop(): Promise<void>
}

/** How the jobs of a test differ. */
export interface JobOptions extends Partial<JobTiming> {
  readonly jobs?: readonly PeriodicJob[]
}

const usualTiming = {
  /** Agenda locks what is due before the next poll, and runs it at its time. */
  pollEveryMs: 15_000,
  /** A job whose process died is free again after this long. */
  lockLifetimeMs: 60_000,
}
/** A job that runs keeps its lock this long: then another worker may run it too. */
const longestLockMs = 600_000
const poolSize = 2
/** How long a stop waits until agenda has saved the end of the last runs. */
const savingTimeoutMs = 2000
/** Names of former releases, which ran the jobs of one interval together. */
const formerNames = [15, 30, 60, 600, 3600].map((seconds) => `every ${seconds} s`)

/**
 * Runs the periodic jobs by agenda: each interval in one of the workers, unless they have nothing to do.
 * They also run when the service's clock is moved, because agenda counts real time: those of a long interval once the
 * clock has moved by it.
 */
export async function startJobs(
  services: Services,
  databaseUrl: string,
  options: JobOptions = {},
): Promise<RunningJobs> {
  const { log, metrics, wake } = services
  const list = options.jobs ?? jobsFor(services.config)
  const timing = { ...usualTiming, ...options }
  const pool = openPool(services, databaseUrl)
  const watch = watchJobs(list)
  const failing = new Set<string>()
  const poll = pollJobs({ ...services, jobs: list, timing, watch, failing, schedule })
  const agenda = new Agenda({
    name: `${hostname()}:${process.pid}`,
    backend: new PolledJobBackend(
      { pool, tableName: 'agenda_jobs', ensureSchema: false, disableNotifications: true },
      poll.dueJobs,
    ),
    processEvery: timing.pollEveryMs,
    defaultConcurrency: 1,
    removeOnComplete: true,
  })
  agenda.on('error', (err: Error) =>
    log.warn({ event: 'job_scheduling_failed', err }, 'failed to schedule a periodic job'),
  )

  const saved = whenSaved(agenda)
  const flight = singleFlight(async (job: PeriodicJob) => {
    try {
      await runGuarded(services, job)
      metrics.jobEnded(job.name, 'succeeded')
      failing.delete(job.name)
    } catch (err) {
      metrics.jobEnded(job.name, 'failed')
      failing.add(job.name)
      log.error({ event: 'job_failed', err, job: job.name }, 'periodic job failed; it runs again at its next time')
    }
    watch.ended(job.name)
  })
  async function schedule({ name, everySeconds }: Pick<PeriodicJob, 'name' | 'everySeconds'>): Promise<void> {
    await agenda.every(`${everySeconds} seconds`, name)
  }
  for (const job of list) {
    const work = (run: Job) => keepingLock(run, timing.lockLifetimeMs / 3, () => flight.run(job))
    agenda.define(job.name, work, { lockLifetime: timing.lockLifetimeMs, concurrency: 1 })
  }
  await agenda.start()
  await agenda.cancel({ names: formerNames })
  for (const job of list) await schedule(job)
  poll.begin()

  const findMoved = jobsAfterMove(services, list, failing)
  const moves = singleFlight<'clock'>(async () => {
    for (const job of await findMoved()) void flight.run(job)
  })
  const channels = [...new Set(list.flatMap(({ on }) => on ?? []))]
  const unsubscribe = channels.map((channel) =>
    wake.on(channel, () => {
      for (const job of list.filter(({ on }) => on === channel)) void flight.run(job)
    }),
  )
  unsubscribe.push(wake.on('clock', () => void moves.run('clock')))
  return {
    problem: watch.problem,
    secondsSinceEnd: watch.secondsSinceEnd,
    async stop() {
      for (const off of unsubscribe) off()
      await agenda.stop(false)
      await moves.stop()
      await flight.stop()
      await settlesWithin(savingTimeoutMs, saved())
      await pool.end()
    },
  }
}

/** A job with a longer interval only deletes what has expired. */
const longestPromptSeconds = 60

/**
 * Returns a function that selects the jobs to run after the service's clock was moved: those that have work. One of a
 * long interval is selected at the first move, and when the clock has moved by its interval since then.
 */
function jobsAfterMove(
  { db, clock }: Services,
  jobs: readonly PeriodicJob[],
  failing: ReadonlySet<string>,
): () => Promise<PeriodicJob[]> {
  const selectedMs = new Map<string, number>()
  return async () => {
    try {
      await clock.sync()
      const nowMs = clock.now().getTime()
      const due = jobs.filter(({ name, everySeconds, hasWork }) => {
        const passedMs = Math.abs(nowMs - (selectedMs.get(name) ?? Number.NEGATIVE_INFINITY))
        return hasWork !== undefined || everySeconds <= longestPromptSeconds || passedMs >= everySeconds * 1000
      })
      const idle = await findJobsWithoutWork(db, due)
      const selected = due.filter(({ name }) => failing.has(name) || !idle.has(name))
      for (const { name } of selected) selectedMs.set(name, nowMs)
      return selected
    } catch {
      // Without an answer of the database all of them run, and fail by themselves.
      return [...jobs]
    }
  }
}

/**
 * Returns a function that resolves when no run is under way whose end agenda still has to save. A lock that is not
 * released keeps the job from every worker until it expires.
 */
function whenSaved(agenda: Agenda): () => Promise<void> {
  let unsaved = 0
  let resolveIdle: () => void = () => undefined
  agenda.on('start', () => {
    unsaved += 1
  })
  agenda.on('complete', () => {
    unsaved -= 1
    if (unsaved === 0) resolveIdle()
  })
  return () =>
    new Promise((resolve) => {
      resolveIdle = resolve
      if (unsaved === 0) resolve()
    })
}

function openPool({ log }: Services, databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: poolSize,
    application_name: 'msgctl jobs',
    connectionTimeoutMillis: 10_000,
    query_timeout: responseTimeoutMs,
    // Longer than a poll, or each would open its connections again.
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  })
  pool.on('error', (err) => log.warn({ event: 'job_connection_lost', err }, 'lost a connection of the periodic jobs'))
  return pool
}

/** Runs `work`, and renews the lock of its job while it lasts. */
async function keepingLock(job: Job, everyMs: number, work: () => Promise<void>): Promise<void> {
  let renewals = 0
  let renewed: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    renewals += 1
    if (renewals * everyMs > longestLockMs) return clearInterval(timer)
    // A renewal that fails is made up by the next; agenda judges the lock.
    renewed = job.touch().catch(() => undefined)
  }, everyMs)
  try {
    await work()
  } finally {
    clearInterval(timer)
    // Agenda frees the lock next, which a late renewal would take again.
    await renewed
  }
}
