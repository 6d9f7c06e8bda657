import type { BillingPeriod, BillingStatus, NumberStatus, Product } from '@msgctl/contract'
import { extraNumbers } from '#numbers/records/store.ts'
import { type Db, rows } from '#platform/db/db.ts'

/** An organization with what the staff sees of it, without its products' states. */
export interface AdminRow {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly state: 'active' | 'deactivated' | 'deleted'
  readonly deactivatedReason: string | null
  readonly platformAdmin: boolean
  readonly protected: boolean
  /** Null when the owner of a deleted organization deleted their account. */
  readonly ownerId: string | null
  readonly ownerName: string | null
  readonly ownerEmail: string | null
  readonly members: number
  readonly country: string | null
  /** The active products. */
  readonly products: Product[]
  readonly trial: boolean
  readonly trialEndsAt: Date | null
  readonly extra: number
  readonly extraExpiresAt: Date | null
  readonly numbers: number
  readonly aiAllowanceUsd: number | null
  readonly aiUsedMicroUsd: number
  readonly billingStatus: BillingStatus
  readonly period: BillingPeriod | null
  readonly currentPeriodEnd: Date | null
  readonly amount: number | null
  readonly currency: string | null
  readonly customerId: string | null
}

/** SQL: the rows of the organizations of `page`, which has their ids. */
const rowsOfPage = `
  select o.id, o.name, o.created_at, o.deactivated_reason, o.platform_admin_at is not null as platform_admin,
         case when o.deleted_at is not null then 'deleted' when o.deactivated_at is not null then 'deactivated'
              else 'active' end as state,
         o.protected_at is not null as protected, u.id as owner_id, u.name as owner_name, u.email as owner_email,
         (select count(*) from members c where c.organization_id = o.id) as members, o.country,
         e.products, e.trial, o.trial_ends_at, held.extra, held.extra_expires_at,
         (select count(*) from numbers n where n.organization_id = o.id) as numbers, o.ai_allowance_usd,
         coalesce(a.used_micro_usd + a.reserved_micro_usd, 0) as ai_used_micro_usd,
         coalesce(b.status, 'none') as billing_status, b.period, b.current_period_end, b.amount, b.currency,
         b.customer_id
    from page join organizations o on o.id = page.id
    join entitlements e on e.organization_id = o.id
   cross join lateral (${extraNumbers}) held
    left join members m on m.organization_id = o.id and m.role = 'owner'
    left join users u on u.id = m.user_id
    left join billing_accounts b on b.organization_id = o.id
    left join ai_usage a on a.organization_id = o.id and a.period = case when e.trial then 'trial' else :month end
   order by o.created_at desc, o.id desc`

/** Which organizations are listed. Null filters nothing. */
export interface AdminFilter {
  readonly search: string | null
  readonly state: AdminRow['state'] | null
  readonly billing: BillingStatus | null
  readonly product: Product | null
  /** Only organizations after the one with this id. */
  readonly after: string | null
  readonly limit: number
}

/** Returns organizations of all tenants, newest first. `month` is the present period of the AI allowance. */
export async function listAdminRows(db: Db, month: string, filter: AdminFilter): Promise<AdminRow[]> {
  const part = filter.search === null ? null : `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`
  return rows<AdminRow>(
    db,
    `with page as materialized (
       select o.id from organizations o
         left join members m on m.organization_id = o.id and m.role = 'owner'
         left join users u on u.id = m.user_id
         left join billing_accounts b on b.organization_id = o.id
        where (:search::text is null or o.name ilike :part or u.email ilike :part or o.id::text = lower(:search))
          and (:state::text is null or :state = case when o.deleted_at is not null then 'deleted'
                                                     when o.deactivated_at is not null then 'deactivated'
                                                     else 'active' end)
          and (:billing::text is null or coalesce(b.status, 'none') = :billing)
          and (:product::text is null or exists (
                select from entitlements e where e.organization_id = o.id and :product = any(e.products)))
          and (:after::uuid is null
               or (o.created_at, o.id) < (select created_at, id from organizations where id = :after::uuid))
        order by o.created_at desc, o.id desc limit :limit
     ) ${rowsOfPage}`,
    { ...filter, part, month },
  )
}

/** Returns one organization, or undefined. */
export async function findAdminRow(db: Db, month: string, organizationId: string): Promise<AdminRow | undefined> {
  const [found] = await rows<AdminRow>(db, `with page as (select :organizationId::uuid as id) ${rowsOfPage}`, {
    organizationId,
    month,
  })
  return found
}

/** Returns how many numbers of an organization have each status. */
export async function countStatuses(
  db: Db,
  organizationId: string,
): Promise<{ readonly status: NumberStatus; readonly count: number }[]> {
  return rows<{ status: NumberStatus; count: number }>(
    db,
    'select status, count(*) from numbers where organization_id = :organizationId group by status',
    { organizationId },
  )
}
