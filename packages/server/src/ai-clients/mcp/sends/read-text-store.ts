import { type Db, preparedRows, rows, serviceNow } from '#platform/db/db.ts'
import type { Sender } from './send-limit-store.ts'

/** Hashes that are kept of what one client read in the chat with one person. */
const mostHashes = 20_000

/** Hashes of pieces of the texts that were read in the chat with one person. */
export interface ReadTexts {
  readonly person: string
  readonly hashes: readonly number[]
}

/** Notes what a client has read in the chats with these people, in one statement. */
export async function noteRead(
  db: Db,
  { organizationId, credential }: Sender,
  read: readonly ReadTexts[],
): Promise<void> {
  await preparedRows(
    db,
    `insert into mcp_read_texts as r (organization_id, credential, person, at, hashes)
     select :organizationId, :credential, n.person, (select service_now()), n.hashes
       from jsonb_to_recordset(:read::jsonb) as n(person text, hashes bigint[])
      order by n.person
     on conflict (organization_id, credential, person) do update set
       at = excluded.at,
       hashes = array(
         select distinct h from unnest(
           excluded.hashes || case when r.at > excluded.at - interval '1 h' then r.hashes end) as h
             limit ${mostHashes})`,
    { organizationId, credential, read: JSON.stringify(read) },
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
          and person <> :person and at > (select service_now()) - interval '1 h'
            and hashes && :hashes::bigint[]) as any`,
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
