import { type Db, rows } from '../../db/db.ts'
import { type HistoryFilter, type HistoryPlace, selectKeys } from './list-store.ts'

/** What to search for, and where the page begins. */
export interface TextSearch {
  /** Part of the text, in any case. */
  readonly text: string
  /** Part of the recipient. */
  readonly recipient: string
  readonly place: HistoryPlace | null
  readonly limit: number
}

/** A message that matches, with its place in the order. */
export interface FoundMessage {
  readonly id: string
  /** When it was accepted, in microseconds since 1970. */
  readonly at: number
}

/** Texts that are read before the index is used: they hold a frequent part often enough. */
const newestTexts = 20_000

const matches = '(m.recipient like :recipientPart or m.content ilike :content)'
const afterPlace = '(:createdAt::timestamptz is null or (m.created_at, m.id) < (:createdAt::timestamptz, :id::uuid))'
/** Whether message `m` matches, passes the filter and comes after the place. Texts propose messages; the row decides. */
const isFound = `m.organization_id = :organizationId and ${matches} and ${afterPlace}
  and (:type::text is null or m.type = :type) and (:status::text is null or m.status = :status)
  and (:containerId::uuid is null or m.container_id = :containerId)
  and (:campaignId::uuid is null or m.campaign_id = :campaignId)
  and (:clientReference::text is null or m.client_reference = :clientReference)
  and (:reminderId::uuid is null or m.reminder_id = :reminderId)
  and (:recipient::text is null or m.recipient = :recipient)
  and (:errorCode::text is null or m.error_code = :errorCode)
  and (:since::timestamptz is null or m.created_at >= :since)
  and (:until::timestamptz is null or m.created_at < :until)`
/** Whether the search text of `t` may match. A phone number that was typed with punctuation is two parts to find. */
const isProposed = '(t.search_text like lower(:content) or :isTwoParts and t.search_text like :recipientPart)'

/** Reads the messages that the filter passes, newest first, and returns those that match. */
export async function searchRows(db: Db, filter: HistoryFilter, search: TextSearch): Promise<FoundMessage[]> {
  return find(
    db,
    `select id, (extract(epoch from created_at) * 1000000)::int8 as at
       from (${selectKeys(filter, `${matches} and ${afterPlace}`, ':limit', 'message')}) found
      order by created_at desc, id desc limit :limit`,
    filter,
    search,
  )
}

/** Returns the messages that match among those whose text is not copied yet. */
export async function searchChanged(db: Db, filter: HistoryFilter, search: TextSearch): Promise<FoundMessage[]> {
  return find(
    db,
    `select m.id, (extract(epoch from m.created_at) * 1000000)::int8 as at from messages m
      where ${isFound}
        and m.id = any(array(select message_id from message_text_changes where organization_id = :organizationId))`,
    filter,
    search,
  )
}

/** Returns the messages that match among the newest texts, newest first. */
export async function searchNewest(db: Db, filter: HistoryFilter, search: TextSearch): Promise<FoundMessage[]> {
  return find(
    db,
    `select t.message_id as id, (extract(epoch from t.created_at) * 1000000)::int8 as at
       from (select * from message_texts t
              where t.organization_id = :organizationId
                and (t.created_at, t.message_id) < (coalesce(:createdAt::timestamptz, 'infinity'),
                                                    coalesce(:id::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
              order by t.created_at desc, t.message_id desc limit ${newestTexts}) t
      where ${isProposed}
        -- A subquery of its own, so that Postgres reads these rows only.
        and (select true from messages m where m.id = t.message_id and ${isFound})
      order by t.created_at desc, t.message_id desc limit :limit`,
    filter,
    search,
  )
}

/**
 * Returns the messages that match among all texts, newest first. The texts are found by their trigrams and sorted before
 * messages are read: with the limit in sight Postgres would read the texts one by one, in their order.
 */
export async function searchTexts(db: Db, filter: HistoryFilter, search: TextSearch): Promise<FoundMessage[]> {
  return find(
    db,
    `with t as materialized (
       select t.created_at, t.message_id from message_texts t
        where t.organization_id = :organizationId and ${isProposed}
          and (t.created_at, t.message_id) < (coalesce(:createdAt::timestamptz, 'infinity'),
                                              coalesce(:id::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        order by t.created_at desc, t.message_id desc)
     select t.message_id as id, (extract(epoch from t.created_at) * 1000000)::int8 as at
       from (select * from t order by t.created_at desc, t.message_id desc offset 0) t
      where (select true from messages m where m.id = t.message_id and ${isFound})
      order by t.created_at desc, t.message_id desc limit :limit`,
    filter,
    search,
  )
}

function find(db: Db, sql: string, filter: HistoryFilter, search: TextSearch): Promise<FoundMessage[]> {
  const recipientPart = toPattern(search.recipient)
  const content = toPattern(search.text)
  return rows<FoundMessage>(db, sql, {
    ...filter,
    content,
    recipientPart,
    isTwoParts: recipientPart !== content.toLowerCase(),
    createdAt: search.place?.createdAt ?? null,
    id: search.place?.id ?? null,
    limit: search.limit,
  })
}

/** Returns the LIKE pattern of a text that contains `part`. */
function toPattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`
}
