import { type Db, rows } from '../../db/db.ts'

/** The encrypted secrets of one endpoint. */
export interface SealedSecrets {
  readonly endpointId: string
  readonly organizationId: string
  readonly secret: string | null
  readonly previousSecret: string | null
}

/** Returns up to `limit` endpoints after `after`, by id, with a secret that a key other than `keyId` encrypted. */
export async function listSealedOtherwise(
  db: Db,
  keyId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<SealedSecrets[]> {
  return rows<SealedSecrets>(
    db,
    `select id as "endpointId", organization_id as "organizationId", secret, previous_secret as "previousSecret"
       from webhooks
      where (:after::uuid is null or id > :after::uuid)
        and (split_part(secret, ':', 1) <> :keyId or split_part(previous_secret, ':', 1) <> :keyId)
      order by id limit :limit`,
    { keyId, after, limit },
  )
}

/** Counts the endpoints with a secret that a key other than `keyId` encrypted. */
export async function countSealedOtherwise(db: Db, keyId: string): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    `select count(*) as count from webhooks
      where split_part(secret, ':', 1) <> :keyId or split_part(previous_secret, ':', 1) <> :keyId`,
    { keyId },
  )
  return counted?.count ?? 0
}

/** A secret as it was read, and its new encryption. */
export interface Resealed {
  readonly organizationId: string
  readonly endpointId: string
  readonly column: 'secret' | 'previous_secret'
  readonly was: string
  readonly becomes: string
}

/** Writes re-encrypted secrets in one statement, except those that were replaced since they were read. Returns how many. */
export async function writeResealed(db: Db, resealed: readonly Resealed[]): Promise<number> {
  if (resealed.length === 0) return 0
  const written = await rows<{ count: number }>(
    db,
    `with given as (
       select * from unnest(:organizationIds::uuid[], :endpointIds::uuid[], :columns::text[], :were::text[], :become::text[])
         as g (organization_id, endpoint_id, place, was, becomes)
     ), written as (
       update webhooks w
          set secret = coalesce(now_first.becomes, w.secret),
              previous_secret = coalesce(now_before.becomes, w.previous_secret)
         from (select distinct organization_id, endpoint_id from given) one
         left join given now_first on now_first.endpoint_id = one.endpoint_id and now_first.place = 'secret'
         left join given now_before on now_before.endpoint_id = one.endpoint_id and now_before.place = 'previous_secret'
        where w.organization_id = one.organization_id and w.id = one.endpoint_id
          and (now_first.was is null or w.secret = now_first.was)
          and (now_before.was is null or w.previous_secret = now_before.was)
       returning (now_first.was is not null)::int + (now_before.was is not null)::int as places
     )
     select coalesce(sum(places), 0)::int as count from written`,
    {
      organizationIds: resealed.map((one) => one.organizationId),
      endpointIds: resealed.map((one) => one.endpointId),
      columns: resealed.map((one) => one.column),
      were: resealed.map((one) => one.was),
      become: resealed.map((one) => one.becomes),
    },
  )
  return written[0]?.count ?? 0
}
