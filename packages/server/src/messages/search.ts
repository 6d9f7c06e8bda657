import type { Db } from '../db/db.ts'
import type { HistoryFilter, HistoryPlace } from './list-store.ts'
import { searchRows } from './search-store.ts'

/** A search of an organization's history. */
export interface HistorySearch {
  /** As it was typed. */
  readonly text: string
  /** Only messages after this one, in the order newest first. */
  readonly place: HistoryPlace | null
  /** How many ids are wanted at most. */
  readonly most: number
}

/** The ids of the messages whose text or recipient contains what was typed, in any case, newest first. */
export async function searchHistory(db: Db, filter: HistoryFilter, search: HistorySearch): Promise<string[]> {
  return searchRows(db, filter, { ...search, recipient: partOfRecipient(search.text) })
}

const phoneLike = /^[\d\s\p{Pd}.()[\]+]*\d[\d\s\p{Pd}.()[\]+]*$/u

/**
 * What to look for in recipients, which are bare digits: a number may be typed with +, spaces, dashes, dots and
 * brackets, as on every other route.
 */
export function partOfRecipient(text: string): string {
  return phoneLike.test(text) ? text.replace(/\D/g, '') : text.toLowerCase()
}
