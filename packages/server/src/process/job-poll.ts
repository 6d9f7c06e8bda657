import type { Services } from '../services.ts'
import { type JobReading, type JobTiming, readJobs, repairJobs, type ScheduledJob } from './job-store.ts'
import type { JobWatch } from './job-watch.ts'

/** What a poll works with. */
interface PollContext extends Pick<Services, 'db' | 'log'> {
  readonly jobs: readonly ScheduledJob[]
  readonly timing: JobTiming
  readonly watch: JobWatch
  /** Schedules a job with agenda. */
  readonly schedule: (job: ScheduledJob) => Promise<void>
}

/**
 * Polls the jobs for agenda, which queries each by itself: all queries within half of a poll's interval share one
 * statement. The database decides: times that a wrong clock wrote are put right, and a worker whose own clock is wrong is
 * given nothing to run.
 */
export function pollJobs(context: PollContext) {
  const { jobs, timing, watch, log } = context
  let latest: { readonly atMs: number; readonly due: Promise<Set<string>> } | undefined
  let isScheduled = false
  let failure = ''
  let complaint: string | null = null

  async function poll(): Promise<Set<string>> {
    try {
      const reading = await readJobs(context.db, jobs, timing)
      watch.take(reading)
      reportClock()
      const repaired = await repair(reading)
      failure = ''
      if (watch.wrongClock() !== null) return new Set()
      return new Set([...repaired, ...reading.jobs.filter(({ isDue }) => isDue).map(({ name }) => name)])
    } catch (err) {
      const kind = String((err as Partial<NodeJS.ErrnoException>).code ?? err)
      if (kind !== failure) log.warn({ event: 'job_poll_failed', err }, 'failed to poll the periodic jobs')
      failure = kind
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
