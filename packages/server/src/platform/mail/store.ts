import { anyRow } from '#platform/db/any-row.ts'
import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** A mail as it is stored; the subject and the text are encrypted. */
export interface NewMail {
  readonly id: string
  readonly organizationId: string | null
  readonly to: string
  readonly kind: string
  readonly sealedBody: string
}

/** Stores a mail that is due now, in the transaction of the change that it reports. */
export async function insertMail(trx: Db, mail: NewMail): Promise<void> {
  await rows(
    trx,
    `insert into mails (id, organization_id, to_email, kind, sealed_body, created_at, due_at)
     select :id, :organizationId, :to, :kind, :sealedBody, now, now from (select service_now() as now) t`,
    { ...mail },
  )
  afterCommit(trx, 'mail')
}

/** A mail whose next attempt belongs to this process until the lease expires. */
export interface ClaimedMail extends NewMail {
  /** Attempts, this one included. */
  readonly attempts: number
  readonly leaseUntil: Date
}

const isDue = `due_at <= (select service_now()) and (lease_until is null or lease_until <= (select service_now()))
           and (organization_id is null or ${notMoving('organization_id')})`
/** SQL condition: whether there are mails to send. */
export const hasDueMails = anyRow(`mails where ${isDue} order by due_at`)

/** Claims the mail that is due longest, or returns undefined. */
export async function claimMail(db: Db, leaseSeconds: number): Promise<ClaimedMail | undefined> {
  return firstRow<ClaimedMail>(
    db,
    `update mails set attempts = attempts + 1,
            lease_until = (select service_now()) + :leaseSeconds::int * interval '1 second'
      where id = (
        select id from mails
         where ${isDue}
         order by due_at, created_at, id limit 1 for update skip locked)
     returning id, organization_id, to_email as "to", kind, sealed_body, attempts, lease_until`,
    { leaseSeconds },
  )
}

/** The outcome of an attempt. With `dueInSeconds` the mail is tried again. */
export interface MailResult {
  readonly outcome: 'sent' | 'kept' | 'later' | 'failed'
  readonly dueInSeconds: number | null
  readonly error: string | null
}

/** Writes the outcome of a claimed mail. Its body is erased unless the mail is kept or tried again. */
export async function finishMail(db: Db, { id, leaseUntil }: ClaimedMail, result: MailResult): Promise<void> {
  await rows(
    db,
    `update mails set
            sealed_body = case when :outcome in ('kept', 'later') then sealed_body end,
            due_at = (select service_now()) + :dueInSeconds::int * interval '1 second',
            lease_until = null,
            sent_at = case when :outcome in ('sent', 'kept') then (select service_now()) end,
            failed_at = case when :outcome = 'failed' then (select service_now()) end,
            error = :error
      where id = :id and lease_until = :leaseUntil`,
    { id, leaseUntil, ...result },
  )
}

/** A mail of the local outbox. */
export interface KeptMail {
  readonly id: string
  readonly to: string
  readonly kind: string
  readonly sealedBody: string
  readonly createdAt: Date
}

/** Returns the mails whose text is still stored, newest first; with `to` those of one address. */
export async function listKeptMails(db: Db, to: string | null, limit: number): Promise<KeptMail[]> {
  return rows<KeptMail>(
    db,
    `select id, to_email as "to", kind, sealed_body, created_at from mails
      where sealed_body is not null and (:to::text is null or lower(to_email) = lower(:to))
      order by created_at desc, id desc limit :limit`,
    { to, limit },
  )
}

const keptDays = 30

/** Deletes up to `limit` mails that are older than 30 days. Returns how many there were. */
export async function deleteExpiredMails(db: Db, limit = 5000): Promise<number> {
  const deleted = await rows(
    db,
    `delete from mails where id in (
       select id from mails where created_at < (select service_now()) - :keptDays::int * interval '1 day' limit :limit)
     returning id`,
    { keptDays, limit },
  )
  return deleted.length
}

/** Deletes all mails to an address, also those that are due. */
export async function deleteMailsTo(trx: Db, email: string): Promise<void> {
  await rows(trx, 'delete from mails where lower(to_email) = lower(:email)', { email })
}

/** Gives up every mail that was not sent yet. Returns how many there were. */
export async function giveUpMails(trx: Db): Promise<number> {
  return trx('mails')
    .whereNotNull('dueAt')
    .update({
      dueAt: null,
      leaseUntil: null,
      sealedBody: null,
      failedAt: serviceNow(trx),
      error: 'The database was restored from a backup.',
    })
}
