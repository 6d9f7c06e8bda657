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
  /** Where it comes from, or came from last: of several sources the one that is active. */
  readonly held: 'granted' | 'paid' | 'on trial'
  readonly active: boolean
  /** Since when it is granted, paid or paused, by the end of the trial or of what was paid too; null on trial. */
  readonly since: Date | null
}

/** Returns all products that an organization holds, active or not. */
export async function listProducts(db: Db, organizationId: string): Promise<ProductState[]> {
  return (await listProductsOf(db, [organizationId])).get(organizationId) ?? []
}

/** Returns all products that organizations hold, by organization. One without products is left out. */
export async function listProductsOf(db: Db, organizationIds: readonly string[]): Promise<Map<string, ProductState[]>> {
  const found = await rows<ProductState & { readonly organizationId: string }>(
    db,
    `select p.organization_id, p.product, source.held, p.product = any(e.products) as active,
            case source.held
              when 'paid' then case when p.product = any(e.paid_products) then p.paid_at else p.paid_until end
              when 'granted' then coalesce(p.paused_at, p.granted_at)
              else coalesce(p.paused_at, case when o.trial_ends_at <= (select service_now()) then o.trial_ends_at end)
            end as since
       from organization_products p
       join organizations o on o.id = p.organization_id
       join entitlements e on e.organization_id = p.organization_id
      cross join lateral (
        select case when p.granted_at is not null and p.paused_at is null then 'granted'
                    when p.product = any(e.paid_products) then 'paid'
                    when p.granted_at is null and p.paused_at is null and o.trial_ends_at > (select service_now())
                    then 'on trial'
                    when p.paid_at is not null then 'paid'
                    when p.granted_at is not null then 'granted'
                    else 'on trial' end as held
      ) source
      where p.organization_id = any(:organizationIds::uuid[]) order by p.product`,
    { organizationIds },
  )
  const products = new Map<string, ProductState[]>()
  for (const { organizationId, ...product } of found) {
    products.set(organizationId, [...(products.get(organizationId) ?? []), product])
  }
  return products
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

/** Deactivates an organization, with the reason that was given, or activates it again. */
export async function writeDeactivated(
  trx: Db,
  organizationId: string,
  deactivated: boolean,
  reason: string | null = null,
): Promise<void> {
  await rows(
    trx,
    `update organizations set deactivated_at = case when :deactivated then coalesce(deactivated_at, service_now()) end,
            deactivated_reason = :reason::text
      where id = :organizationId`,
    { organizationId, deactivated, reason },
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

/** Writes the country of an organization. An open checkout in another currency ends by itself. */
export async function writeCountry(trx: Db, organizationId: string, country: string | null): Promise<void> {
  await trx('organizations').where({ id: organizationId }).update({ country })
}
