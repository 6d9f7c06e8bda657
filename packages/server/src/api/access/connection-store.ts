import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'
import { type CredentialRow, organizationColumns } from './credential-store.ts'

/** A connection of an AI client with the person who allowed it, as they are now. */
export interface ConnectionRow extends CredentialRow {
  readonly connectionId: string
  readonly tokenHash: Buffer
  /** What the connection was given, and its token still has. */
  readonly scopes: string[]
}

const day = 24 * 60 * 60 * 1000

/** SQL: the connections of `valid` with their persons and organizations. One whose number was removed is none. */
const connected = `
  select v.id as connection_id, v.token_hash, v.scopes, v.organization_id, v.user_id, v.container_id, m.role,
         o.require_two_factor and v.two_factor_at is null as two_factor_missing, false as two_factor_made,
         ${organizationColumns}
    from valid v
    join members m on m.organization_id = v.organization_id and m.user_id = v.user_id
    join entitlements o on o.organization_id = v.organization_id
   where o.deleted_at is null and (v.container_id is null
      or exists (select from numbers n where n.organization_id = v.organization_id and n.id = v.container_id))`

/** Returns the connection with this access token. Writes its last use at most once a minute. */
export async function useConnection(db: Db, tokenHash: Buffer): Promise<ConnectionRow | undefined> {
  return firstRow<ConnectionRow>(
    db,
    `with valid as (
       select c.id, t.token_hash, c.organization_id, c.user_id, c.container_id, c.two_factor_at, c.last_used_at,
              array(select unnest(t.scopes) intersect select unnest(c.scopes)) as scopes
         from oauth_tokens t join mcp_connections c on c.id = t.connection_id
        where t.token_hash = :tokenHash and t.kind = 'access' and t.expires_at > (select service_now())
          and c.revoked_at is null
     ), noted as (
       update mcp_connections set last_used_at = (select service_now())
        where id = (select id from valid
                     where coalesce(last_used_at, '-infinity') <= (select service_now()) - interval '1 min')
     ) ${connected}`,
    { tokenHash },
  )
}

/** Returns a connection that has not ended, or undefined. */
export async function findConnection(db: Db, organizationId: string, id: string): Promise<ConnectionRow | undefined> {
  return firstRow<ConnectionRow>(
    db,
    `with valid as (
       select c.id, ''::bytea as token_hash, c.organization_id, c.user_id, c.container_id, c.two_factor_at, c.scopes
         from mcp_connections c
        where c.organization_id = :organizationId and c.id = :id and c.revoked_at is null
     ) ${connected}`,
    { organizationId, id },
  )
}

/** A connection that a person allows. */
export interface NewConnection
  extends Pick<
    Row<'mcp_connections'>,
    'id' | 'organizationId' | 'userId' | 'clientId' | 'clientName' | 'clientHost' | 'scopes' | 'containerId'
  > {
  readonly twoFactor: boolean
}

/** Stores a connection. */
export async function insertConnection(trx: Db, connection: NewConnection): Promise<void> {
  await trx('mcp_connections').insert({
    id: connection.id,
    organizationId: connection.organizationId,
    userId: connection.userId,
    clientId: connection.clientId,
    clientName: connection.clientName,
    clientHost: connection.clientHost,
    scopes: connection.scopes,
    containerId: connection.containerId,
    twoFactorAt: connection.twoFactor ? serviceNow(trx) : null,
    createdAt: serviceNow(trx),
  })
}

/** Which connections end: one, those of a person, of an organization, or of a person in one organization. */
export interface EndingConnections {
  readonly id?: string
  readonly userId?: string
  readonly organizationId?: string
}

/** A connection that ended. */
export interface EndedConnection {
  readonly id: string
  readonly organizationId: string
  readonly clientName: string
}

/** Ends connections with their tokens. Returns those that had not ended before. */
export async function endConnections(trx: Db, which: EndingConnections, reason: string): Promise<EndedConnection[]> {
  const { id = null, userId = null, organizationId = null } = which
  if (id === null && userId === null && organizationId === null) throw new Error('the connections to end are not named')
  return rows<EndedConnection>(
    trx,
    `with ended as (
       update mcp_connections set revoked_at = (select service_now()), reason = :reason
        where revoked_at is null and (:id::uuid is null or id = :id::uuid)
          and (:userId::uuid is null or user_id = :userId::uuid)
          and (:organizationId::uuid is null or organization_id = :organizationId::uuid)
        returning id, organization_id, client_name
     ), deleted as (
       delete from oauth_tokens where connection_id in (select id from ended)
     )
     select id, organization_id, client_name from ended order by id`,
    { id, userId, organizationId, reason },
  )
}

/** Ends the connections of all organizations with their tokens. Returns how many there were. */
export async function endAllConnections(trx: Db, reason: string): Promise<number> {
  await trx('oauth_tokens').delete()
  return trx('mcp_connections')
    .whereNull('revokedAt')
    .update({ revokedAt: serviceNow(trx), reason })
}

/** A token of a connection as it is stored. */
export interface StoredToken {
  readonly organizationId: string
  readonly connectionId: string
  readonly clientId: string
  readonly scopes: string[]
  readonly isExpired: boolean
  /** Seconds since it was used; null for one that was not. */
  readonly usedSeconds: number | null
}

/** Locks and returns a refresh token of a connection that has not ended, or undefined. */
export async function lockRefreshToken(trx: Db, tokenHash: Buffer): Promise<StoredToken | undefined> {
  return firstRow<StoredToken>(
    trx,
    `select c.organization_id, t.connection_id, c.client_id, t.scopes,
            t.expires_at <= (select service_now()) as is_expired,
            extract(epoch from (select service_now()) - t.used_at)::float8 as used_seconds
       from oauth_tokens t join mcp_connections c on c.id = t.connection_id and c.revoked_at is null
      where t.token_hash = :tokenHash and t.kind = 'refresh' for update`,
    { tokenHash },
  )
}

/** Returns the connection and the client of a token of any kind, or undefined. */
export async function findTokenOwner(
  db: Db,
  tokenHash: Buffer,
): Promise<{ readonly connectionId: string; readonly clientId: string } | undefined> {
  return firstRow<{ connectionId: string; clientId: string }>(
    db,
    `select t.connection_id, c.client_id
       from oauth_tokens t join mcp_connections c on c.id = t.connection_id where t.token_hash = :tokenHash`,
    { tokenHash },
  )
}

/** Marks a refresh token as used, unless it is. */
export async function markUsed(trx: Db, tokenHash: Buffer): Promise<void> {
  await trx('oauth_tokens')
    .where({ tokenHash })
    .whereNull('usedAt')
    .update({ usedAt: serviceNow(trx) })
}

/** Stores a token of a connection. */
export async function insertConnectionToken(
  trx: Db,
  token: {
    readonly hash: Buffer
    readonly connectionId: string
    readonly kind: 'access' | 'refresh'
    readonly scopes: string[]
    readonly seconds: number
  },
): Promise<void> {
  await trx('oauth_tokens').insert({
    tokenHash: token.hash,
    connectionId: token.connectionId,
    kind: token.kind,
    scopes: token.scopes,
    expiresAt: serviceNow(trx, token.seconds * 1000),
  })
}

/** Deletes up to `limit` expired tokens. Returns how many there were. */
export async function deleteExpiredConnectionTokens(db: Db, limit = 5000): Promise<number> {
  const expired = db('oauth_tokens').select('tokenHash').where('expiresAt', '<', serviceNow(db, -day)).limit(limit)
  return db('oauth_tokens').whereIn('tokenHash', expired).delete()
}

/** A connection as people see it. */
export interface ListedConnection
  extends Pick<
    Row<'mcp_connections'>,
    'id' | 'userId' | 'clientId' | 'clientName' | 'clientHost' | 'containerId' | 'createdAt' | 'lastUsedAt'
  > {
  readonly userName: string
  readonly scopes: string[]
}

/** Returns the connections of an organization, or of one person in it, or one of them; the latest first. */
export async function listConnections(
  db: Db,
  organizationId: string,
  filter: { readonly userId: string | null; readonly id?: string },
): Promise<ListedConnection[]> {
  return rows<ListedConnection>(
    db,
    `select c.id, c.user_id, u.name as user_name, c.client_id, c.client_name, c.client_host, c.scopes, c.container_id,
            c.created_at, c.last_used_at
       from mcp_connections c join users u on u.id = c.user_id
      where c.organization_id = :organizationId and c.revoked_at is null
        and (:userId::uuid is null or c.user_id = :userId::uuid) and (:id::uuid is null or c.id = :id::uuid)
      order by c.created_at desc, c.id limit 200`,
    { organizationId, userId: filter.userId, id: filter.id ?? null },
  )
}

/** Writes what a connection may do and which number it uses. */
export async function narrowConnection(
  trx: Db,
  organizationId: string,
  { id, scopes, containerId }: Pick<ListedConnection, 'id' | 'scopes' | 'containerId'>,
): Promise<void> {
  await trx('mcp_connections').where({ organizationId, id }).update({ scopes, containerId })
}

/** Returns whether a person has allowed a client in an organization before. */
export async function hasConnected(
  db: Db,
  { organizationId, userId, clientId }: Pick<NewConnection, 'organizationId' | 'userId' | 'clientId'>,
): Promise<boolean> {
  const found = await db('mcp_connections').where({ organizationId, userId, clientId }).first('id')
  return found !== undefined
}
