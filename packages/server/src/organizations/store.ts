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

/** Locks an organization for one change of the operator's at a time; false when there is none. */
export async function lockOrganization(trx: Db, organizationId: string): Promise<boolean> {
  const found = await rows(trx, 'select 1 as there from organizations where id = :organizationId for no key update', {
    organizationId,
  })
  return found.length > 0
}

/** A product that an organization holds. Active: neither paused nor held on a trial that is over. */
export interface ProductState {
  readonly product: Product
  readonly held: 'granted' | 'on trial'
  readonly active: boolean
}

/** All products that an organization holds, active or not. */
export async function listProducts(db: Db, organizationId: string): Promise<ProductState[]> {
  return rows<ProductState>(
    db,
    `select p.product, case when p.granted_at is null then 'on trial' else 'granted' end as held,
            p.paused_at is null and (p.granted_at is not null
              or coalesce(o.trial_ends_at > (select service_now()), false)) as active
       from organization_products p join organizations o on o.id = p.organization_id
      where p.organization_id = :organizationId order by p.product`,
    { organizationId },
  )
}

/** Pauses products; answers those that were not paused yet. */
export async function pauseProducts(trx: Db, organizationId: string, products: readonly Product[]): Promise<Product[]> {
  const paused = await rows<{ product: Product }>(
    trx,
    `update organization_products set paused_at = (select service_now())
      where organization_id = :organizationId and product = any(:products::text[]) and paused_at is null
     returning product`,
    { organizationId, products },
  )
  return paused.map(({ product }) => product)
}

/** Shuts an organization out, or lets it in again. */
export async function writeDeactivated(trx: Db, organizationId: string, deactivated: boolean): Promise<void> {
  await rows(
    trx,
    `update organizations set deactivated_at = case when :deactivated then coalesce(deactivated_at, service_now()) end
      where id = :organizationId`,
    { organizationId, deactivated },
  )
}

/** Writes how many numbers were bought on top, and until when. */
export async function writeExtraNumbers(
  trx: Db,
  organizationId: string,
  extra: number,
  until: Date | null,
): Promise<void> {
  await rows(
    trx,
    'update organizations set extra_numbers = :extra, extra_expires_at = :until where id = :organizationId',
    { organizationId, extra, until },
  )
}
