import type { Product } from '@msgctl/contract'
import { type Db, firstRow, rows } from '#platform/db/db.ts'

/** The organization behind an account: who owns it, and what decides what it may buy. */
export interface Party {
  readonly name: string
  readonly ownerEmail: string | null
  readonly country: string | null
  readonly isCountryLocked: boolean
  readonly isDeleted: boolean
  /** Products that the operator granted. */
  readonly granted: Product[]
  /** Products that a subscription pays for by now. */
  readonly paid: Product[]
  readonly paidUntil: Date | null
  readonly paidExtraNumbers: number
}

/** Returns the organization behind an account. */
export async function findParty(db: Db, organizationId: string): Promise<Party | undefined> {
  return firstRow<Party>(
    db,
    `select o.name, u.email as owner_email, o.country, o.country_locked_at is not null as is_country_locked,
            o.deleted_at is not null as is_deleted, o.paid_extra_numbers,
            array(select product from organization_products p
                   where p.organization_id = o.id and granted_at is not null and paused_at is null
                   order by 1) as granted,
            array(select unnest(e.paid_products) order by 1) as paid, e.paid_until
       from organizations o
       join entitlements e on e.organization_id = o.id
       left join members m on m.organization_id = o.id and m.role = 'owner'
       left join users u on u.id = m.user_id
      where o.id = :organizationId`,
    { organizationId },
  )
}

/** Returns whether an e-mail is that of a member of an organization. */
export async function isOfTeam(db: Db, organizationId: string, email: string): Promise<boolean> {
  const found = await rows(
    db,
    `select m.user_id from members m join users u on u.id = m.user_id
      where m.organization_id = :organizationId and lower(u.email) = lower(:email) limit 1`,
    { organizationId, email },
  )
  return found.length > 0
}
