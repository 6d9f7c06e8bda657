import { type Db, rows } from '../../db/db.ts'
import { type HistoryFilter, type HistoryPlace, selectKeys } from './list-store.ts'

/** What to look for in rows, and from where on. */
export interface RowSearch {
  /** Part of the text, in any case. */
  readonly text: string
  /** Part of the recipient. */
  readonly recipient: string
  readonly place: HistoryPlace | null
  readonly limit: number
}

/** The same for packs: what their lines hold, and what of it their index can find. */
export interface BlockSearch extends RowSearch {
  /** Parts of a line as it is folded: one of them has to be there. */
  readonly folded: readonly string[]
  /** Conditions on packs, each an alternative: the folded part whose trigrams are looked up, or the words of `pairs`. */
  readonly lookups: readonly BlockLookup[]
  /** The end of the last pack. */
  readonly packed: IndexedPosition
}

/** How far a history is packed; a place before everything when it is not. */
export interface IndexedPosition {
  readonly packedAt: string
  readonly packedId: string
}

/** One way for a pack to be worth reading. */
export type BlockLookup = { readonly part: string } | { readonly part: string; readonly words: readonly string[] }

const matches = '(m.recipient like :recipient or m.content ilike :content)'
const afterPosition = `(:createdAt::timestamptz is null or (m.created_at, m.id) < (:createdAt::timestamptz, :id::uuid))`

/** Reads the rows that the filter lets pass, newest first, and answers the ids of those that match. */
export async function searchRows(db: Db, filter: HistoryFilter, search: RowSearch): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select id from (${selectKeys(filter, `${matches} and ${afterPosition}`, ':most')}) found
      order by created_at desc, id desc limit :most`,
    { ...filter, ...bound(search) },
  )
  return found.map(({ id }) => id)
}

/** How far an organization's history is packed. A search names the place, so that Postgres sees how little lies behind it. */
export async function findIndexedPosition(db: Db, organizationId: string): Promise<IndexedPosition> {
  const [place] = await rows<IndexedPosition>(
    db,
    `select through_at::text as "packedAt", through_id as "packedId" from message_search_progress
      where organization_id = :organizationId`,
    { organizationId },
  )
  return place ?? { packedAt: '-infinity', packedId: '00000000-0000-0000-0000-000000000000' }
}

/** A message that matches, and its place in the order. */
export interface Found {
  readonly id: string
  /** When it was accepted, in microseconds since 1970. */
  readonly at: number
}

/** A pack, by its end. */
export interface BlockKey {
  readonly untilAt: string
  readonly untilId: string
  /** The time of its end, as {@link Found} tells it. */
  readonly at: number
}

const inHistory = `
  m.organization_id = :organizationId and ${matches} and ${afterPosition}
  and (:type::text is null or m.type = :type) and (:status::text is null or m.status = :status)`
const foundColumns = '(extract(epoch from m.created_at) * 1000000)::int8 as at, m.id'
const blockColumns = `p.until_at::text as "untilAt", p.until_id as "untilId",
  (extract(epoch from p.until_at) * 1000000)::int8 as at`
const beforePosition = '(:createdAt::timestamptz is null or p.from_at <= :createdAt)'

/** What matches outside of packs: messages behind the last of them, and those that changed since they were packed. */
export async function searchUnindexed(db: Db, filter: HistoryFilter, search: BlockSearch): Promise<Found[]> {
  return rows<Found>(
    db,
    `(select ${foundColumns} from messages m
       where ${inHistory} and (m.created_at, m.id) > (:packedAt::timestamptz, :packedId::uuid)
       order by m.created_at desc, m.id desc limit :most)
     union
     select ${foundColumns} from messages m
      where ${inHistory}
        and m.id in (select message_id from message_search_changes where organization_id = :organizationId)`,
    { ...filter, ...bound(search), ...search.packed },
  )
}

/** The newest packs in which messages after the search's place can be, newest first. */
export async function newestBlocks(
  db: Db,
  organizationId: string,
  search: RowSearch,
  limit: number,
): Promise<BlockKey[]> {
  return rows<BlockKey>(
    db,
    `select ${blockColumns} from message_search_blocks p
      where p.organization_id = :organizationId and ${beforePosition}
      order by p.until_at desc, p.until_id desc limit :limit`,
    { organizationId, limit, createdAt: search.place?.createdAt ?? null },
  )
}

/** The packs before `end` that may hold what is looked for, newest first. */
export async function lookUpBlocks(
  db: Db,
  organizationId: string,
  search: BlockSearch,
  end: BlockKey,
): Promise<BlockKey[]> {
  const lookup = lookupOf(search.lookups)
  return rows<BlockKey>(
    db,
    `select ${blockColumns} from message_search_blocks p
      where p.organization_id = :organizationId and ${beforePosition} and (${lookup.condition})
        and (p.until_at, p.until_id) < (:untilAt::timestamptz, :untilId::uuid)
      order by p.until_at desc, p.until_id desc`,
    {
      organizationId,
      untilAt: end.untilAt,
      untilId: end.untilId,
      createdAt: search.place?.createdAt ?? null,
      ...lookup.bindings,
    },
  )
}

/** What matches in some packs. A pack only proposes: every message is read as it is now. */
export async function searchBlocks(
  db: Db,
  filter: HistoryFilter,
  search: BlockSearch,
  packs: readonly BlockKey[],
): Promise<Found[]> {
  const proposed = search.folded.map((_, n) => `line.folded like :folded${n}`).join(' or ')
  return rows<Found>(
    db,
    `select found.at, found.id
       from unnest(:ats::timestamptz[], :ids::uuid[]) as wanted(until_at, until_id)
       cross join lateral (
         select p.ids, p.search_text from message_search_blocks p where p.organization_id = :organizationId
            and p.until_at = wanted.until_at and p.until_id = wanted.until_id offset 0) pack
       cross join lateral unnest(pack.ids, string_to_array(pack.search_text, E'\\x1e')) as line(id, folded)
       cross join lateral (select ${foundColumns} from messages m where ${inHistory} and m.id = line.id offset 0) found
      where ${proposed}`,
    {
      ...filter,
      ...bound(search),
      ats: packs.map((pack) => pack.untilAt),
      ids: packs.map((pack) => pack.untilId),
      ...Object.fromEntries(search.folded.map((part, n) => [`folded${n}`, `%${part}%`])),
    },
  )
}

/** Folded text holds nothing that LIKE takes for more than itself. */
function lookupOf(lookups: readonly BlockLookup[]): { condition: string; bindings: Record<string, string> } {
  const bindings: Record<string, string> = {}
  const condition = lookups
    .map((lookup, n) => {
      bindings[`part${n}`] = 'words' in lookup ? lookup.part : `%${lookup.part}%`
      if (!('words' in lookup)) return `p.search_text like :part${n}`
      const words = lookup.words.map((word, at) => {
        bindings[`word${n}_${at}`] = `%\u001e${word}\u001e%`
        return `p.bigrams like :word${n}_${at}`
      })
      return `(${words.join(' and ')} and strpos(p.search_text, :part${n}) > 0)`
    })
    .join(' or ')
  return { condition, bindings }
}

function bound(search: RowSearch) {
  return {
    content: contains(search.text),
    recipient: contains(search.recipient),
    createdAt: search.place?.createdAt ?? null,
    id: search.place?.id ?? null,
    most: search.limit,
  }
}

/** The LIKE pattern of a text that contains `part`. */
function contains(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`
}
