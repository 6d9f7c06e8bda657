import { type Db, rows } from '../../db/db.ts'
import type { IndexedMessage, SearchBlock } from './search-index.ts'

/** The end of a pack: the last message it may hold. */
export interface BlockEnd {
  readonly untilAt: string
  readonly untilId: string
}

const indexedColumns = `m.id, m.created_at::text as "createdAt", m.recipient, m.content`

/** Organizations whose history is longer than `longHistory` and holds at least `enough` messages that are in no pack. */
export async function organizationsToIndex(
  db: Db,
  options: { readonly longHistory: number; readonly enough: number },
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select t.organization_id as id from message_totals t left join message_search_progress p using (organization_id)
      group by t.organization_id, p.message_count
     having sum(queued + sending + sent + delivered + read + failed) > :longHistory
        and sum(queued + sending + sent + delivered + read + failed) - coalesce(p.message_count, 0) >= :enough`,
    options,
  )
  return found.map(({ id }) => id)
}

/** Locks how far an organization is packed, until the transaction ends; false while somebody else packs it. */
export async function lockIndexing(trx: Db, organizationId: string): Promise<boolean> {
  await rows(
    trx,
    `insert into message_search_progress (organization_id, through_at, through_id, message_count)
     values (:organizationId, '-infinity', '00000000-0000-0000-0000-000000000000', 0) on conflict do nothing`,
    { organizationId },
  )
  const locked = await rows(
    trx,
    `select 1 from message_search_progress where organization_id = :organizationId for update skip locked`,
    { organizationId },
  )
  return locked.length > 0
}

/** The next messages of an organization that are in no pack and two minutes old, oldest first. */
export async function unindexedMessages(trx: Db, organizationId: string, limit: number): Promise<IndexedMessage[]> {
  return rows<IndexedMessage>(
    trx,
    `select ${indexedColumns} from messages m
      where m.organization_id = :organizationId
        and (m.created_at, m.id) > ((select through_at from message_search_progress where organization_id = :organizationId),
                                    (select through_id from message_search_progress where organization_id = :organizationId))
        and m.created_at < (select service_now()) - interval '2 minutes'
      order by m.created_at, m.id limit :limit`,
    { organizationId, limit },
  )
}

/** Writes packs that follow on those there are, and how far the organization is packed now. */
export async function appendBlocks(trx: Db, organizationId: string, packs: readonly SearchBlock[]): Promise<void> {
  const ended = packs.flatMap((pack) => {
    const last = pack.messages.at(-1)
    return last ? [{ pack, end: { untilAt: last.createdAt, untilId: last.id } }] : []
  })
  const last = ended.at(-1)
  if (!last) return
  await insertBlocks(trx, organizationId, ended)
  await rows(
    trx,
    `update message_search_progress set through_at = :untilAt::timestamptz, through_id = :untilId
      where organization_id = :organizationId`,
    { organizationId, ...last.end },
  )
}

/** Writes packs with the places they reach to, and counts their messages as packed. */
export async function insertBlocks(
  trx: Db,
  organizationId: string,
  packs: readonly { readonly pack: SearchBlock; readonly end: BlockEnd }[],
): Promise<void> {
  await rows(
    trx,
    `with written as (
       insert into message_search_blocks (organization_id, until_at, until_id, from_at, ids, search_text, bigrams)
       select :organizationId, until_at, until_id, from_at, ids, search_text, bigrams
         from jsonb_to_recordset(:packs::jsonb) as p(
           until_at timestamptz, until_id uuid, from_at timestamptz, ids uuid[], search_text text, bigrams text)
       returning cardinality(ids) as messages
     )
     update message_search_progress set message_count = message_count + coalesce((select sum(messages) from written), 0)
      where organization_id = :organizationId`,
    {
      organizationId,
      packs: JSON.stringify(
        packs.map(({ pack: { messages, searchText, bigrams }, end }) => ({
          until_at: end.untilAt,
          until_id: end.untilId,
          from_at: messages[0]?.createdAt ?? end.untilAt,
          ids: messages.map(({ id }) => id),
          search_text: searchText,
          bigrams: bigrams,
        })),
      ),
    },
  )
}

/** An organization with changes that its packs do not know of. */
export async function organizationWithChanges(db: Db): Promise<string | null> {
  const [found] = await rows<{ id: string }>(
    db,
    `select organization_id as id from message_search_changes order by organization_id limit 1`,
  )
  return found?.id ?? null
}

/**
 * Takes some changes of an organization whose packing is locked. Answers how many, and the packs they are about, oldest
 * first. Changes of messages that are in no pack yet are forgotten.
 */
export async function takeChanges(
  trx: Db,
  organizationId: string,
  limit: number,
): Promise<{ changes: number; ends: BlockEnd[] }> {
  const [taken] = await rows<{ changes: number; ends: BlockEnd[] | null }>(
    trx,
    `with taken as (
       delete from message_search_changes where ctid = any(array(
         select ctid from message_search_changes where organization_id = :organizationId limit :limit for update skip locked))
       returning created_at, message_id
     ), ends as (
       select distinct pack.until_at, pack.until_id from taken cross join lateral (
         select until_at, until_id from message_search_blocks p
          where p.organization_id = :organizationId and (p.until_at, p.until_id) >= (taken.created_at, taken.message_id)
          order by p.until_at, p.until_id limit 1) pack
     )
     select (select count(*) from taken) as changes,
            (select jsonb_agg(jsonb_build_object('untilAt', until_at::text, 'untilId', until_id) order by until_at, until_id)
               from ends) as ends`,
    { organizationId, limit },
  )
  return { changes: taken?.changes ?? 0, ends: taken?.ends ?? [] }
}

/**
 * Removes a pack and answers the messages of its stretch of the history, as they are now: those behind the end of the
 * pack before it, up to its own end.
 */
export async function removeBlock(trx: Db, organizationId: string, end: BlockEnd): Promise<IndexedMessage[]> {
  const messages = await rows<IndexedMessage>(
    trx,
    `with before as (
       select until_at, until_id from message_search_blocks
        where organization_id = :organizationId and (until_at, until_id) < (:untilAt::timestamptz, :untilId::uuid)
        order by until_at desc, until_id desc limit 1
     )
     select ${indexedColumns} from messages m
      where m.organization_id = :organizationId
        and (m.created_at, m.id) <= (:untilAt::timestamptz, :untilId::uuid)
        and (m.created_at, m.id) > (coalesce((select until_at from before), '-infinity'),
                                    coalesce((select until_id from before), '00000000-0000-0000-0000-000000000000'))
      order by m.created_at, m.id`,
    { organizationId, ...end },
  )
  await rows(
    trx,
    `with removed as (
       delete from message_search_blocks
        where organization_id = :organizationId and until_at = :untilAt::timestamptz and until_id = :untilId
       returning cardinality(ids) as messages
     )
     update message_search_progress set message_count = message_count - coalesce((select sum(messages) from removed), 0)
      where organization_id = :organizationId`,
    { organizationId, ...end },
  )
  return messages
}

/** Merges what was written into the index of packs at once: many packs together cost a fraction of one by one. */
export async function mergeIndex(trx: Db): Promise<void> {
  await rows(trx, `select gin_clean_pending_list(to_regclass('message_search_blocks_text'))`)
}
