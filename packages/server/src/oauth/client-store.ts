import { type Db, rows, serviceNow } from '../db/db.ts'

/** An AI client that may ask for a connection. */
export interface OAuthClient {
  readonly id: string
  readonly name: string
  /** The host of its document; null for a client that registered. */
  readonly host: string | null
  readonly redirectUris: string[]
}

const columns = 'id, name, host, redirect_uris as "redirectUris"'

/** Returns a client that registered, or undefined. Notes its use. */
export async function useRegistered(db: Db, id: string): Promise<OAuthClient | undefined> {
  const [found] = await rows<OAuthClient>(
    db,
    `update oauth_clients set used_at = (select service_now()) where id = :id and kept_until is null returning ${columns}`,
    { id },
  )
  return found
}

/** Returns a document that is still kept, or undefined. */
export async function findKept(db: Db, id: string): Promise<OAuthClient | undefined> {
  const [found] = await rows<OAuthClient>(
    db,
    `select ${columns} from oauth_clients where id = :id and kept_until > (select service_now())`,
    { id },
  )
  return found
}

/** Keeps a document for some seconds. */
export async function keepDocument(db: Db, client: OAuthClient, seconds: number): Promise<void> {
  await db('oauth_clients')
    .insert({
      id: client.id,
      name: client.name,
      host: client.host,
      redirect_uris: client.redirectUris,
      created_at: serviceNow(db),
      kept_until: serviceNow(db, seconds * 1000),
    })
    .onConflict('id')
    .merge(['name', 'host', 'redirect_uris', 'kept_until'])
}

/** Stores a client that registers, unless there are `limit` already. Returns when, or undefined. */
export async function insertRegistered(db: Db, client: OAuthClient, limit: number): Promise<Date | undefined> {
  const [stored] = await rows<{ createdAt: Date }>(
    db,
    `insert into oauth_clients (id, name, redirect_uris, created_at)
     select :id, :name, :redirectUris::text[], (select service_now())
      where (select count(*) from oauth_clients where kept_until is null) < :limit
     returning created_at as "createdAt"`,
    { id: client.id, name: client.name, redirectUris: client.redirectUris, limit },
  )
  return stored?.createdAt
}

/** Deletes up to `limit` clients: unused for a day, idle for 180 days, and documents that are not kept any more. */
export async function deleteStaleClients(db: Db, limit = 5000): Promise<number> {
  const deleted = await rows(
    db,
    `delete from oauth_clients where id in (
       select id from oauth_clients
        where kept_until < (select service_now())
           or kept_until is null and used_at is null and created_at < (select service_now()) - interval '24 h'
           or kept_until is null and used_at < (select service_now()) - interval '180 d'
        limit :limit)
     returning id`,
    { limit },
  )
  return deleted.length
}
