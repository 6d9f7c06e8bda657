import type { Stripe } from 'stripe'
import { anyRow } from '#platform/db/any-row.ts'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'
import type { CurrencyOptions } from './objects/catalog.ts'
import type { World } from './world.ts'

/** Adds a customer, or stores one that was changed. */
export async function saveWorld(trx: Db, world: World, dueAt: number | null): Promise<void> {
  const row = {
    id: world.customer.id,
    owner: world.customer.metadata.organizationId ?? null,
    world,
    dueAt: dueAt === null ? null : new Date(dueAt * 1000),
  }
  await trx('sim_pay_customers').insert(row).onConflict('id').merge(['owner', 'world', 'dueAt'])
}

/** Returns a customer, and holds it until the transaction ends; undefined when there is none. */
export async function lockWorld(trx: Db, customerId: string): Promise<World | undefined> {
  const found = await firstRow<{ world: unknown }>(
    trx,
    'select world from sim_pay_customers where id = :customerId for update',
    { customerId },
  )
  return found?.world as World | undefined
}

/** Returns the ids of the customers whose metadata name an organization, oldest first. */
export async function customersOf(db: Db, owner: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select id from sim_pay_customers where owner = :owner order by (world->'customer'->>'created')::bigint, id`,
    { owner },
  )
  return found.map(({ id }) => id)
}

/** Returns the organization of a customer. */
export async function ownerOf(db: Db, customerId: string): Promise<string | null> {
  const row = await db('sim_pay_customers').where({ id: customerId }).first('owner')
  return row?.owner ?? null
}

/** Returns the time of the service in whole Unix seconds: the database's, which other processes may have moved. */
export async function serviceSeconds(db: Db): Promise<number> {
  const found = await firstRow<{ now: number }>(
    db,
    'select floor(extract(epoch from (select service_now())))::int8 as now',
  )
  return found?.now ?? 0
}

/** SQL condition: whether something is due for a customer. */
export const hasDueCustomers = anyRow('sim_pay_customers where due_at <= (select service_now()) order by due_at')

/** Returns customers for whom something is due, the longest due first. */
export async function dueCustomers(db: Db, limit: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    'select id from sim_pay_customers where due_at <= (select service_now()) order by due_at limit :limit',
    { limit },
  )
  return found.map(({ id }) => id)
}

/** The kinds of what belongs to no customer. */
export type CatalogKind = 'price' | 'product' | 'configuration' | 'endpoint'

/** All that belongs to no customer, oldest first. */
export interface Catalog {
  readonly price: (Stripe.Price & { currency_options?: CurrencyOptions })[]
  readonly product: Stripe.Product[]
  readonly configuration: Stripe.BillingPortal.Configuration[]
  readonly endpoint: Stripe.WebhookEndpoint[]
}

/** Returns what belongs to no customer. */
export async function readCatalog(db: Db): Promise<Catalog> {
  const found = await rows<{ kind: string; content: unknown }>(
    db,
    'select kind, content from sim_pay_catalog order by position',
  )
  const of = (kind: CatalogKind) => found.filter((row) => row.kind === kind).map(({ content }) => content as never)
  return { price: of('price'), product: of('product'), configuration: of('configuration'), endpoint: of('endpoint') }
}

/** Adds or replaces something that belongs to no customer. */
export async function saveCatalog<T extends { readonly id: string }>(
  db: Db,
  kind: CatalogKind,
  content: T,
): Promise<void> {
  await db('sim_pay_catalog').insert({ id: content.id, kind, content }).onConflict('id').merge(['content'])
}

/** A response that was stored for its idempotency key. */
export interface StoredResponse {
  /** A hash of what was requested. */
  readonly request: string
  readonly status: number
  readonly response: unknown
}

/** Returns the stored response of a key of the last 24 hours. */
export async function findResponse(trx: Db, key: string): Promise<StoredResponse | undefined> {
  await rows(trx, 'select pg_advisory_xact_lock(hashtext(:key))', { key })
  return firstRow<StoredResponse>(
    trx,
    `select request, status, response from sim_pay_requests
      where key = :key and created_at > (select service_now()) - interval '24 hours'`,
    { key },
  )
}

/** Stores the response of a key. */
export async function saveResponse(trx: Db, key: string, stored: StoredResponse, now: Date): Promise<void> {
  await trx('sim_pay_requests')
    .insert({ key, ...stored, response: JSON.stringify(stored.response), createdAt: now })
    .onConflict('key')
    .merge()
}

/** Deletes old stored responses and delivered events; returns how many. */
export async function deleteOld(db: Db): Promise<number> {
  const deleted = await rows(
    db,
    `with requests as (
       delete from sim_pay_requests where key in (
         select key from sim_pay_requests where created_at < (select service_now()) - interval '24 hours' limit 500)
       returning 1
     ), events as (
       delete from sim_pay_events where id in (
         select id from sim_pay_events where created_at < (select service_now()) - interval '90 days' limit 500)
       returning 1
     )
     select 1 as one from requests union all select 1 from events`,
  )
  return deleted.length
}

/** Signals that events wait, or that something is due. */
export function signalTick(db: Db): void {
  afterCommit(db, 'sim-pay')
}
