import { type Db, rows, transaction } from '#platform/db/db.ts'

const batchSize = 5000
/** A run ends after this time; the next one continues. */
const maxRunMs = 30_000

/** SQL condition: whether there are texts to copy. */
export const hasTextChanges = 'exists (select from message_text_changes)'

/**
 * Copies the texts of changed messages into the table that is searched, and deletes those of deleted messages. One
 * worker does it at a time.
 */
export async function copyTexts(db: Db): Promise<void> {
  const endsAt = performance.now() + maxRunMs
  while (performance.now() < endsAt) {
    const copied = await transaction(db, copySome)
    if (copied < batchSize) break
  }
  await mergeTexts(db)
}

/** Copies some texts, and returns for how many changes. */
async function copySome(trx: Db): Promise<number> {
  // Without the lock a worker that read a message before its edit could write last.
  const [lock] = await rows<{ locked: boolean }>(
    trx,
    `select pg_try_advisory_xact_lock(hashtextextended('message_texts', 0)) as locked`,
  )
  if (!lock?.locked) return 0
  const [taken] = await rows<{ count: number }>(
    trx,
    `with taken as (
       delete from message_text_changes
        where ctid = any(array(select ctid from message_text_changes limit :limit for update skip locked))
       returning organization_id, created_at, message_id
     ), changed as materialized (
       select distinct organization_id, created_at, message_id from taken
     ), removed as (
       delete from message_texts t using changed c
        where t.organization_id = c.organization_id and t.created_at = c.created_at and t.message_id = c.message_id
          and not exists (select from messages m where m.id = c.message_id)
     ), copied as (
       insert into message_texts as t (organization_id, created_at, message_id, search_text)
       select m.organization_id, m.created_at, m.id, lower(m.recipient || E'\\n' || m.content)
         from messages m where m.id = any(array(select message_id from changed))
       on conflict (organization_id, created_at, message_id) do update
          set search_text = excluded.search_text where t.search_text <> excluded.search_text
     )
     select count(*) as count from taken`,
    { limit: batchSize },
  )
  return taken?.count ?? 0
}

/** Merges the pending entries of the index: many together cost a fraction of one by one. */
async function mergeTexts(db: Db): Promise<void> {
  await rows(db, `select gin_clean_pending_list(to_regclass('message_texts_search'))`)
}
