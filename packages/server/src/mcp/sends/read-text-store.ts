import { type Db, rows, serviceNow } from '../../db/db.ts'
import type { Sender } from './send-limit-store.ts'

/** Hashes that are kept of what one client read in the chat with one person. */
const mostHashes = 20_000

/** Notes what a client has read in the chat with a person: hashes of pieces of the texts. */
export async function noteRead(db: Db, reader: Sender, person: string, hashes: readonly number[]): Promise<void> {
  await rows(
    db,
    `insert into mcp_read_texts as r (organization_id, credential, person, at, hashes)
     values (:organizationId, :credential, :person, (select service_now()), :hashes::bigint[])
     on conflict (organization_id, credential, person) do update set
       at = excluded.at,
       hashes = array(
         select distinct h from unnest(
           excluded.hashes || case when r.at > excluded.at - interval '1 h' then r.hashes end) as h limit ${mostHashes})`,
    { ...reader, person, hashes },
  )
}

/** Returns whether one of the hashes is of what the client read within the hour in the chat with another person. */
export async function hasReadElsewhere(
  db: Db,
  reader: Sender,
  person: string,
  hashes: readonly number[],
): Promise<boolean> {
  const [found] = await rows<{ any: boolean }>(
    db,
    `select exists (
       select from mcp_read_texts where organization_id = :organizationId and credential = :credential
          and person <> :person and at > (select service_now()) - interval '1 h' and hashes && :hashes::bigint[]) as any`,
    { ...reader, person, hashes },
  )
  return found?.any ?? false
}

/** Deletes up to `limit` notes that are older than a day. Returns how many there were. */
export async function deleteOldReads(db: Db, limit = 5000): Promise<number> {
  const old = db('mcp_read_texts')
    .select('id')
    .where('at', '<', serviceNow(db, -24 * 60 * 60 * 1000))
    .limit(limit)
  return db('mcp_read_texts').whereIn('id', old).delete()
}
