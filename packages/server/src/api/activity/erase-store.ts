import { type Db, rows } from '#platform/db/db.ts'
import { purging } from '#platform/db/session.ts'

/** Allows this transaction to delete and change rows of the log, which is append-only otherwise. */
export async function allowPurge(trx: Db): Promise<void> {
  await rows(trx, purging)
}

/** Removes the address of a deleted person from the log. Their id stays. */
export async function eraseEmail(trx: Db, email: string): Promise<void> {
  await allowPurge(trx)
  await rows(
    trx,
    `update activity_log set details = details - 'email'
      where details ->> 'email' is not null and lower(details ->> 'email') = lower(:email)`,
    { email },
  )
}
