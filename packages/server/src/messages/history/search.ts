import type { Db } from '../../db/db.ts'
import { countByType } from './counter-store.ts'
import { countMatching } from './counts.ts'
import type { HistoryFilter, HistoryPlace } from './list-store.ts'
import { type FoundMessage, searchChanged, searchNewest, searchRows, searchTexts } from './search-store.ts'

/** A search of an organization's history. */
export interface HistorySearch {
  /** As it was typed. */
  readonly text: string
  /** Only messages after this one, in the order newest first. */
  readonly place: HistoryPlace | null
  /** The greatest number of ids to return. */
  readonly limit: number
}

/** Up to this number, messages are read one by one, in about 20 ms. */
export const longHistory = 10_000

/**
 * Returns the ids of the messages whose text or recipient contains what was typed, in any case, newest first. Few
 * messages are read one by one. Of many, the newest texts are read first, and the index is used when they hold too few
 * matches.
 */
export async function searchHistory(db: Db, filter: HistoryFilter, request: HistorySearch): Promise<string[]> {
  const search = { ...request, recipient: recipientPart(request.text) }
  const messages = countMatching(await countByType(db, filter.organizationId), filter)
  if (messages === 0) return []
  if (messages <= longHistory) return (await searchRows(db, filter, search)).map(({ id }) => id)
  // In this order: a text that is copied between the two is found twice, and never missed.
  const changed = await searchChanged(db, filter, search)
  const newest = await searchNewest(db, filter, search)
  const texts = newest.length >= search.limit ? newest : await searchTexts(db, filter, search)
  return newestFirst([...changed, ...texts]).slice(0, search.limit)
}

function newestFirst(found: readonly FoundMessage[]): string[] {
  const byId = new Map(found.map((message) => [message.id, message]))
  return [...byId.values()].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
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
