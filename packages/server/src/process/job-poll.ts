import { withTimeout } from '@msgctl/network/timeout'
import type { Services } from '#services.ts'
import {
  findJobsWithoutWork,
  type JobReading,
  type JobTiming,
  readJobs,
  repairJobs,
  type ScheduledJob,
} from './job-store.ts'
import type { JobWatch } from './job-watch.ts'

/** What a poll works with. */
interface PollContext extends Pick<Services, 'db' | 'log'> {
  readonly jobs: readonly ScheduledJob[]
  readonly timing: JobTiming
  readonly watch: JobWatch
  /** Jobs whose last run in this process failed: they run again, whether they have work or not. */
  readonly failing: ReadonlySet<string>
  /** Schedules a job with agenda. */
  readonly schedule: (job: ScheduledJob) => Promise<void>
}

const workTimeoutMs = 5000

/**
 * Polls the jobs for agenda, which queries each by itself: all queries within half of a poll's interval share two
 * statements, for what is due and for what of it has work. The database decides: times that a wrong clock wrote are put
 * right, and a worker whose own clock is wrong is given nothing to run.
 */
export function pollJobs(context: PollContext) {
  const { jobs, timing, watch, log, failing } = context
  let latest: { readonly atMs: number; readonly due: Promise<Set<string>> } | undefined
  let isScheduled = false
  const pollFailures = logOnce(log, 'failed to poll the periodic jobs')
  const workFailures = logOnce(log, 'failed to read whether periodic jobs have work; all that are due run')
  let complaint: string | null = null

  async function poll(): Promise<Set<string>> {
    try {
      const reading = await readJobs(context.db, jobs, timing)
      const due = new Set(reading.jobs.filter(({ isDue }) => isDue).map(({ name }) => name))
      const withoutWork = await findWithoutWork(jobs.filter(({ name }) => due.has(name) && !failing.has(name)))
      watch.take(reading, withoutWork)
      reportClock()
      const repaired = await repair(reading)
      pollFailures.end()
      if (watch.wrongClock() !== null) return new Set()
      for (const name of withoutWork) due.delete(name)
      return new Set([...repaired, ...due])
    } catch (err) {
      pollFailures.add(err)
      return new Set()
    }
  }

  /**
   * Without an answer in time all of them count as having work: the job whose table is at fault then fails by itself.
   */
  async function findWithoutWork(due: readonly ScheduledJob[]): Promise<ReadonlySet<string>> {
    try {
      const found = await withTimeout(workTimeoutMs, findJobsWithoutWork(context.db, due), () => new Error('no answer'))
      workFailures.end()
      return found
    } catch (err) {
      workFailures.add(err)
      return new Set()
    }
  }

  async function repair(reading: JobReading): Promise<string[]> {
    const missing = new Set(reading.jobs.filter(({ isKnown }) => !isKnown).map(({ name }) => name))
    if (isScheduled) for (const job of jobs) if (missing.has(job.name)) await context.schedule(job)
    if (!reading.jobs.some(({ isWrong }) => isWrong)) return []
    const repaired = await repairJobs(context.db, jobs)
    if (repaired.length > 0)
      log.warn(
        { event: 'job_times_repaired', jobs: repaired },
        'repaired times of periodic jobs that a wrong clock wrote',
      )
    return repaired
  }

  function reportClock(): void {
    const wrong = watch.wrongClock()
    if (wrong !== null && complaint === null) log.error({ event: 'job_clock_wrong' }, wrong)
    if (wrong === null && complaint !== null)
      log.info(
        { event: 'job_clock_right' },
        "the clock of this machine agrees with the database's again; periodic jobs run",
      )
    complaint = wrong
  }

  return {
    /** Returns the jobs that agenda may lock now. */
    dueJobs(): Promise<Set<string>> {
      const atMs = performance.now()
      if (!latest || atMs - latest.atMs > timing.pollEveryMs / 2) latest = { atMs, due: poll() }
      return latest.due
    },
    /** Call it when every job has been scheduled: one that is missing from then on is scheduled again. */
    begin(): void {
      isScheduled = true
    },
  }
}

/** Logs failures of one kind, each that differs from the one before. */
function logOnce(log: Services['log'], message: string) {
  let last = ''
  return {
    add(err: unknown): void {
      const kind = String((err as Partial<NodeJS.ErrnoException>).code ?? err)
      if (kind !== last) log.warn({ event: 'job_poll_failed', err }, message)
      last = kind
    },
    /** Call it when it did not fail. */
    end(): void {
      last = ''
    },
  }
}
