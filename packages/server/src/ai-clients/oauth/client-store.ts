import type { RegisteredApp } from '#api/access/limit-key.ts'
import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'

/** An AI client that may ask for a connection. */
export interface OAuthClient {
  readonly id: string
  readonly name: string
  /** The host of its document; null for a client that registered. */
  readonly host: string | null
  readonly redirectUris: string[]
}

const columns = 'id, name, host, redirect_uris'

/** Returns a client that registered, or undefined. */
export async function findRegistered(db: Db, id: string): Promise<(OAuthClient & RegisteredApp) | undefined> {
  return firstRow<OAuthClient & RegisteredApp>(
    db,
    `select ${columns} from oauth_clients where id = :id and kept_until is null`,
    { id },
  )
}

/** Notes that a person allowed a client. */
export async function noteAllowed(trx: Db, id: string): Promise<void> {
  await trx('oauth_clients')
    .where({ id })
    .update({ usedAt: serviceNow(trx) })
}

/** Returns a document that is still kept, or undefined. */
export async function findKept(db: Db, id: string): Promise<OAuthClient | undefined> {
  return firstRow<OAuthClient>(
    db,
    `select ${columns} from oauth_clients where id = :id and kept_until > (select service_now())`,
    { id },
  )
}

/** Keeps a document for some seconds. Returns its client. */
export async function keepDocument(db: Db, client: OAuthClient, seconds: number): Promise<OAuthClient> {
  const kept = await firstRow<OAuthClient>(
    db,
    `insert into oauth_clients (id, name, host, redirect_uris, created_at, kept_until)
     values (:id, :name, :host, :redirectUris::text[], (select service_now()),
             (select service_now()) + :seconds::int * interval '1 second')
     on conflict (id) do update
       set name = excluded.name, host = excluded.host, redirect_uris = excluded.redirect_uris,
           kept_until = excluded.kept_until
     returning ${columns}`,
    { ...client, seconds },
  )
  if (!kept) throw new Error('keeping a document returned no row')
  return kept
}

/** Stores a client that registers, unless there are `limit` already. Returns when, or undefined. */
export async function insertRegistered(db: Db, client: OAuthClient, limit: number): Promise<Date | undefined> {
  const [stored] = await rows<{ createdAt: Date }>(
    db,
    `insert into oauth_clients (id, name, redirect_uris, created_at)
     select :id, :name, :redirectUris::text[], (select service_now())
      where (select count(*) from oauth_clients where kept_until is null) < :limit
     returning created_at`,
    { id: client.id, name: client.name, redirectUris: client.redirectUris, limit },
  )
  return stored?.createdAt
}

/**
 * Deletes up to `limit` clients: those that no person allowed within a day, or for 180 days, and documents that are not
 * kept any more. Of those that a person allowed, it is still known.
 */
export async function deleteStaleClients(db: Db, limit = 5000): Promise<number> {
  const deleted = await rows(
    db,
    `delete from oauth_clients where id in (
       select id from oauth_clients
        where used_at is null and kept_until < (select service_now())
           or used_at is null and kept_until is null and created_at < (select service_now()) - interval '24 h'
           or used_at < (select service_now()) - interval '180 d'
        limit :limit)
     returning id`,
    { limit },
  )
  return deleted.length
}
