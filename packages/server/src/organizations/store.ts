import type { Product, Role } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'

/** A person as the API shows one. */
export interface UserRow {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Stores an organization; with `trialDays` its free trial begins now. */
export async function insertOrganization(
  trx: Db,
  organization: { id: string; name: string; trialDays: number | null },
): Promise<void> {
  await rows(
    trx,
    `insert into organizations (id, name, trial_ends_at, created_at)
     select :id, :name, now + :trialDays::int * interval '1 day', now from (select service_now() as now) t`,
    organization,
  )
}

/** Gives products to an organization: for good, or, when not granted, for its trial. */
export async function insertProducts(
  trx: Db,
  organizationId: string,
  products: readonly Product[],
  granted: boolean,
): Promise<void> {
  await rows(
    trx,
    `insert into organization_products (organization_id, product, granted_at)
     select :organizationId, product, case when :granted then (select service_now()) end
       from unnest(:products::text[]) as product
     on conflict (organization_id, product) do update
       set granted_at = coalesce(organization_products.granted_at, excluded.granted_at), paused_at = null`,
    { organizationId, products, granted },
  )
}

/** Stores a person; false when the e-mail is known already. */
export async function insertUser(trx: Db, user: UserRow & { readonly passwordHash: string }): Promise<boolean> {
  const stored = await rows(
    trx,
    `insert into users (id, name, email, password_hash, created_at)
     values (:id, :name, :email, :passwordHash, service_now())
     on conflict ((lower(email))) do nothing returning id`,
    { ...user },
  )
  return stored.length > 0
}

/** Makes a person a member of an organization, or changes the role. */
export async function putMember(trx: Db, organizationId: string, userId: string, role: Role): Promise<void> {
  await rows(
    trx,
    `insert into members (organization_id, user_id, role, created_at)
     values (:organizationId, :userId, :role, service_now())
     on conflict (organization_id, user_id) do update set role = excluded.role`,
    { organizationId, userId, role },
  )
}

/** Whether there is any organization at all. */
export async function anyOrganization(db: Db): Promise<boolean> {
  return (await rows(db, 'select 1 as there from organizations limit 1')).length > 0
}
