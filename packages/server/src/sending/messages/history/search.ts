import type { Db } from '#platform/db/db.ts'
import { countByType } from './counter-store.ts'
import { countMatching } from './counts.ts'
import type { HistoryFilter, HistoryPlace } from './list-store.ts'
import { hasTrigram, mostSearched, planStep, type SearchStep } from './search-step.ts'
import {
  countIndexed,
  type FoundMessage,
  lookUpRest,
  lookUpTexts,
  type ReadMessages,
  readMessages,
  readTexts,
  searchChanged,
  type TextSearch,
} from './search-store.ts'

/** A search of an organization's history. */
export interface HistorySearch {
  /** As it was typed. */
  readonly text: string
  /** Only messages after this one, in the order newest first. */
  readonly place: HistoryPlace | null
  /** The greatest number of ids to return. */
  readonly limit: number
  /** A search that the index does not help reads so many messages, or up to 20,000 more (default: 100,000). */
  readonly bound?: number
}

/** Up to this number, all messages are read, in about 5 ms. */
export const longHistory = 10_000
/** Of more, so many are read first: they say how often the text occurs. */
const sample = 2000

/** What a search found. */
export interface FoundIds {
  /** Newest first. */
  readonly ids: readonly string[]
  /** Where the search ended because it has read enough; null when it found enough, or read everything. */
  readonly end: HistoryPlace | null
}

/**
 * Returns the ids of the messages whose text or recipient contains what was typed, in any case, newest first. Few
 * messages are read one by one. Of many, the newest are read first; how many match decides whether reading continues or
 * the index is used, from the newest time back, until there are enough. What the index cannot find, such as one or two
 * letters, is searched for in a limited number of messages.
 */
export async function searchHistory(db: Db, filter: HistoryFilter, request: HistorySearch): Promise<FoundIds> {
  const search = { ...request, recipient: recipientPart(request.text) }
  const counts = await countByType(db, filter.organizationId)
  const passing = countMatching(counts, filter)
  const messages = countMatching(counts, { type: null, status: null })
  if (passing === 0) return { ids: [], end: null }
  const read = isSelective(filter, passing / messages) ? readMessages : readTexts
  const source = { read, first: passing <= longHistory ? longHistory : sample, messages }
  // In this order: a text that is copied between the two is found twice, and never missed.
  const changed = await searchChanged(db, filter, search)
  const { found, end } = await searchBack(db, filter, search, source)
  // The last message that was read belongs to this page: the next one begins after it.
  const before = changed.filter((message) => end === null || !isNewer(end, message))
  return { ids: newestFirst([...before, ...found]).slice(0, search.limit), end }
}

/** Whether an index leads to the messages of the filter, and these are few of all. */
function isSelective(filter: HistoryFilter, share: number): boolean {
  const { campaignId, reminderId, clientReference, recipient, containerId } = filter
  return share < 0.2 || [campaignId, reminderId, clientReference, recipient, containerId].some((id) => id !== null)
}

/** How the messages are read in their order, and how many first. `messages` are all of the organization. */
interface Source {
  readonly read: typeof readTexts
  readonly first: number
  readonly messages: number
}

/** Searches from the newest message back until enough match, or an end before the oldest is reached. */
async function searchBack(
  db: Db,
  filter: HistoryFilter,
  search: TextSearch & Pick<HistorySearch, 'bound'>,
  { read, first, messages }: Source,
): Promise<ReadMessages> {
  const found: FoundMessage[] = []
  let end: ReadMessages['end'] = null
  let isOwnByIndex = true
  const isIndexed = hasTrigram(search.text) && hasTrigram(search.recipient)
  const { limit: wanted, bound = mostSearched } = search
  let place = search.place
  let searched = 0
  let newestMs = 0
  let step: SearchStep = { kind: 'read', count: first }
  for (;;) {
    const remaining = { ...search, place, limit: wanted - found.length, isOwnByIndex }
    if (step.kind === 'end') return { found, end }
    if (step.kind === 'lookUpRest')
      return { found: [...found, ...(await lookUpRest(db, filter, remaining))], end: null }
    if (step.kind === 'lookUp') {
      found.push(...(await lookUpTexts(db, filter, remaining, step)))
      const endMs = step.startsMs.at(-1) ?? 0
      searched *= Math.max(1, newestMs - endMs) / Math.max(1, newestMs - Date.parse(place?.createdAt ?? ''))
      place = { createdAt: new Date(endMs).toISOString(), id: firstId }
    } else {
      const some = await read(db, filter, remaining, step.count)
      found.push(...some.found)
      end = some.end
      if (end === null) return { found, end }
      if (searched === 0) newestMs = Date.parse(end.createdAt) + end.spanMs
      searched += step.count
      place = end
    }
    const oldestMs = Date.parse(place.createdAt)
    if (found.length >= wanted || isBefore(filter.since, oldestMs, step)) return { found, end: null }
    step = planStep({ searched, found: found.length, wanted, newestMs, oldestMs, isIndexed, bound })
    if (step.kind.startsWith('lookUp')) isOwnByIndex = !(await ownsMost(db, messages))
  }
}

/** Whether no message since `since` is left. A look-up searches all of its oldest time, a read perhaps a part of it. */
function isBefore(since: string | null, oldestMs: number, { kind }: SearchStep): boolean {
  if (since === null) return false
  return kind === 'lookUp' ? oldestMs <= Date.parse(since) : oldestMs < Date.parse(since)
}

/** Whether a quarter of the indexed texts belong to an organization with so many messages. */
async function ownsMost(db: Db, messages: number): Promise<boolean> {
  const texts = await countIndexed(db)
  return texts !== null && messages * 4 >= texts
}

/** Before every other id: of a time, no message is left. */
const firstId = '00000000-0000-0000-0000-000000000000'

function newestFirst(found: readonly FoundMessage[]): string[] {
  const byId = new Map(found.map((message) => [message.id, message]))
  return [...byId.values()].sort((a, b) => (isNewer(a, b) ? -1 : 1)).map(({ id }) => id)
}

function isNewer(a: FoundMessage, b: FoundMessage): boolean {
  return a.at > b.at || (a.at === b.at && a.id > b.id)
}

const phoneCharacters = /[\d\s\p{Pd}.()[\]+]/gu

/**
 * Returns what to search for in recipients, which are bare digits: a number may be typed with +, spaces, dashes, dots
 * and brackets, as on every other route.
 */
export function recipientPart(text: string): string {
  return isPhoneLike(text) ? text.replace(/\D/g, '') : text.toLowerCase()
}

function isPhoneLike(text: string): boolean {
  return /\d/.test(text) && text.replace(phoneCharacters, '') === ''
}
