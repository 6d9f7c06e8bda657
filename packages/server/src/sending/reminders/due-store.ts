import type { Repeat } from '@msgctl/contract'
import { anyRow } from '#platform/db/any-row.ts'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import type { Processed, ReminderMove } from './rules.ts'

/** A due reminder that this job holds until its lease ends or another token replaces its own. */
export interface ClaimedReminder extends Processed {
  readonly id: string
  readonly organizationId: string
  readonly containerId: string | null
  readonly phone: string
  readonly message: string
  readonly variables: Readonly<Record<string, string>>
  readonly repeat: Repeat
  readonly clientReference: string | null
  readonly scheduleVersion: number
  readonly token: string
  /** The service time of the claim. */
  readonly claimedAt: Date
}

const isDue = `status in ('scheduled', 'processing') and due_at <= (select service_now())
  and ${notMoving('organization_id')}`
/** SQL condition: whether there are reminders to send. */
export const hasDueReminders = anyRow(`reminders where ${isDue} order by due_at`)

/**
 * Claims due reminders of all tenants, the earliest first, and those whose lease has ended. They become processing, and
 * no other process claims them before the lease ends.
 */
export async function claimDue(
  db: Db,
  options: { readonly token: string; readonly leaseMs: number; readonly limit: number },
): Promise<ClaimedReminder[]> {
  const { token } = options
  const claimed = await rows<Omit<ClaimedReminder, 'token'>>(
    db,
    `with due as (
       select id from reminders
        where ${isDue}
        order by due_at limit :limit for update skip locked
     )
     update reminders r
        set status = 'processing', lease_token = :token, updated_at = (select service_now()),
            due_at = (select service_now()) + :leaseMs * interval '1 millisecond'
       from due where r.id = due.id
     returning r.id, r.organization_id, r.container_id, r.phone, r.message, r.variables, r.client_reference, r.repeat,
               r.time_zone, r.send_at, r.first_send_at, r.failed_tries, r.failed_repeats, r.schedule_version,
               r.updated_at as claimed_at`,
    { ...options },
  )
  return claimed.map((reminder) => ({ ...reminder, token }))
}

/** Locks a claimed reminder. Returns false when it was deleted, or when another process holds the lease. */
export async function lockClaimed(trx: Db, { id, organizationId, token }: ClaimedReminder): Promise<boolean> {
  const locked = await trx('reminders')
    .select('id')
    .where({ organizationId, id, leaseToken: token, status: 'processing' })
    .forUpdate()
  return locked.length > 0
}

/** Writes the move of a locked reminder out of processing. */
export async function writeMove(trx: Db, { id, organizationId }: ClaimedReminder, move: ReminderMove): Promise<void> {
  await trx('reminders')
    .where({ organizationId, id })
    .update({
      status: move.to,
      sendAt: move.sendAt,
      dueAt: move.dueAt,
      failedTries: move.failedTries,
      failedRepeats: move.failedRepeats,
      lastError: move.lastError,
      leaseToken: null,
      updatedAt: serviceNow(trx),
    })
}

/**
 * Records the message of an occurrence. A second message for the same occurrence violates the primary key, which rolls
 * back the transaction that queued it.
 */
export async function noteSent(
  trx: Db,
  { id, organizationId, scheduleVersion, sendAt }: ClaimedReminder,
  messageId: string,
): Promise<void> {
  await rows(
    trx,
    `with noted as (
       insert into reminder_sends (reminder_id, schedule_version, occurrence_at, message_id)
       values (:id, :scheduleVersion, :sendAt, :messageId)
     )
     update reminders
        set send_count = send_count + 1, last_sent_at = (select service_now()), last_message_id = :messageId
      where organization_id = :organizationId and id = :id`,
    { id, organizationId, scheduleVersion, sendAt, messageId },
  )
}

/** Ends the leases of all claimed reminders, of all organizations. */
export async function makeClaimedDue(trx: Db): Promise<void> {
  await rows(trx, `update reminders set due_at = (select service_now()) where status = 'processing'`)
}
