import { type Db, rows } from '#platform/db/db.ts'
import { type HistoryFilter, type HistoryPlace, narrowingConditions, selectKeys } from './list-store.ts'

/** What to search for, and where the page begins. */
export interface TextSearch {
  /** Part of the text, in any case. */
  readonly text: string
  /** Part of the recipient. */
  readonly recipient: string
  /** Only messages after this one, in the order newest first. */
  readonly place: HistoryPlace | null
  /** The greatest number of ids to return. */
  readonly limit: number
  /** The greatest number of messages that a search without the index of trigrams reads. */
  readonly bound: number
}

/** What a search found. */
export interface FoundIds {
  /** Newest first. */
  readonly ids: readonly string[]
  /** The last message that was read, where the search ended before the oldest one without enough matches. */
  readonly end: HistoryPlace | null
}

const matches = (alias: string) => `(${alias}.recipient like :recipientPart or ${alias}.content ilike :content)`
const afterPlace = '(:createdAt::timestamptz is null or (m.created_at, m.id) < (:createdAt::timestamptz, :id::uuid))'

/** Whether message `m` matches, passes the filter and comes after the place. */
function isFound(filter: HistoryFilter): string {
  return `m.organization_id = :organizationId and ${matches('m')} and ${afterPlace}
    and (:type::text is null or m.type = :type) and (:status::text is null or m.status = :status)
    ${narrowingConditions(filter)}`
}

/**
 * Whether text `t` matches: texts propose messages, the row decides. A phone number that was typed with punctuation is
 * two parts to find. A subquery of its own, so that Postgres reads the rows of proposed messages only.
 */
function isProposed(filter: HistoryFilter): string {
  return `(t.search_text like lower(:content) or :isTwoParts and t.search_text like :recipientPart)
    and (select true from messages m where m.id = t.id and ${isFound(filter)})`
}

/** The texts after the place, in the time of the filter. */
const texts = `
  select t.created_at, t.message_id as id, t.search_text from message_texts t
   where t.organization_id = :organizationId
     and (t.created_at, t.message_id) < (coalesce(:createdAt::timestamptz, 'infinity'),
                                         coalesce(:id::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
     and (:since::timestamptz is null or t.created_at >= :since)
     and (:until::timestamptz is null or t.created_at < :until)`
const newestOnes = 'order by created_at desc, id desc limit :bound::bigint'

/** Searches all texts: Postgres decides whether it follows their order or the index of trigrams. */
export function searchTexts(db: Db, filter: HistoryFilter, search: TextSearch): Promise<FoundIds> {
  return find(
    db,
    { read: `not materialized (${texts})`, condition: isProposed(filter), isBounded: false },
    filter,
    search,
  )
}

/** Searches the newest texts in their order. */
export function searchNewest(db: Db, filter: HistoryFilter, search: TextSearch): Promise<FoundIds> {
  const read = `not materialized (${texts} ${newestOnes})`
  return find(db, { read, condition: isProposed(filter), isBounded: true }, filter, search)
}

/** Searches the newest messages that the filter passes, in the order of the filter's own index. */
export function searchFiltered(db: Db, filter: HistoryFilter, search: TextSearch): Promise<FoundIds> {
  const columns = ['m.recipient', 'm.content']
  const keys = selectKeys(filter, afterPlace, ':bound::bigint', { reads: 'message', columns })
  const read = `materialized (select * from (${keys}) k ${newestOnes})`
  return find(db, { read, condition: matches('t'), isBounded: true }, filter, search)
}

/** What a search reads. */
interface Source {
  /** SQL of the rows `t`. Where they are not materialized, their order can end the search early. */
  readonly read: string
  /** Which of them match. */
  readonly condition: string
  /** Whether at most `bound` are read. */
  readonly isBounded: boolean
}

/**
 * Messages whose text is not copied yet are searched too. Of those, the ones older than the last row that was read
 * belong to the next page.
 */
async function find(
  db: Db,
  { read, condition, isBounded }: Source,
  filter: HistoryFilter,
  search: TextSearch,
): Promise<FoundIds> {
  const [result] = await rows<{ ids: string[]; endsAt: string | null; endId: string | null }>(
    db,
    `with t as ${read}, proposed as materialized (
       select id, created_at from t where ${condition} order by created_at desc, id desc limit :limit
     ), last as materialized (
       select id, created_at from t where :isBounded::boolean and (select count(*) from proposed) < :limit
        order by created_at desc, id desc limit 1 offset :bound::bigint - 1
     ), found as (
       select id, created_at from proposed
       union
       select m.id, m.created_at from messages m
        where m.id = any(array(select message_id from message_text_changes where organization_id = :organizationId))
          and ${isFound(filter)}
     )
     select array(select id from found f
                   where not exists (select from last l where (f.created_at, f.id) < (l.created_at, l.id))
                   order by created_at desc, id desc limit :limit) as ids,
            (select created_at::text from last) as ends_at, (select id from last) as end_id`,
    { ...toBindings(filter, search), isBounded },
  )
  const { ids = [], endsAt = null, endId = null } = result ?? {}
  return { ids, end: endsAt === null || endId === null ? null : { createdAt: endsAt, id: endId } }
}

function toBindings(filter: HistoryFilter, search: TextSearch): Record<string, unknown> {
  const recipientPart = toPattern(search.recipient)
  const content = toPattern(search.text)
  return {
    ...filter,
    content,
    recipientPart,
    isTwoParts: recipientPart !== content.toLowerCase(),
    createdAt: search.place?.createdAt ?? null,
    id: search.place?.id ?? null,
    limit: search.limit,
    bound: search.bound,
  }
}

/** Returns the LIKE pattern of a text that contains `part`. */
function toPattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`
}
