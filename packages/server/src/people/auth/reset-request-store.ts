import { type Db, firstRow, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** A request for a link that sets a new password, by anyone. */
export interface ResetRequest {
  readonly email: string
  readonly ip: string
}

/** Stores a request. The address is looked up later, so that the response takes the same time for each. */
export async function insertResetRequest(db: Db, { email, ip }: ResetRequest): Promise<void> {
  await rows(db, 'insert into reset_requests (email, ip, created_at) values (:email, :ip, service_now())', {
    email,
    ip,
  })
  afterCommit(db, 'mail')
}

/** SQL condition: whether there are requests. */
export const hasResetRequests = 'exists (select from reset_requests)'

/** Returns the ids of up to `limit` requests, the oldest first. */
export async function listResetRequests(db: Db, limit: number): Promise<number[]> {
  const found = await rows<{ id: number }>(db, 'select id from reset_requests order by id limit :limit', { limit })
  return found.map(({ id }) => id)
}

/** Deletes and returns a request, unless another process has it. */
export async function takeResetRequest(trx: Db, id: number): Promise<ResetRequest | undefined> {
  return firstRow<ResetRequest>(
    trx,
    `delete from reset_requests where id in (
       select id from reset_requests where id = :id for update skip locked) returning email, ip`,
    { id },
  )
}

/** Deletes the requests for an address. */
export async function deleteResetRequests(trx: Db, email: string): Promise<void> {
  await rows(trx, 'delete from reset_requests where lower(email) = lower(:email)', { email })
}

/** Deletes all requests. */
export async function deleteAllResetRequests(trx: Db): Promise<void> {
  await trx('reset_requests').delete()
}
