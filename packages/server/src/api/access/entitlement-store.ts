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
    `select o.deactivated_at is null and coalesce(bool_or(p.product = 'notify' and p.paused_at is null
              and (p.granted_at is not null or o.trial_ends_at > (select service_now()))), false) as allowed,
            count(p.granted_at) = 0 as trial
       from organizations o left join organization_products p on p.organization_id = o.id
      where o.id = :organizationId group by o.id`,
    { organizationId },
  )
  return found ?? { allowed: false, trial: false }
}
