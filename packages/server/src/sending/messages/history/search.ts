import { type Db, tryWithin } from '#platform/db/db.ts'
import { countByType } from './counter-store.ts'
import { countMatching } from './counts.ts'
import { countUpTo, everyMessage, type HistoryFilter } from './list-store.ts'
import { type FoundIds, searchFiltered, searchNewest, searchTexts, type TextSearch } from './search-store.ts'

/** A search of an organization's history: the text as it was typed. */
export interface HistorySearch
  extends Pick<TextSearch, 'text' | 'place' | 'limit'>,
    Partial<Pick<TextSearch, 'bound'>> {
  /** Whether a search for this text among all texts is known to take too long (default: false). */
  readonly isSlow?: boolean
}

/** What a search found, and whether searching all texts would have taken too long. */
type FoundInHistory = FoundIds & { readonly isSlow: boolean }

/** Reading so many texts takes 50 ms. */
const mostRead = 100_000
const timeLimitMs = 1000

/**
 * Returns the ids of the messages whose text or recipient contains what was typed, in any case, newest first. One
 * statement searches all of the organization's texts within a second. Two rules stand beside it:
 *
 * - What has no trigram, such as one or two letters, and what takes longer is searched among the newest `bound` texts
 *   (default: 100,000).
 * - With a filter that few messages pass, these messages are read, and at most as many.
 */
export async function searchHistory(db: Db, filter: HistoryFilter, request: HistorySearch): Promise<FoundInHistory> {
  const search = { bound: mostRead, ...request, recipient: recipientPart(request.text) }
  if (await passesFew(db, filter, search.limit)) return { ...(await searchFiltered(db, filter, search)), isSlow: false }
  const isIndexed = hasTrigram(search.text) && hasTrigram(search.recipient)
  const isTried = isIndexed && request.isSlow !== true
  const found = isTried ? await tryWithin(db, timeLimitMs, (trx) => searchTexts(trx, filter, search)) : null
  if (found) return { ...found, isSlow: false }
  return { ...(await searchNewest(db, filter, search)), isSlow: true }
}

/**
 * Whether a filter passes so few messages that it takes longer to find them among all texts than to read each. Of
 * `passing` among `all`, as many as are wanted are expected in `wanted * all / passing` texts.
 */
async function passesFew(db: Db, filter: HistoryFilter, wanted: number): Promise<boolean> {
  const { organizationId, campaignId, reminderId, clientReference, recipient, containerId } = filter
  if ([campaignId, reminderId, clientReference, recipient].some((value) => value !== null)) return true
  const counts = await countByType(db, organizationId)
  const few = Math.ceil(Math.sqrt(wanted * countMatching(counts, { type: null, status: null })))
  if (countMatching(counts, filter) < few) return true
  return containerId !== null && (await countUpTo(db, { ...everyMessage(organizationId), containerId }, few)) < few
}

/**
 * Returns whether the index of trigrams finds what contains `part`. It needs three letters or digits in a row, the
 * beginning of a word, which counts as two, or two at the end of one.
 */
export function hasTrigram(part: string): boolean {
  return /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u.test(part)
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
