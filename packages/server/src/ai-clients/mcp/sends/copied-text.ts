import { normalizePhone } from '@msgctl/contract'
import { fromContact } from '#ai-clients/mcp/clean-text.ts'
import { yielding } from '#platform/concurrency/yielding.ts'
import type { Db } from '#platform/db/db.ts'
import { hasReadElsewhere, noteRead, type ReadTexts } from './read-text-store.ts'
import type { Sender } from './send-limit-store.ts'
import { shinglesOf } from './shingles.ts'

/** Names of texts in results of tools that read chats. */
const textNames = new Set(['text', 'lastMessage', `text${fromContact}`, `lastMessage${fromContact}`])

/** Notes the texts of chats in an answer, by person, so that they are recognized when they are sent to another one. */
export async function noteTexts(db: Db, reader: Sender, answer: Record<string, unknown>): Promise<void> {
  const texts = new Map<string, string[]>()
  collect(answer, null, texts)
  const noted: ReadTexts[] = []
  const pause = yielding()
  for (const [person, some] of texts) {
    const hashes: number[] = []
    for (const text of some) {
      hashes.push(...shinglesOf(text))
      await pause()
    }
    if (hashes.length > 0) noted.push({ person, hashes })
  }
  if (noted.length > 0) await noteRead(db, reader, noted)
}

function collect(value: unknown, outer: string | null, texts: Map<string, string[]>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, outer, texts)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const person = 'phone' in value && typeof value.phone === 'string' ? value.phone : outer
  for (const [name, field] of Object.entries(value)) {
    if (typeof field !== 'string') collect(field, person, texts)
    else if (person !== null && textNames.has(name)) texts.set(person, [...(texts.get(person) ?? []), field])
  }
}

/**
 * Returns whether a text repeats 60 or more characters in a row of what this client read within the hour in the chat
 * with another person. A heuristic: changed words are not recognized.
 */
export async function repeatsOthers(db: Db, reader: Sender, recipient: string, text: string): Promise<boolean> {
  const hashes = shinglesOf(text)
  if (hashes.length === 0) return false
  return hasReadElsewhere(db, reader, normalizePhone(recipient, { lid: true }) ?? recipient, hashes)
}
