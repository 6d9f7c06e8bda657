import { optInWord, optOutWord, standardOptOutWords } from '@msgctl/contract'
import type { Db } from '#platform/db/db.ts'
import { listOptOutKeywords } from './opt-out-keyword-store.ts'
import { type Decision, writeDecisions } from './store.ts'

/** A text that a contact sent to a number, outside of groups. */
export interface InboundText {
  readonly organizationId: string
  readonly contactId: string
  readonly text: string
  readonly at: Date
}

/** Longer texts are not keywords. */
const maxKeywordLength = 60

const none: ReadonlySet<string> = new Set()

/**
 * Returns the decision of a text about campaigns: an opt-out keyword gives true, the opt-in word false, any other text
 * null. `ownWords` are the keywords of the organization, normalized for the comparison.
 */
function parseDecision(text: string, ownWords: ReadonlySet<string>): boolean | null {
  if (text.length > maxKeywordLength) return null
  const word = optOutWord(text)
  if (word === optInWord) return false
  return standardOptOutWords.some((standard) => standard === word) || ownWords.has(word) ? true : null
}

/**
 * Stores the decisions in received texts, in the transaction that stores the texts. The later of two keywords wins.
 * Returns the texts that are keywords.
 */
export async function applyOptOutKeywords<T extends InboundText>(
  trx: Db,
  texts: readonly T[],
): Promise<ReadonlySet<T>> {
  const short = texts.filter(({ text }) => text !== '' && text.length <= maxKeywordLength)
  const keywords = new Set<T>()
  if (short.length === 0) return keywords
  const stored = await listOptOutKeywords(trx, [...new Set(short.map(({ organizationId }) => organizationId))])
  // Keywords that were stored before the comparison changed are normalized as it is now.
  const words = new Map([...stored].map(([id, some]) => [id, new Set(some.map(optOutWord))]))
  const last = new Map<string, Decision>()
  for (const one of short) {
    const { organizationId, contactId, text, at } = one
    const optedOut = parseDecision(text, words.get(organizationId) ?? none)
    if (optedOut !== null) keywords.add(one)
    const earlier = last.get(contactId)
    if (optedOut !== null && (!earlier || earlier.at <= at)) last.set(contactId, { contactId, optedOut, at })
  }
  await writeDecisions(trx, [...last.values()])
  return keywords
}
