import { optInWord, optOutWord, standardOptOutWords } from '@msgctl/contract'
import type { Db } from '../db/db.ts'
import { type Decision, writeDecisions } from './store.ts'
import { wordsOf } from './words-store.ts'

/** A text that a person wrote to a number, alone with it. */
export interface WrittenText {
  readonly organizationId: string
  readonly contactId: string
  readonly text: string
  readonly at: Date
}

/** Longer texts are no words. */
const longestWord = 60

/**
 * What a text decides about campaigns: a stop word opts out, the word for letting in again opts in, every other text
 * decides nothing. `ownWords` are the organization's own, in the form in which they are compared.
 */
function decisionOf(text: string, ownWords: readonly string[]): boolean | null {
  if (text.length > longestWord) return null
  const word = optOutWord(text)
  if (word === optInWord) return false
  return standardOptOutWords.some((standard) => standard === word) || ownWords.includes(word) ? true : null
}

/** Writes what people decided by what they wrote, in the transaction that stores it; the later of two words holds. */
export async function applyWords(trx: Db, texts: readonly WrittenText[]): Promise<void> {
  const short = texts.filter(({ text }) => text !== '' && text.length <= longestWord)
  if (short.length === 0) return
  const words = await wordsOf(trx, [...new Set(short.map(({ organizationId }) => organizationId))])
  const last = new Map<string, Decision>()
  for (const { organizationId, contactId, text, at } of short) {
    const optedOut = decisionOf(text, words.get(organizationId) ?? [])
    const earlier = last.get(contactId)
    if (optedOut !== null && (!earlier || earlier.at <= at)) last.set(contactId, { contactId, optedOut, at })
  }
  await writeDecisions(trx, [...last.values()])
}
