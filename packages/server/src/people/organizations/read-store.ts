import type { Product } from '@msgctl/contract'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** A summary of an organization. */
export interface Overview
  extends Pick<
    Row<'organizations'>,
    'id' | 'name' | 'trialEndsAt' | 'extraNumbers' | 'extraExpiresAt' | 'deactivatedAt' | 'deletedAt' | 'createdAt'
  > {
  /** Null when the owner of a deleted organization deleted their account. */
  readonly ownerEmail: string | null
  /** The products active now. */
  readonly products: Product[]
  readonly numbers: number
  /** Set while it is closed for a move to another installation, and after it. */
  readonly movingAt: Date | null
  /** Where it has moved to. */
  readonly movedTo: string | null
  readonly isProtected: boolean
  readonly apiKeyPreview: string | null
}

const overview = `
  select o.id, o.name, u.email as owner_email, o.trial_ends_at, o.extra_numbers, o.extra_expires_at, o.deactivated_at,
         o.deleted_at, o.moving_at, o.moved_to,
         o.protected_at is not null as is_protected, o.created_at,
         (select count(*) from numbers n where n.organization_id = o.id) as numbers,
         (select k.preview from api_keys k where k.organization_id = o.id
             and k.container_id is null) as api_key_preview,
         array(select unnest(e.products) order by 1) as products
    from organizations o join entitlements e on e.organization_id = o.id
    left join members m on m.organization_id = o.id and m.role = 'owner'
    left join users u on u.id = m.user_id`

/** Returns organizations of all tenants, newest first. Only the operator sees them. */
export async function listOverviews(db: Db, limit: number): Promise<Overview[]> {
  return rows<Overview>(db, `${overview} order by o.created_at desc, o.id desc limit :limit`, { limit })
}

/** Returns the id of an organization with this name that the person with this e-mail owns; undefined without one. */
export async function findOwnedByName(db: Db, ownerEmail: string, name: string): Promise<string | undefined> {
  const [found] = await rows<{ id: string }>(
    db,
    `select o.id from organizations o
       join members m on m.organization_id = o.id and m.role = 'owner'
       join users u on u.id = m.user_id
      where u.email = :ownerEmail and o.name = :name and o.deleted_at is null order by o.id limit 1`,
    { ownerEmail, name },
  )
  return found?.id
}

/** Returns the summary of one organization. */
export async function findOverview(db: Db, organizationId: string): Promise<Overview | undefined> {
  return firstRow<Overview>(db, `${overview} where o.id = :organizationId`, { organizationId })
}
