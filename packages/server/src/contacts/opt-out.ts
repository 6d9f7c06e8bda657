import { optInWord, optOutWord, standardOptOutWords } from '@msgctl/contract'
import type { Db } from '../db/db.ts'
import { listOptOutKeywords } from './opt-out-keyword-store.ts'
import { type Decision, writeDecisions } from './store.ts'

/** A text that a person wrote to a number, alone with it. */
export interface InboundText {
  readonly organizationId: string
  readonly contactId: string
  readonly text: string
  readonly at: Date
}

/** Longer texts are no words. */
const maxKeywordLength = 60

/**
 * What a text decides about campaigns: a stop word opts out, the word for letting in again opts in, every other text
 * decides nothing. `ownWords` are the organization's own, in the form in which they are compared.
 */
function parseDecision(text: string, ownWords: readonly string[]): boolean | null {
  if (text.length > maxKeywordLength) return null
  const word = optOutWord(text)
  if (word === optInWord) return false
  return standardOptOutWords.some((standard) => standard === word) || ownWords.includes(word) ? true : null
}

/** Writes what people decided by what they wrote, in the transaction that stores it; the later of two words holds. */
export async function applyOptOutKeywords(trx: Db, texts: readonly InboundText[]): Promise<void> {
  const short = texts.filter(({ text }) => text !== '' && text.length <= maxKeywordLength)
  if (short.length === 0) return
  const words = await listOptOutKeywords(trx, [...new Set(short.map(({ organizationId }) => organizationId))])
  const last = new Map<string, Decision>()
  for (const { organizationId, contactId, text, at } of short) {
    const optedOut = parseDecision(text, words.get(organizationId) ?? [])
    const earlier = last.get(contactId)
    if (optedOut !== null && (!earlier || earlier.at <= at)) last.set(contactId, { contactId, optedOut, at })
  }
  await writeDecisions(trx, [...last.values()])
}
