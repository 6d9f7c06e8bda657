import type { ReminderStatus } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { endToEndFlows } from '#testing/end-to-end/end-to-end.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { claimDue } from './due-store.ts'
import { sendDueReminders } from './send-due.ts'

/** `npm run proof -- chaos` takes all thousand walks; otherwise as many as three seconds allow. */
const full = process.env.CHAOS === 'full'
// Without a worker, a due reminder keeps its state until a test sends it.
const server = await startTestServer({ worker: false })
await server.services.clock.freeze()
const organization = await makeOrganization(server)
await makeNumber(server, organization)
const { reminders } = server.client(organization)

/** `take` holds it as a worker does that dies then; `send` is the job, two hours late with `miss`. */
type Step = 'edit' | 'rearm' | 'cancel' | 'take' | 'send' | 'miss' | 'delete'
const steps: readonly Step[] = ['edit', 'rearm', 'cancel', 'take', 'send', 'miss', 'delete']

/**
 * Where each step leads one that does not repeat, written down from the specification ("Reminder statuses") and the
 * decisions on what it does not show; what is not here is forbidden.
 */
const specified: Readonly<Record<ReminderStatus, Readonly<Partial<Record<Step, ReminderStatus | 'gone'>>>>> = {
  scheduled: {
    edit: 'scheduled',
    rearm: 'scheduled',
    cancel: 'cancelled',
    take: 'processing',
    send: 'done',
    miss: 'failed',
    delete: 'gone',
  },
  processing: { send: 'done', miss: 'failed', delete: 'gone' },
  done: { rearm: 'scheduled', delete: 'gone' },
  failed: { rearm: 'scheduled', delete: 'gone' },
  cancelled: { rearm: 'scheduled', delete: 'gone' },
}
const leaseMs = 120_000

function inAMinute(): string {
  return new Date(server.services.clock.now().getTime() + 60_000).toISOString()
}

async function take(id: string, step: Step): Promise<void> {
  switch (step) {
    case 'edit':
      await reminders.update({ id, label: 'edited' })
      return
    case 'rearm':
      await reminders.update({ id, sendAt: inAMinute() })
      return
    case 'cancel':
      await reminders.cancel({ id })
      return
    case 'delete':
      await reminders.delete({ id })
      return
    case 'take':
      await server.advance(60)
      await claimDue(server.db, { token: crypto.randomUUID(), leaseMs, limit: 10 })
      return
    case 'send':
    case 'miss':
      // Past the lease, in case a process holds it.
      await server.advance(step === 'send' ? 180 : 7200)
      await sendDueReminders(server.services)
  }
}

async function stored(id: string) {
  const [found] = await rows<{ reminder: string; status: ReminderStatus; messages: number }>(
    server.db,
    `select r::text as reminder, status, (select count(*) from messages where reminder_id = r.id) as messages
       from reminders r where id = :id`,
    { id },
  )
  return found
}

const byPeople: readonly Step[] = ['edit', 'rearm', 'cancel']

async function walk(path: readonly Step[]): Promise<void> {
  const { reminder } = await reminders.create({ phone: '12025550100', message: 'walk', sendAt: inAMinute() })
  const { id } = reminder
  let status: ReminderStatus = reminder.status
  let messages = 0
  for (const step of path) {
    const next = specified[status][step]
    if (next === undefined) {
      const before = await stored(id)
      if (byPeople.includes(step)) {
        await expect(take(id, step)).rejects.toMatchObject({ code: 'FORBIDDEN_ACTION', details: { status } })
      } else if (step !== 'take' || status !== 'processing') await take(id, step)
      expect(await stored(id)).toEqual(before)
      continue
    }
    await take(id, step)
    const found = await stored(id)
    if (next === 'gone') {
      expect(found).toBeUndefined()
      return
    }
    if (step === 'send') messages += 1
    status = next
    expect(found).toMatchObject({ status, messages })
  }
  await rows(server.db, 'delete from reminders where id = :id', { id })
}

describe('the states of a reminder', () => {
  it('are left only by the moves of the tables; every other move is refused and changes nothing', async () => {
    const walks = fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 12 })
    const property = fc.asyncProperty(walks, endToEndFlows(full ? Number.POSITIVE_INFINITY : 3000, walk))
    await fc.assert(property, { numRuns: 1000 })
  }, 600_000)
})
