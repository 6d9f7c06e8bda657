import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import { type Db, preparedRows, rows } from '#platform/db/db.ts'
import { type InputColumn, inputRowsSql, toArrays } from '#platform/db/input-rows.ts'
import type { Row } from '#platform/db/tables.ts'

/** Where one Idempotency-Key is unique: organization, credential and route. */
export type KeyScope = Pick<Row<'idempotency_keys'>, 'organizationId' | 'credential' | 'route' | 'key'>

/** How long a key counts, in SQL. */
const keptFor = `interval '24 h'`

/**
 * What is kept of a keyed request: its response, or the message that a direct send began with, whose row has the rest.
 * `status` and `body` are null where there is no response.
 */
export type KeptRequest = Pick<Row<'idempotency_keys'>, 'requestHash' | 'messageId' | 'status' | 'body'>

/** A key that a request takes, with what is kept of it from the beginning. */
export interface KeyReservation extends KeyScope, KeptRequest {}

/** Returns the requests that used these keys in the last 24 h, each at the index of its key. */
export async function findKeptRequests(db: Db, scopes: readonly KeyScope[]): Promise<(KeptRequest | undefined)[]> {
  const found = await preparedRows<KeptRequest & { position: number }>(
    db,
    `select a.position, k.request_hash, k.message_id, k.status, k.body
       from unnest(:organizationIds::uuid[], :credentials::text[], :routes::text[], :keys::text[]) with ordinality
         as a (organization_id, credential, route, key, position)
      -- One index scan for each, however few keys there were when this was planned.
      cross join lateral (
        select * from idempotency_keys i
         where i.organization_id = a.organization_id and i.credential = a.credential and i.route = a.route
           and i.key = a.key and i.created_at > (select service_now()) - ${keptFor}
         limit 1
      ) k`,
    {
      organizationIds: scopes.map(({ organizationId }) => organizationId),
      credentials: scopes.map(({ credential }) => credential),
      routes: scopes.map(({ route }) => route),
      keys: scopes.map(({ key }) => key),
    },
  )
  const byPosition = new Map(found.map(({ position, ...kept }) => [position, kept]))
  return scopes.map((_scope, n) => byPosition.get(n + 1))
}

/** Returns the request that used this key in the last 24 h, or undefined. Concurrent requests share one query. */
export const findKeptRequest: (db: Db, scope: KeyScope) => Promise<KeptRequest | undefined> =
  sharedBatcher(findKeptRequests)

/**
 * The columns of a reservation in SQL, beside `organization_id uuid`. A body is text, so that its fields keep their
 * order.
 */
export const reservationColumns: readonly InputColumn<KeyReservation | null>[] = [
  ['credential', 'text', (claim) => claim?.credential],
  ['route', 'text', (claim) => claim?.route],
  ['key', 'text', (claim) => claim?.key],
  ['request_hash', 'bytea', (claim) => claim?.requestHash],
  ['message_id', 'uuid', (claim) => claim?.messageId],
  ['status', 'integer', (claim) => claim?.status],
  ['body', 'text', (claim) => (claim && claim.body !== null ? JSON.stringify(claim.body) : null)],
]

const claimColumns: readonly InputColumn<KeyReservation | null>[] = [
  ['organization_id', 'uuid', (claim) => claim?.organizationId],
  ...reservationColumns,
]

/**
 * Returns SQL that takes the free keys of the rows of `source` and returns them. Without the advisory lock, the unique
 * index would make it wait for the transaction of a concurrent request with the same key. No two rows may have one key.
 */
export function reserveKeysSql(source: string): string {
  return `
    insert into idempotency_keys
      (organization_id, credential, route, key, request_hash, message_id, status, body, created_at)
    select c.organization_id, c.credential, c.route, c.key, c.request_hash, c.message_id, c.status, c.body::json,
           (select service_now())
      from ${source} c
     where pg_try_advisory_xact_lock(hashtextextended(
             concat_ws(' ', 'idempotency', c.organization_id, c.credential, c.route, c.key), 0))
    on conflict (organization_id, credential, route, key) do update
       set request_hash = excluded.request_hash, created_at = excluded.created_at,
           message_id = excluded.message_id, status = excluded.status, body = excluded.body
     where idempotency_keys.created_at <= excluded.created_at - ${keptFor}
    returning organization_id, credential, route, key`
}

/** Takes keys for the open transaction, no two of them alike. Returns for each whether it was free. */
export async function reserveKeys(trx: Db, claims: readonly KeyReservation[]): Promise<boolean[]> {
  if (claims.length === 0) return []
  const reserved = await preparedRows<KeyScope>(
    trx,
    `with requested as materialized (select * from ${inputRowsSql('c', claimColumns)}),
     taken as (${reserveKeysSql('requested')})
     select organization_id, credential, route, key from taken`,
    toArrays(claimColumns, claims),
  )
  const names = new Set(reserved.map(scopeName))
  return claims.map((claim) => names.has(scopeName(claim)))
}

/** Returns a text that is unique for each key. */
export function scopeName({ organizationId, credential, route, key }: KeyScope): string {
  return `${organizationId} ${credential} ${route} ${key}`
}

/** Stores the response to the request that holds the key. */
export async function storeResponse(trx: Db, scope: KeyScope, status: number, body: unknown): Promise<void> {
  await preparedRows(
    trx,
    `update idempotency_keys set status = :status, body = :body::json
      where organization_id = :organizationId and credential = :credential and route = :route and key = :key`,
    { ...scope, status, body: JSON.stringify(body) },
  )
}

/** Deletes up to `limit` keys older than 24 h and returns their number; a periodic job calls it until 0. */
export async function deleteExpiredKeys(db: Db, limit = 5000): Promise<number> {
  const gone = await rows(
    db,
    `delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys where created_at <= (select service_now()) - ${keptFor} limit :limit))
     returning 1 as gone`,
    { limit },
  )
  return gone.length
}
