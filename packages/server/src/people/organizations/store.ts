import type { Product, Role } from '@msgctl/contract'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Stores an organization. With `trialDays` its free trial begins now. */
export async function insertOrganization(
  trx: Db,
  organization: { id: string; name: string; trialDays: number | null },
): Promise<void> {
  const { id, name, trialDays } = organization
  await trx('organizations').insert({
    id,
    name,
    trialEndsAt: trialDays === null ? null : serviceNow(trx, trialDays * dayMs),
    createdAt: serviceNow(trx),
  })
}

/** Gives products to an organization: for good when `granted`, else for its trial. */
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

/** Makes a person a member of an organization, or changes their role. */
export async function putMember(trx: Db, organizationId: string, userId: string, role: Role): Promise<void> {
  await trx('members')
    .insert({ organizationId, userId, role, createdAt: serviceNow(trx) })
    .onConflict(['organizationId', 'userId'])
    .merge(['role'])
}

/** Returns whether there is any organization. */
export async function anyOrganization(db: Db): Promise<boolean> {
  return (await db('organizations').select('id').limit(1)).length > 0
}

/** Locks an organization, so that the operator's changes to it are serialized. Returns false when there is none. */
export async function lockOrganization(trx: Db, organizationId: string): Promise<boolean> {
  return (await trx('organizations').select('id').where({ id: organizationId }).forNoKeyUpdate()).length > 0
}

/** A product that an organization holds. It is active unless it is paused or its trial has ended. */
export interface ProductState {
  readonly product: Product
  readonly held: 'granted' | 'on trial'
  readonly active: boolean
  /** Since when it is granted or paused, by the end of the trial too; null on trial. */
  readonly since: Date | null
}

/** Returns all products that an organization holds, active or not. */
export async function listProducts(db: Db, organizationId: string): Promise<ProductState[]> {
  return rows<ProductState>(
    db,
    `select p.product, case when p.granted_at is null then 'on trial' else 'granted' end as held,
            p.product = any(e.products) as active,
            coalesce(p.paused_at, p.granted_at,
              case when o.trial_ends_at <= (select service_now()) then o.trial_ends_at end) as since
       from organization_products p
       join organizations o on o.id = p.organization_id
       join entitlements e on e.organization_id = p.organization_id
      where p.organization_id = :organizationId order by p.product`,
    { organizationId },
  )
}

/** Pauses products. Returns those that were not paused before. */
export async function pauseProducts(trx: Db, organizationId: string, products: readonly Product[]): Promise<Product[]> {
  const paused = await trx('organization_products')
    .where({ organizationId })
    .whereIn('product', products)
    .whereNull('pausedAt')
    .update({ pausedAt: serviceNow(trx) })
    .returning<{ product: Product }[]>('product')
  return paused.map(({ product }) => product)
}

/** Deactivates an organization, or activates it again. */
export async function writeDeactivated(trx: Db, organizationId: string, deactivated: boolean): Promise<void> {
  await rows(
    trx,
    `update organizations set deactivated_at = case when :deactivated then coalesce(deactivated_at, service_now()) end
      where id = :organizationId`,
    { organizationId, deactivated },
  )
}

/** Writes how many extra numbers were bought, and until when. */
export async function writeExtraNumbers(
  trx: Db,
  organizationId: string,
  extra: number,
  until: Date | null,
): Promise<void> {
  await trx('organizations').where({ id: organizationId }).update({ extraNumbers: extra, extraExpiresAt: until })
}

/** Writes the name of an organization. */
export async function writeOrganizationName(trx: Db, organizationId: string, name: string): Promise<void> {
  await trx('organizations').where({ id: organizationId }).update({ name })
}

/** Writes whether an organization requires two-step sign-in of its members. */
export async function writeRequireTwoFactor(trx: Db, organizationId: string, required: boolean): Promise<void> {
  await trx('organizations').where({ id: organizationId }).update({ requireTwoFactor: required })
}
