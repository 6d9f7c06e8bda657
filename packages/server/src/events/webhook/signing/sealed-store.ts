import { type Db, rows } from '#platform/db/db.ts'

/** The columns of endpoints with encrypted secrets. */
export type EndpointSecretColumn = 'secret' | 'previous_secret'

/** One encrypted secret of an endpoint. */
export interface SealedOfEndpoint {
  readonly endpointId: string
  readonly organizationId: string
  readonly sealed: string
}

/**
 * Returns up to `limit` secrets of a column, of endpoints after `after` by id, that a key other than `keyId` encrypted.
 */
export async function listEndpointsSealedOtherwise(
  db: Db,
  column: EndpointSecretColumn,
  { keyId, after, limit }: { readonly keyId: string; readonly after: string | null; readonly limit: number },
): Promise<SealedOfEndpoint[]> {
  return rows<SealedOfEndpoint>(
    db,
    `select id as endpoint_id, organization_id, ${column} as sealed from webhooks
      where (:after::uuid is null or id > :after::uuid) and split_part(${column}, ':', 1) <> :keyId
      order by id limit :limit`,
    { keyId, after, limit },
  )
}

/** Writes a re-encrypted secret unless it was replaced since it was read. Returns whether it was written. */
export async function writeResealedOfEndpoint(
  db: Db,
  column: EndpointSecretColumn,
  { endpointId, sealed }: Pick<SealedOfEndpoint, 'endpointId' | 'sealed'>,
  becomes: string,
): Promise<boolean> {
  const changed = await db('webhooks')
    .where({ id: endpointId, [column]: sealed })
    .update({ [column]: becomes })
  return changed > 0
}
