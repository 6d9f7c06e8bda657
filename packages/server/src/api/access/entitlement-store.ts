import { type Db, rows } from '#platform/db/db.ts'

/** Whether an organization may send without a request now, as campaigns and reminders do. */
export interface Entitlement {
  /** It is not deactivated, and Notify is active. */
  readonly allowed: boolean
  /** It holds no granted product: its messages count against the trial. */
  readonly trial: boolean
}

/** Returns what the products of an organization allow now. */
export async function findEntitlement(db: Db, organizationId: string): Promise<Entitlement> {
  const [found] = await rows<Entitlement>(
    db,
    `select deactivated_at is null and 'notify' = any(products) as allowed, trial from entitlements
      where organization_id = :organizationId`,
    { organizationId },
  )
  return found ?? { allowed: false, trial: false }
}
