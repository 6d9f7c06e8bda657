import { randomUUID } from 'node:crypto'
import { type ErrorCode, limits } from '@msgctl/contract'
import { findEntitlement } from '#api/access/entitlement-store.ts'
import { type ChosenNumber, selectQueue } from '#numbers/send-group/select-number.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { transaction } from '#platform/db/db.ts'
import { ApiError, apiError } from '#platform/errors.ts'
import { workOn } from '#platform/set-aside/work.ts'
import { enqueueTexts } from '#sending/messages/queue/enqueue.ts'
import { renderTemplate } from '#sending/messages/template.ts'
import { consumeTrialQuota } from '#sending/messages/trial.ts'
import type { Services } from '#services.ts'
import { type ClaimedReminder, claimDue, lockClaimed, noteSent, writeMove } from './due-store.ts'
import { isMissed, nextMove, type ReminderOutcome } from './rules.ts'

const leaseMs = 120_000
const perClaim = 40
/** Reminders of one claim that are sent concurrently. */
const maxConcurrent = 4
/** A run ends before the next one begins, which finds what is still due. */
const maxRunMs = 40_000

/** Failures that can end within the hour, so that a retry makes sense. */
const passing: readonly ErrorCode[] = ['NO_SESSION_CONFIGURED', 'SERVICE_BUSY']

/**
 * Sends due reminders (specification, "Reminder statuses"). Processes may do this concurrently: each reminder is leased
 * by one of them. Its message, its trial count and its next state are stored in one transaction.
 */
export async function sendDueReminders(services: Services): Promise<void> {
  const until = performance.now() + maxRunMs
  while (performance.now() < until) {
    const claimed = await claimDue(services.db, { token: randomUUID(), leaseMs, limit: perClaim })
    if (claimed.length === 0) return
    crashPoint('reminder-due.taken')
    await workOn(services, 'reminders', claimed, {
      async run(reminders) {
        const left = reminders.values()
        await Promise.all(Array.from({ length: maxConcurrent }, () => sendEach(services, left)))
      },
      setAside: (reminder) => moveOn(services, reminder, { is: 'set_aside' }),
    })
  }
}

async function sendEach(services: Services, claimed: Iterable<ClaimedReminder>): Promise<void> {
  for (const reminder of claimed) {
    try {
      await sendClaimed(services, reminder)
    } catch (error) {
      // Whether the transaction was committed is unknown. The next claim after the lease reads the actual state.
      services.log.error(
        { event: 'reminder_send_error', err: error, reminderId: reminder.id },
        'failed to send a reminder; it is retried after its lease',
      )
    }
  }
}

/** Sends one claimed reminder and moves it on. After an internal error it stays processing until its lease ends. */
export async function sendClaimed(services: Services, reminder: ClaimedReminder): Promise<void> {
  if (isMissed(reminder, reminder.claimedAt)) return moveOn(services, reminder, { is: 'missed' })
  const text = renderTemplate(reminder.message, reminder.variables)
  const fault = findFault(text)
  if (fault) return moveOn(services, reminder, { is: 'refused', error: fault })
  try {
    await send(services, reminder, text)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return moveOn(services, reminder, toOutcome(error))
  }
}

async function send(services: Services, reminder: ClaimedReminder, text: string): Promise<void> {
  const { db, clock } = services
  const { organizationId, phone } = reminder
  const entitlement = await findEntitlement(db, organizationId)
  if (!entitlement.allowed) throw apiError('PRODUCT_REQUIRED', 'Reminders need Notify, which is not active.')
  const number = await selectQueue(db, { organizationId, containerId: null }, reminder.containerId ?? undefined, phone)
  await transaction(db, async (trx) => {
    if (!(await lockClaimed(trx, reminder))) return
    await consumeTrialQuota(trx, clock, { organizationId, trial: entitlement.trial }, 1)
    const [messageId = ''] = await enqueueTexts(trx, clock, [toText(reminder, number, text)])
    await noteSent(trx, reminder, messageId)
    await writeMove(trx, reminder, nextMove(reminder, { is: 'sent' }, reminder.claimedAt))
    crashPoint('reminder-due.before-commit')
  })
  crashPoint('reminder-due.committed')
}

function toText({ id, organizationId, phone, clientReference }: ClaimedReminder, number: ChosenNumber, text: string) {
  return {
    ...number,
    organizationId,
    type: 'alert',
    recipient: phone,
    text,
    priority: 'normal',
    clientReference,
    reminderId: id,
  } as const
}

/** Returns why this text cannot be a message, or null. */
function findFault(text: string): 'MESSAGE_EMPTY' | 'MESSAGE_TOO_LONG' | null {
  if (text.trim() === '') return 'MESSAGE_EMPTY'
  return text.length > limits.message ? 'MESSAGE_TOO_LONG' : null
}

async function moveOn({ db }: Services, reminder: ClaimedReminder, outcome: ReminderOutcome): Promise<void> {
  await transaction(db, async (trx) => {
    if (!(await lockClaimed(trx, reminder))) return
    await writeMove(trx, reminder, nextMove(reminder, outcome, reminder.claimedAt))
  })
}

function toOutcome({ code }: ApiError): ReminderOutcome {
  // The number of the reminder is the only thing here that is read by its id.
  if (code === 'NOT_FOUND') return { is: 'number_removed' }
  return { is: passing.includes(code) ? 'passing' : 'refused', error: code }
}
