import { signsInTime } from '#events/webhook/delivery/wrong-clock.ts'
import { describeWrongClock } from '#platform/db/clock.ts'
import type { JobReading, ScheduledJob } from './job-store.ts'

/** A job is overdue when it has not ended for this many of its intervals. */
const overdueIntervals = 3

/** What a worker knows of the periodic jobs of the service. */
export interface JobWatch {
  /** Takes what a poll found, and which jobs had nothing to do. */
  take(reading: JobReading, withoutWork?: ReadonlySet<string>): void
  /** Notes that a job ended in this process. */
  ended(name: string): void
  /** Returns why this worker runs no periodic jobs, or null: its clock differs from the database's. */
  wrongClock(): string | null
  /** Returns why the worker is not ready, or null. */
  problem(): string | null
  /**
   * Returns for each job the seconds since it last ended in any worker, or since a poll last found nothing for it to
   * do. If neither has happened yet, since this worker started.
   */
  secondsSinceEnd(): ReadonlyMap<string, number>
}

/** Watches `jobs`. `elapsedMs` counts from any fixed moment (default: performance.now). */
export function watchJobs(jobs: readonly ScheduledJob[], elapsedMs = () => performance.now()): JobWatch {
  const startedMs = elapsedMs()
  const endedMs = new Map<string, number>()
  let locked = new Set<string>()
  let aheadMs = 0

  function wrongClock(): string | null {
    const wrong = describeWrongClock(aheadMs)
    if (wrong === null) return null
    const stops = signsInTime(aheadMs) ? '' : ' and delivers no webhooks'
    return `${wrong}: set it right. Until then this worker runs no periodic jobs${stops}.`
  }

  function overdue(): string | null {
    const late = jobs.filter(({ name, everySeconds }) => {
      // A worker can only judge the time that it has seen.
      const sinceMs = elapsedMs() - Math.max(endedMs.get(name) ?? startedMs, startedMs)
      return !locked.has(name) && sinceMs > overdueIntervals * everySeconds * 1000
    })
    if (late.length === 0) return null
    return `Periodic jobs have not ended for ${overdueIntervals} intervals: ${late.map(({ name }) => name).join(', ')}.`
  }

  return {
    take(reading, withoutWork = new Set()) {
      aheadMs = reading.aheadMs
      locked = new Set(reading.jobs.filter(({ isLocked }) => isLocked).map(({ name }) => name))
      for (const { name, secondsSinceEnd } of reading.jobs) {
        const sinceEnd = withoutWork.has(name) ? 0 : secondsSinceEnd
        if (sinceEnd === null) continue
        // A job whose work has just begun ended long ago by its row, and had nothing to do since.
        endedMs.set(name, Math.max(endedMs.get(name) ?? Number.NEGATIVE_INFINITY, elapsedMs() - sinceEnd * 1000))
      }
    },
    ended(name) {
      endedMs.set(name, elapsedMs())
    },
    wrongClock,
    problem: () => wrongClock() ?? overdue(),
    secondsSinceEnd: () =>
      new Map(jobs.map(({ name }) => [name, (elapsedMs() - (endedMs.get(name) ?? startedMs)) / 1000])),
  }
}
