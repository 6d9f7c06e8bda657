import { hostname } from 'node:os'
import { PostgresBackend } from '@agendajs/postgres-backend'
import { Agenda } from 'agenda'
import pg from 'pg'
import { forgetOldSignIns } from '../auth/store.ts'
import { foldCampaignCounts } from '../campaigns/count-store.ts'
import { tendCampaigns } from '../campaigns/tend.ts'
import { foldChats } from '../chats/fold.ts'
import { purgeEvents } from '../events/purge.ts'
import { forgetOldKeys } from '../idempotency/key-store.ts'
import { sweepChanges } from '../inbound/change.ts'
import { forgetOrphans } from '../inbound/forget-store.ts'
import { importHistories } from '../inbound/import.ts'
import { foldCounts } from '../messages/history/counter-store.ts'
import { packHistories } from '../messages/history/packing.ts'
import { reapMessages, sweepQueue } from '../messages/queue/sweep.ts'
import { forgetOldVotes } from '../messages/receipts/poll-vote-store.ts'
import { forgetOldHistory } from '../numbers/history-store.ts'
import { sweepNumbers } from '../numbers/sweep.ts'
import { forgetOldOtps } from '../otp/store.ts'
import { forgetOldChecks } from '../recipients/check-store.ts'
import { sendDueReminders } from '../reminders/send-due.ts'
import type { Services } from '../services.ts'

/** One periodic job: idempotent, done well within a minute, catching up from the data. */
interface PeriodicJob {
  readonly name: string
  readonly everySeconds: number
  /** What it need not wait for its interval after. */
  readonly on?: 'imports'
  run(services: Services): Promise<void>
}

/** Every periodic job of the service. Any number of workers may run at once; each interval one of them does it. */
const jobs: readonly PeriodicJob[] = [
  { name: 'messages.reap', everySeconds: 15, run: reapMessages },
  { name: 'messages.sweep', everySeconds: 60, run: sweepQueue },
  { name: 'messages.count', everySeconds: 15, run: ({ db }) => untilNone(() => foldCounts(db, 10_000)) },
  { name: 'messages.pack', everySeconds: 60, run: packHistories },
  { name: 'numbers.sweep', everySeconds: 60, run: sweepNumbers },
  { name: 'number-history.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOldHistory(db)) },
  { name: 'reminders.send', everySeconds: 30, run: sendDueReminders },
  { name: 'campaigns.tend', everySeconds: 60, run: tendCampaigns },
  { name: 'campaigns.count', everySeconds: 15, run: ({ db }) => untilNone(() => foldCampaignCounts(db, 10_000)) },
  { name: 'chats.fold', everySeconds: 15, run: ({ db }) => untilNone(() => foldChats(db)) },
  { name: 'chats.change', everySeconds: 60, run: sweepChanges },
  { name: 'chats.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOrphans(db)) },
  { name: 'chats.import', everySeconds: 60, on: 'imports', run: importHistories },
  { name: 'idempotency.forget', everySeconds: 600, run: ({ db }) => untilNone(() => forgetOldKeys(db)) },
  { name: 'sign-ins.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOldSignIns(db)) },
  { name: 'events.purge', everySeconds: 600, run: purgeEvents },
  { name: 'votes.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOldVotes(db)) },
  { name: 'otp.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOldOtps(db)) },
  { name: 'checks.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOldChecks(db)) },
]

async function untilNone(some: () => Promise<number>): Promise<void> {
  while ((await some()) > 0);
}

/**
 * The jobs in rounds: those of one interval begin together. Agenda asks for each of its own jobs and writes thrice for each
 * run; one for each of ours was half of what an idle service asked of its database. A job that takes long is alone, so that
 * the others of its interval do not wait for its end.
 */
function rounds(): Map<string, PeriodicJob[]> {
  const byName = new Map<string, PeriodicJob[]>()
  for (const job of jobs) {
    const name = job.on ? job.name : `every ${job.everySeconds} s`
    byName.set(name, [...(byName.get(name) ?? []), job])
  }
  return byName
}

/** A round that died with its process is free again after this long. */
const lockLifetimeMs = 60_000
/** Agenda asks for what is due until it asks again: jobs run at their time, as long as none comes more often. */
const lookEveryMs = 15_000

/**
 * Runs the periodic jobs by agenda, and all of them at once when somebody moves the service's clock: agenda counts the
 * machine's time. The answer stops them and waits for what runs.
 */
export async function startJobs(services: Services, databaseUrl: string): Promise<{ stop(): Promise<void> }> {
  const { log } = services
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 4,
    application_name: 'msgctl jobs',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'a connection of the periodic jobs was lost'))
  const backend = new PostgresBackend({
    pool,
    tableName: 'agenda_jobs',
    // Created by our migrations: processes that start together and each create it fail.
    ensureSchema: false,
    disableNotifications: true,
  })
  const agenda = new Agenda({
    name: `${hostname()}:${process.pid}`,
    backend,
    processEvery: lookEveryMs,
    defaultConcurrency: 1,
    removeOnComplete: true,
  })
  agenda.on('error', (error: Error) => log.warn({ err: error }, 'the periodic jobs could not be looked at'))

  let stopping = false
  const running = new Map<PeriodicJob, { again: boolean; readonly work: Promise<void> }>()
  async function run(job: PeriodicJob): Promise<void> {
    try {
      await job.run(services)
    } catch (error) {
      log.error({ err: error, job: job.name }, 'a periodic job failed; it runs again at its next time')
    }
  }
  /** One at a time of each: who asks while it runs is served by one more run after it, however many they are. */
  function inTurn(job: PeriodicJob): Promise<void> {
    const before = running.get(job)
    if (before) before.again = true
    const turn = before ?? { again: false, work: runWhileAsked(job) }
    running.set(job, turn)
    return turn.work
  }
  async function runWhileAsked(job: PeriodicJob): Promise<void> {
    for (;;) {
      await run(job)
      const turn = running.get(job)
      if (!turn?.again || stopping) break
      turn.again = false
    }
    running.delete(job)
  }
  const round = rounds()
  for (const [name, group] of round) {
    const work = async () => void (await Promise.all(group.map(inTurn)))
    agenda.define(name, work, { lockLifetime: lockLifetimeMs, concurrency: 1 })
  }
  await agenda.start()
  for (const [name, [first]] of round) await agenda.every(`${first?.everySeconds} seconds`, name)

  const unsubscribe = (['clock', 'imports'] as const).map((channel) =>
    services.wake.on(channel, () => {
      for (const job of jobs.filter(({ on }) => channel === 'clock' || on === channel)) void inTurn(job)
    }),
  )
  return {
    async stop() {
      stopping = true
      for (const off of unsubscribe) off()
      await agenda.stop(false)
      await Promise.allSettled([...running.values()].map(({ work }) => work))
      await pool.end()
    },
  }
}
