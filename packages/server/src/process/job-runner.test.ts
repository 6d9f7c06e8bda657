import { expect, it, onTestFinished } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { localWake } from '#platform/db/wake.ts'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { samplesOf } from '#testing/features/metrics.ts'
import { testServices } from '#testing/services.ts'
import { type JobOptions, startJobs } from './job-runner.ts'
import { jobsFor } from './jobs.ts'

const { db, url } = await testDatabase()
const services = await testServices({ services: { db, wake: localWake() } })

/** Starts a worker's jobs with one job of the test, which runs every hour. */
async function start(
  name: string,
  { hasWork, ...options }: JobOptions & { readonly run?: () => Promise<void>; readonly hasWork?: string } = {},
) {
  let runs = 0
  let readings = 0
  async function run() {
    runs += 1
    await options.run?.()
  }
  const running = await startJobs(services, url, {
    jobs: [{ name, everySeconds: 3600, run, ...(hasWork !== undefined && { hasWork }) }],
    pollEveryMs: 40,
    machineNow() {
      readings += 1
      return Date.now()
    },
    ...options,
  })
  onTestFinished(() => running.stop())
  const hasRun = (count: number) =>
    eventually(
      async () => runs,
      (seen) => seen >= count,
    )
  /** Each poll reads the clock twice. */
  return { ...running, hasRun, runs: () => runs, polls: () => readings / 2 }
}

const set = (name: string, assignments: string) =>
  rows(db, `update agenda_jobs set ${assignments} where name = :name`, { name })

/** Waits until agenda has saved the end of a run: what a test writes into the row before that would be overwritten. */
const isSaved = (name: string) =>
  eventually(
    () => rows(db, 'select 1 as one from agenda_jobs where name = :name and locked_at is null', { name }),
    (found) => found.length > 0,
  )

it.each([
  ['a next run', `next_run_at = now() + interval '3 days'`],
  ['a next run and a lock', `next_run_at = now() + interval '3 days', locked_at = now() + interval '2 hours'`],
  ['no next run', 'next_run_at = null'],
])('runs a job at once that a wrong clock left with %s', async (what, assignments) => {
  const name = `test ${what}`
  const worker = await start(name)
  await worker.hasRun(1)
  await isSaved(name)
  await set(name, `${assignments}, last_finished_at = now() + interval '3 days'`)
  await worker.hasRun(2)
  const [job] = await rows<{ right: boolean }>(
    db,
    `select next_run_at < now() + interval '61 minutes' as right from agenda_jobs where name = :name`,
    { name },
  )
  expect(job).toEqual({ right: true })
})

it.each([
  ['ahead', 7_200_000, /7200 s ahead of the database's/],
  ['behind', -7_200_000, /7200 s behind the database's/],
])('runs nothing on a machine whose clock is %s, until it is right again', async (side, difference, problem) => {
  let offset = difference
  let readings = 0
  const name = `test ${side}`
  const machineNow = () => {
    readings += 1
    return Date.now() + offset
  }
  const worker = await start(name, { machineNow })
  await eventually(
    async () => readings,
    (count) => count > 12,
  )
  expect(worker.runs()).toBe(0)
  expect(worker.problem()).toMatch(problem)
  offset = 0
  await worker.hasRun(1)
  expect(worker.problem()).toBeNull()
})

it('schedules a job again whose row is gone', async () => {
  const worker = await start('test gone')
  await worker.hasRun(1)
  await isSaved('test gone')
  await rows(db, `delete from agenda_jobs where name = 'test gone'`)
  await worker.hasRun(2)
})

it('runs a job only while it has something to do', async () => {
  await rows(db, 'create table test_work (id int)')
  const worker = await start('test of work', { hasWork: 'exists (select from test_work)' })
  const before = worker.polls()
  await eventually(
    async () => worker.polls(),
    (count) => count > before + 4,
  )
  expect(worker.runs()).toBe(0)
  expect(worker.problem()).toBeNull()
  await rows(db, 'insert into test_work values (1)')
  await worker.hasRun(1)
})

it('runs a job that failed again, although it has nothing to do', async () => {
  await rows(db, 'create table test_failing (id int)')
  await rows(db, 'insert into test_failing values (1)')
  const name = 'test of work that failed'
  const worker = await start(name, {
    hasWork: 'exists (select from test_failing)',
    run: async () => {
      const gone = await rows(db, 'delete from test_failing returning 1 as one')
      if (gone.length > 0) throw new Error('broken on purpose, after its work')
    },
  })
  await worker.hasRun(1)
  await isSaved(name)
  await set(name, 'next_run_at = now()')
  await worker.hasRun(2)
})

it('runs a job whose work cannot be read', async () => {
  const worker = await start('test of unreadable work', { hasWork: 'exists (select from no_such_table)' })
  await worker.hasRun(1)
})

it('keeps the lock of a job that takes longer than the lock lasts', async () => {
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  const worker = await start('test long', { lockLifetimeMs: 120, run: () => held })
  await worker.hasRun(1)
  const lock = () => rows<{ at: Date }>(db, `select locked_at as at from agenda_jobs where name = 'test long'`)
  const [first] = await lock()
  await eventually(lock, ([now]) => (now?.at ?? 0) > (first?.at ?? 0))
  expect(worker.runs()).toBe(1)
  end()
})

it('keeps a row for each job of the service, and none of the rounds of former releases', async () => {
  const own = jobsFor(services.config)
  await rows(db, `insert into agenda_jobs (name, type, next_run_at) values ('every 15 s', 'single', now())`)
  const running = await startJobs(services, url)
  await running.stop()
  const known = await rows<{ name: string }>(db, `select name from agenda_jobs where name not like 'test %'`)
  expect(known.map(({ name }) => name).sort()).toEqual(own.map(({ name }) => name).sort())
  expect([...running.secondsSinceEnd().keys()]).toEqual(own.map(({ name }) => name))
})

it('shows a job that fails in the metrics, until it succeeds', async () => {
  const name = 'test of failures'
  let isBroken = true
  const worker = await start(name, {
    run: async () => {
      if (isBroken) throw new Error('broken on purpose')
    },
  })
  const read = async () => samplesOf((await services.metrics.text()).body)
  const label = `{job="${name}"}`
  await eventually(read, (found) => found.has(`msgctl_job_last_failure_timestamp_seconds${label}`))
  expect((await read()).has(`msgctl_job_last_success_timestamp_seconds${label}`)).toBe(false)
  await isSaved(name)
  isBroken = false
  await set(name, 'next_run_at = now()')
  await worker.hasRun(2)
  const found = await eventually(read, (seen) => seen.has(`msgctl_job_last_success_timestamp_seconds${label}`))
  expect(found.get(`msgctl_job_runs_total{job="${name}",outcome="failed"}`)).toBe(1)
})

it('runs a job at each move of the clock, one of a long interval when it has moved by it', async () => {
  const runs = { short: 0, long: 0, idle: 0 }
  const job = (name: keyof typeof runs, everySeconds: number) => ({
    name,
    everySeconds,
    async run() {
      runs[name] += 1
    },
  })
  const jobs = [job('short', 60), job('long', 3600), { ...job('idle', 60), hasWork: 'false' }]
  const running = await startJobs(services, url, { jobs })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= running.stop()
    return stopped
  }
  onTestFinished(stop)
  const have = (after: { short: number; long: number }) =>
    eventually(
      async () => ({ ...runs }),
      ({ short, long }) => short >= after.short && long >= after.long,
    )
  async function move(seconds: number, after: { short: number; long: number }) {
    await services.clock.advance(seconds)
    services.wake.signal('clock')
    await have(after)
  }
  // Agenda runs a new job at once.
  await have({ short: 1, long: 1 })
  await move(10, { short: 2, long: 2 })
  await move(3590, { short: 3, long: 2 })
  await move(10, { short: 4, long: 3 })
  await stop()
  expect(runs).toEqual({ short: 4, long: 3, idle: 0 })
})
