import { type Db, rows } from '#platform/db/db.ts'

// agenda keeps real time, never the service time that tests and the simulator move: this file reads the real one.

/** How far a time of agenda may be off before it is wrong: clocks of workers differ by a few seconds. */
const slack = "interval '10 seconds'"

/** A job as it is scheduled: its name in agenda, its interval, and the SQL condition whether it has something to do. */
export interface ScheduledJob {
  readonly name: string
  readonly everySeconds: number
  readonly hasWork?: string
}

/** How one job stands, by the database's real time. */
export interface JobStanding {
  readonly name: string
  /** Whether agenda knows the job. */
  readonly isKnown: boolean
  /** Whether it may be locked to run before the next poll. */
  readonly isDue: boolean
  /** Whether a worker holds its lock. */
  readonly isLocked: boolean
  /** Whether one of its times lies where no clock that is right can have put it. */
  readonly isWrong: boolean
  /** Null before it first ended. */
  readonly secondsSinceEnd: number | null
}

/** What a poll found. */
export interface JobReading {
  readonly jobs: readonly JobStanding[]
  /** How far the clock of this machine is ahead of the database's at least; negative when it is behind. */
  readonly aheadMs: number
}

/** How agenda is set up. */
export interface JobTiming {
  readonly pollEveryMs: number
  readonly lockLifetimeMs: number
  /** The clock of this machine, by which agenda counts (default: Date.now). */
  readonly machineNow?: () => number
}

const wrongTimes = `(
  j.next_run_at is null or j.next_run_at > clock.now + known.every_seconds * interval '1 second' + ${slack}
  or j.locked_at > clock.now + ${slack} or j.last_finished_at > clock.now + ${slack})`
const knownJobs = 'unnest(:names::text[], :everySeconds::int[]) as known(name, every_seconds)'
const realTime = '(select statement_timestamp() as now) clock'

/** Reads how the jobs stand, and compares the clock of this machine with the database's. One statement a poll. */
export async function readJobs(db: Db, jobs: readonly ScheduledJob[], timing: JobTiming): Promise<JobReading> {
  const { machineNow = Date.now, pollEveryMs, lockLifetimeMs } = timing
  const beforeMs = machineNow()
  const found = await rows<JobStanding & { databaseMs: number }>(
    db,
    `select known.name, j.name is not null as is_known, coalesce(${wrongTimes}, false) as is_wrong,
            coalesce((j.locked_at is null
                  and j.next_run_at <= clock.now + :pollEveryMs * interval '1 millisecond' + ${slack})
              or j.locked_at <= clock.now - :lockLifetimeMs * interval '1 millisecond' + ${slack}, false) as is_due,
            coalesce(j.locked_at > clock.now - :lockLifetimeMs * interval '1 millisecond', false) as is_locked,
            greatest(0, extract(epoch from clock.now - j.last_finished_at))::float8 as seconds_since_end,
            (extract(epoch from clock.now) * 1000)::float8 as database_ms
       from ${realTime} cross join ${knownJobs}
       left join agenda_jobs j on j.name = known.name and j.type = 'single'`,
    { ...bindings(jobs), pollEveryMs, lockLifetimeMs },
  )
  const databaseMs = found[0]?.databaseMs ?? beforeMs
  return { jobs: found, aheadMs: differenceMs(databaseMs, beforeMs, machineNow()) }
}

/** Returns the names of those jobs that have nothing to do. One statement, without any condition none. */
export async function findJobsWithoutWork(db: Db, jobs: readonly ScheduledJob[]): Promise<Set<string>> {
  const judged = jobs.filter(({ hasWork }) => hasWork !== undefined)
  if (judged.length === 0) return new Set()
  const conditions = judged.map(({ name, hasWork }) => `when '${name}' then ${hasWork}`)
  const idle = await rows<{ name: string }>(
    db,
    `select name from unnest(:names::text[]) as known(name) where not case name ${conditions.join(' ')} end`,
    { names: judged.map(({ name }) => name) },
  )
  return new Set(idle.map(({ name }) => name))
}

/** Makes jobs with wrong times run now, and returns their names. */
export async function repairJobs(db: Db, jobs: readonly ScheduledJob[]): Promise<string[]> {
  const repaired = await rows<{ name: string }>(
    db,
    `update agenda_jobs j
        set next_run_at = case when j.next_run_at <= clock.now + known.every_seconds * interval '1 second' + ${slack}
                               then j.next_run_at else clock.now end,
            locked_at = case when j.locked_at <= clock.now + ${slack} then j.locked_at end,
            last_finished_at = least(j.last_finished_at, clock.now)
       from ${realTime} cross join ${knownJobs}
      where j.name = known.name and j.type = 'single' and ${wrongTimes}
     returning j.name`,
    bindings(jobs),
  )
  return repaired.map(({ name }) => name).sort()
}

function bindings(jobs: readonly ScheduledJob[]) {
  return { names: jobs.map(({ name }) => name), everySeconds: jobs.map(({ everySeconds }) => everySeconds) }
}

/** The database's time was read between two times of the machine: returns how far it lies outside of them. */
function differenceMs(databaseMs: number, beforeMs: number, afterMs: number): number {
  if (beforeMs > databaseMs) return beforeMs - databaseMs
  return afterMs < databaseMs ? afterMs - databaseMs : 0
}
