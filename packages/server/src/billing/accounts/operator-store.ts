import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** Lets the service read the provider again for one organization, or for all. Returns for how many. */
export async function wantReading(db: Db, organizationId: string | null): Promise<number> {
  const wanted = await rows(
    db,
    `update billing_accounts set wanted = wanted + 1, due_at = (select service_now())
      where customer_id is not null and (:organizationId::uuid is null or organization_id = :organizationId)
     returning organization_id`,
    { organizationId },
  )
  afterCommit(db, 'billing')
  return wanted.length
}

/** Returns the organization of a customer of the provider. */
export async function organizationOfCustomer(db: Db, customerId: string): Promise<string | undefined> {
  const row = await db('billing_accounts').where({ customerId }).first('organizationId')
  return row?.organizationId
}
