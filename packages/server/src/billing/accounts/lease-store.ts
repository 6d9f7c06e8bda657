import { type Db, rows } from '#platform/db/db.ts'

/** Takes the lease of an account for `seconds`. Returns false while another call has it. */
export async function takeLease(db: Db, organizationId: string, token: string, seconds: number): Promise<boolean> {
  const taken = await rows(
    db,
    `update billing_accounts set lease_token = :token,
            lease_until = (select service_now()) + :seconds::int * interval '1 second'
      where organization_id = :organizationId and (lease_until is null or lease_until <= (select service_now()))
     returning organization_id`,
    { organizationId, token, seconds },
  )
  return taken.length > 0
}

/** Prolongs a lease. Returns false when another call has it by now. */
export async function renewLease(db: Db, organizationId: string, token: string, seconds: number): Promise<boolean> {
  const renewed = await rows(
    db,
    `update billing_accounts set lease_until = (select service_now()) + :seconds::int * interval '1 second'
      where organization_id = :organizationId and lease_token = :token returning organization_id`,
    { organizationId, token, seconds },
  )
  return renewed.length > 0
}

/** Ends a lease. */
export async function dropLease(db: Db, organizationId: string, token: string): Promise<void> {
  await rows(
    db,
    `update billing_accounts set lease_token = null, lease_until = null
      where organization_id = :organizationId and lease_token = :token`,
    { organizationId, token },
  )
}
