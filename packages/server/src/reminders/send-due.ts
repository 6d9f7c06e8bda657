import { randomUUID } from 'node:crypto'
import { type ErrorCode, limits } from '@msgctl/contract'
import { crashPoint } from '../crash-points.ts'
import { transaction } from '../db/db.ts'
import { ApiError, apiError } from '../errors.ts'
import { enqueueTexts } from '../messages/queue/enqueue.ts'
import { renderTemplate } from '../messages/template.ts'
import { consumeTrialQuota } from '../messages/trial.ts'
import { type ChosenNumber, selectSender } from '../numbers/send-group/select-number.ts'
import { findEntitlement } from '../organizations/entitlement-store.ts'
import type { Services } from '../services.ts'
import { type ClaimedReminder, claimDue, lockClaimed, noteSent, writeMove } from './due-store.ts'
import { isMissed, nextMove, type ReminderOutcome } from './rules.ts'

const leaseMs = 120_000
const perTake = 40
/** Reminders of one take that are sent at the same time. */
const maxConcurrent = 4
/** A run ends in time for the next one; what is left over is still due then. */
const maxRunMs = 40_000

/** Failures that pass by themselves, or by somebody's help, within the hour. */
const passing: readonly ErrorCode[] = ['NO_SESSION_CONFIGURED', 'SERVICE_BUSY']

/**
 * Sends what is due (specification, "Reminder statuses"). Any number of processes may do it at once: each reminder is
 * held by one of them, and its message, its trial count and its next state are stored together.
 */
export async function sendDueReminders(services: Services): Promise<void> {
  const until = performance.now() + maxRunMs
  while (performance.now() < until) {
    const claimed = await claimDue(services.db, { token: randomUUID(), leaseMs, limit: perTake })
    if (claimed.length === 0) return
    crashPoint('reminder-due.taken')
    const left = claimed.values()
    await Promise.all(Array.from({ length: maxConcurrent }, () => sendEach(services, left)))
  }
}

async function sendEach(services: Services, claimed: Iterable<ClaimedReminder>): Promise<void> {
  for (const reminder of claimed) {
    try {
      await sendTaken(services, reminder)
    } catch (error) {
      // Nobody knows what was stored: the lease runs out, and the next to take it finds it as it really is.
      services.log.error({ err: error, reminderId: reminder.id }, 'a reminder could not be handled; it is tried again')
    }
  }
}

/** Sends one taken reminder and moves it on. Throws faults of ours; the reminder is processing then until its lease ends. */
export async function sendTaken(services: Services, reminder: ClaimedReminder): Promise<void> {
  if (isMissed(reminder, reminder.takenAt)) return moveOn(services, reminder, { is: 'missed' })
  const text = renderTemplate(reminder.message, reminder.variables)
  const fault = faultOf(text)
  if (fault) return moveOn(services, reminder, { is: 'refused', error: fault })
  try {
    await send(services, reminder, text)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return moveOn(services, reminder, outcomeOf(error))
  }
  services.wake.signal('lanes')
}

async function send(services: Services, reminder: ClaimedReminder, text: string): Promise<void> {
  const { db, clock } = services
  const { organizationId, phone } = reminder
  const standing = await findEntitlement(db, organizationId)
  if (!standing.allowed) throw apiError('PRODUCT_REQUIRED', 'Reminders need Notify, which is not active.')
  const number = await selectSender(db, { organizationId, containerId: null }, reminder.containerId ?? undefined, phone)
  await transaction(db, async (trx) => {
    if (!(await lockClaimed(trx, reminder))) return
    await consumeTrialQuota(trx, clock, { organizationId, trial: standing.trial }, 1)
    const [messageId = ''] = await enqueueTexts(trx, clock, [textOf(reminder, number, text)])
    await noteSent(trx, reminder, messageId)
    await writeMove(trx, reminder, nextMove(reminder, { is: 'sent' }, reminder.takenAt))
    crashPoint('reminder-due.before-commit')
  })
  crashPoint('reminder-due.committed')
}

function textOf({ id, organizationId, phone }: ClaimedReminder, number: ChosenNumber, text: string) {
  return {
    ...number,
    organizationId,
    type: 'alert',
    recipient: phone,
    text,
    priority: 'normal',
    clientReference: null,
    reminderId: id,
  } as const
}

/** Why no message can hold this text; null when one can. */
function faultOf(text: string): 'MESSAGE_EMPTY' | 'MESSAGE_TOO_LONG' | null {
  if (text.trim() === '') return 'MESSAGE_EMPTY'
  return text.length > limits.message ? 'MESSAGE_TOO_LONG' : null
}

async function moveOn({ db }: Services, reminder: ClaimedReminder, outcome: ReminderOutcome): Promise<void> {
  await transaction(db, async (trx) => {
    if (!(await lockClaimed(trx, reminder))) return
    await writeMove(trx, reminder, nextMove(reminder, outcome, reminder.takenAt))
  })
}

function outcomeOf({ code }: ApiError): ReminderOutcome {
  // The only thing that is looked up by an id here is the reminder's own number.
  if (code === 'NOT_FOUND') return { is: 'number_removed' }
  return { is: passing.includes(code) ? 'passing' : 'refused', error: code }
}
