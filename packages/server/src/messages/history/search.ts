import type { Db } from '../../db/db.ts'
import { countByType } from './counter-store.ts'
import { countMatching } from './counts.ts'
import type { HistoryFilter, HistoryPlace } from './list-store.ts'
import { bigramWord, normalizeText } from './search-index.ts'
import {
  type BlockKey,
  type BlockLookup,
  type BlockSearch,
  type Found,
  findIndexedPosition,
  lookUpBlocks,
  newestBlocks,
  searchBlocks,
  searchRows,
  searchUnindexed,
} from './search-store.ts'

/** A search of an organization's history. */
export interface HistorySearch {
  /** As it was typed. */
  readonly text: string
  /** Only messages after this one, in the order newest first. */
  readonly place: HistoryPlace | null
  /** How many ids are wanted at most. */
  readonly limit: number
}

/** A history of this length is read row by row, in some 20 ms; a longer one is packed. */
export const longHistory = 10_000

/**
 * The ids of the messages whose text or recipient contains what was typed, in any case, newest first. What the filter
 * lets pass is read row by row while that is little, and found through packs otherwise.
 */
export async function searchHistory(db: Db, filter: HistoryFilter, search: HistorySearch): Promise<string[]> {
  const recipient = recipientPart(search.text)
  const rowSearch = { ...search, recipient }
  const { organizationId } = filter
  const [counts, packed] = await Promise.all([countByType(db, organizationId), findIndexedPosition(db, organizationId)])
  const messages = countMatching(counts, filter)
  if (messages === 0) return []
  if (messages <= longHistory) return searchRows(db, filter, rowSearch)
  const folded = [...new Set([normalizeText(search.text), normalizeText(recipient)])]
  return searchLong(db, filter, { ...rowSearch, folded, packed, lookups: folded.map(buildLookup) })
}

/** Packs that are read before anything is looked up: what is frequent is found in them often enough. */
const firstBlocks = 50
const maxBlocks = 800

/**
 * Reads packs from the newest on, more at a time, and only those that a look-up names once the first found too little. It
 * ends when so many are found that nothing in the next pack can stand before them: what changed since it was packed may
 * be of any age, and counts for nothing until the packs before it were read.
 */
async function searchLong(db: Db, filter: HistoryFilter, search: BlockSearch): Promise<string[]> {
  const found = new Map<string, Found>()
  const add = (some: readonly Found[]) => {
    for (const one of some) found.set(one.id, one)
  }
  const [outside, newest] = await Promise.all([
    searchUnindexed(db, filter, search),
    newestBlocks(db, filter.organizationId, search, 4 * firstBlocks),
  ])
  add(outside)
  const isEnoughBefore = ({ at, untilId }: BlockKey) => {
    const newer = [...found.values()].filter((one) => isNewer(one, { at, id: untilId }))
    return newer.length >= search.limit
  }
  const readAll = async (packs: readonly BlockKey[]) => {
    let size = firstBlocks
    for (let from = 0; ; ) {
      const next = packs[from]
      if (!next || isEnoughBefore(next)) return
      add(await searchBlocks(db, filter, search, packs.slice(from, from + size)))
      from += size
      size = Math.min(size * 2, maxBlocks)
    }
  }
  await readAll(newest)
  const last = newest.at(-1)
  if (last && !isEnoughBefore(last)) await readAll(await lookUpBlocks(db, filter.organizationId, search, last))
  return [...found.values()]
    .sort((a, b) => (isNewer(a, b) ? -1 : 1))
    .slice(0, search.limit)
    .map(({ id }) => id)
}

/** Whether `one` stands before `other` in the order newest first. */
function isNewer(one: Found, other: Found): boolean {
  return one.at > other.at || (one.at === other.at && one.id > other.id)
}

const phoneCharacters = /[\d\s\p{Pd}.()[\]+]/gu

/**
 * What to look for in recipients, which are bare digits: a number may be typed with +, spaces, dashes, dots and
 * brackets, as on every other route.
 */
export function recipientPart(text: string): string {
  return isPhoneLike(text) ? text.replace(/\D/g, '') : text.toLowerCase()
}

function isPhoneLike(text: string): boolean {
  return /\d/.test(text) && text.replace(phoneCharacters, '') === ''
}

const hasTrigram = /[\p{L}\p{N}]{3}/u
const maxWords = 4

/** How the packs that may hold a folded part are found: by its trigrams, or by its pairs when it has none. */
export function buildLookup(part: string): BlockLookup {
  if (hasTrigram.test(part)) return { part }
  const characters = Array.from(part)
  const pairs = characters.slice(1).map((character, n) => (characters[n] ?? '') + character)
  const words = (pairs.length > 0 ? pairs : characters).slice(0, maxWords).map(bigramWord)
  return { part, words: [...new Set(words)] }
}
