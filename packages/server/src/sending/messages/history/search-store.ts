import { type Db, rows } from '#platform/db/db.ts'
import { isInPlaces } from './list-source.ts'
import { type HistoryFilter, type HistoryPlace, selectKeys } from './list-store.ts'
import type { TimeUnit } from './search-step.ts'

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

/** Messages that match among those that were read in their order. */
export interface ReadMessages {
  readonly found: readonly FoundMessage[]
  /** The last message that was read, and how many milliseconds it is older than the first; null when none is left. */
  readonly end: (HistoryPlace & FoundMessage & { readonly spanMs: number }) | null
}

const matches = '(m.recipient like :recipientPart or m.content ilike :content)'
const afterPlace = '(:createdAt::timestamptz is null or (m.created_at, m.id) < (:createdAt::timestamptz, :id::uuid))'
/**
 * Whether message `m` matches, passes the filter and comes after the place. Texts propose messages; the row decides.
 */
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
/** Whether text `t` comes after the place, in the time of the filter. */
const isAfter = `(t.created_at, t.message_id) < (coalesce(:createdAt::timestamptz, 'infinity'),
                                      coalesce(:id::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  and (:since::timestamptz is null or t.created_at >= :since)
  and (:until::timestamptz is null or t.created_at < :until)`
const isOwn = 't.organization_id = :organizationId'
const found = `id, (extract(epoch from created_at) * 1000000)::int8 as at`

/** Returns the messages that match among those whose text is not copied yet. */
export async function searchChanged(db: Db, filter: HistoryFilter, search: TextSearch): Promise<FoundMessage[]> {
  return rows<FoundMessage>(
    db,
    `select ${found} from messages m
      where ${isFound}
        and m.id = any(array(select message_id from message_text_changes where organization_id = :organizationId))`,
    toBindings(filter, search),
  )
}

/** Reads the next `count` texts, newest first, and returns the messages that match. */
export async function readTexts(
  db: Db,
  filter: HistoryFilter,
  search: TextSearch,
  count: number,
): Promise<ReadMessages> {
  const read = `select t.created_at, t.message_id as id, t.search_text from message_texts t where ${isOwn}
    and ${isAfter}
    order by t.created_at desc, t.message_id desc limit :count::bigint`
  // A subquery of its own, so that Postgres reads the rows of these messages only.
  return readSome(db, read, `${isProposed} and (select true from messages m where m.id = t.id and ${isFound})`, {
    filter,
    search,
    count,
  })
}

/** Reads the next `count` messages that the filter passes, newest first, and returns those that match. */
export async function readMessages(
  db: Db,
  filter: HistoryFilter,
  search: TextSearch,
  count: number,
): Promise<ReadMessages> {
  const most = ':count::bigint'
  const newest = (keys: string) => `select * from (${keys}) k order by created_at desc, id desc limit ${most}`
  // The places first: with all columns in sight Postgres would start other processes to read them.
  const read = isInPlaces(filter)
    ? `select k.created_at, k.id, m.recipient, m.content
         from (${newest(selectKeys(filter, afterPlace, most, { reads: 'place' }))}) k join messages m on m.id = k.id`
    : newest(selectKeys(filter, afterPlace, most, { reads: 'message', columns: ['m.recipient', 'm.content'] }))
  return readSome(db, read, matches.replaceAll('m.', 't.'), { filter, search, count })
}

/**
 * Runs a statement that reads some rows in their order. With the rows that match it returns the last one, if there may
 * be more.
 */
async function readSome(
  db: Db,
  read: string,
  condition: string,
  { filter, search, count }: { filter: HistoryFilter; search: TextSearch; count: number },
): Promise<ReadMessages> {
  const some = await rows<FoundMessage & { endsAt: string | null; spanMs: number }>(
    db,
    `with t as materialized (${read})
     (select ${found}, null as ends_at, 0 as span_ms from t where ${condition}
       order by created_at desc, id desc limit :limit)
     union all
     (select ${found}, created_at::text,
         (extract(epoch from (select max(created_at) from t) - created_at) * 1000)::float8
        from (select created_at, id from t order by created_at, id limit 1) last
       where (select count(*) from t) = :count::bigint)`,
    { ...toBindings(filter, search), count },
  )
  const end = some.find((row) => row.endsAt !== null)
  return {
    found: some.filter((row) => row.endsAt === null),
    end: end?.endsAt ? { ...end, createdAt: end.endsAt } : null,
  }
}

/** A look-up by trigrams. */
interface LookUp extends TextSearch {
  /**
   * Whether the organization is found by the index too. That reads the index's list of all its texts: where most texts
   * are its own, it is faster to leave out those of others afterwards.
   */
  readonly isOwnByIndex: boolean
}

function isOwnIn({ isOwnByIndex }: LookUp): string {
  return isOwnByIndex ? isOwn : `(${isOwn}) is true`
}

/** Returns about how many texts the index of trigrams has, of all organizations; null without the index. */
export async function countIndexed(db: Db): Promise<number | null> {
  const [counted] = await rows<{ texts: number }>(
    db,
    `select reltuples::float8 as texts from pg_class
      where oid = to_regclass('message_texts') and to_regclass('message_texts_search') is not null`,
  )
  return counted?.texts ?? null
}

/**
 * Returns the messages that match among the texts of some hours or days, newest first. Each unit is one probe of the
 * index, which begins with it.
 */
export async function lookUpTexts(
  db: Db,
  filter: HistoryFilter,
  search: LookUp,
  { unit, startsMs }: { readonly unit: TimeUnit; readonly startsMs: readonly number[] },
): Promise<FoundMessage[]> {
  const length = `interval '1 ${unit}'`
  const proposed = `select t.* from unnest(:starts::timestamptz[]) as unit(start) cross join lateral (
    select t.created_at, t.message_id from message_texts t
     where date_bin(${length}, t.created_at, timestamptz 'epoch') = unit.start
       and t.created_at >= unit.start and t.created_at < unit.start + ${length} and ${isOwnIn(search)}
       and ${isAfter} and ${isProposed} offset 0) t`
  const starts = startsMs.map((ms) => new Date(ms).toISOString())
  return findProposed(db, proposed, filter, search, { starts })
}

/** Returns the messages that match among all texts after the place, newest first. They are found by their trigrams. */
export async function lookUpRest(db: Db, filter: HistoryFilter, search: LookUp): Promise<FoundMessage[]> {
  const proposed = `select t.created_at, t.message_id from message_texts t
    where ${isOwnIn(search)} and ${isAfter} and ${isProposed}`
  return findProposed(db, proposed, filter, search)
}

/**
 * The texts are found by their trigrams and sorted before messages are read: with the limit in sight Postgres would
 * read the texts one by one, in their order.
 */
function findProposed(
  db: Db,
  proposed: string,
  filter: HistoryFilter,
  search: TextSearch,
  bindings: Record<string, unknown> = {},
): Promise<FoundMessage[]> {
  return rows<FoundMessage>(
    db,
    `with t as materialized (
       select created_at, message_id as id from (${proposed}) t order by created_at desc, message_id desc)
     select ${found} from (select * from t order by created_at desc, id desc offset 0) t
      where (select true from messages m where m.id = t.id and ${isFound})
      order by created_at desc, id desc limit :limit`,
    { ...toBindings(filter, search), ...bindings },
  )
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
  }
}

/** Returns the LIKE pattern of a text that contains `part`. */
function toPattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`
}
