import type { Row } from '#platform/db/tables.ts'
/** How long an Idempotency-Key counts, in SQL. */
export const keptFor = `interval '24 h'`

/**
 * What is kept of a keyed request: its response, or the message that a direct send began with, whose row has the rest.
 * `status` and `body` are null where there is no response.
 */
export type KeptRequest = Pick<Row<'idempotency_keys'>, 'requestHash' | 'messageId' | 'status' | 'body'>

/** An Idempotency-Key on a route. */
export interface KeyedRoute {
  readonly route: string
  readonly key: string
}

/** What {@link keptOfKeysSql} returns of one earlier request; `position` is that of the request that asks. */
export interface KeptJson {
  readonly position: number
  readonly requestHash: string
  readonly messageId: string | null
  readonly status: number | null
  readonly body: unknown
}

/**
 * Returns SQL for the earlier requests with the same Idempotency-Keys, as part of the statement that finds API keys:
 * otherwise each request with an Idempotency-Key would need one more. `holders` has the columns of found API keys; the
 * rows have the hash of the key, `key_hash`, and a {@link KeptJson}, `kept`. The bindings are those of
 * {@link toKeyedArrays}.
 */
export function keptOfKeysSql(holders: string): string {
  return `
    select h.key_hash, json_build_object('position', a.position, 'requestHash', encode(i.request_hash, 'hex'),
                                          'messageId', i.message_id, 'status', i.status, 'body', i.body) as kept
      from unnest(:keyedHashes::bytea[], :keyedRoutes::text[], :idempotencyKeys::text[], :positions::int[])
             as a (key_hash, route, key, position)
      join ${holders} h on h.key_hash = a.key_hash
      -- One index scan for each, however few keys there were when this was planned.
      cross join lateral (
        select * from idempotency_keys i
         where i.organization_id = h.organization_id
           and i.credential = case when h.container_id is null then 'account' else 'number:' || h.container_id end
           and i.route = a.route and i.key = a.key and i.created_at > (select service_now()) - ${keptFor}
         limit 1
      ) i`
}

/** Returns the bindings of {@link keptOfKeysSql}. */
export function toKeyedArrays(
  keyed: readonly (KeyedRoute & { readonly keyHash: Buffer; readonly position: number })[],
): Record<string, unknown> {
  return {
    keyedHashes: keyed.map(({ keyHash }) => keyHash),
    keyedRoutes: keyed.map(({ route }) => route),
    idempotencyKeys: keyed.map(({ key }) => key),
    positions: keyed.map(({ position }) => position),
  }
}

/** Returns what was found for the request at this position. */
export function fromKeptJson(found: readonly KeptJson[] | null, position: number): KeptRequest | null {
  const kept = found?.find((one) => one.position === position)
  return kept ? { ...kept, requestHash: Buffer.from(kept.requestHash, 'hex') } : null
}
