import { limits, normalizePhone } from '@msgctl/contract'
import type { GatewaySession } from '@msgctl/network/gateway'
import { yielding } from '#platform/concurrency/yielding.ts'
import { type CheckOptions, type CheckServices, checkRecipients } from './check.ts'

/** The verdict on one entry of a list. */
type Verdict = 'on_network' | 'not_on_network' | 'invalid_format' | 'not_asked'

/** One entry of a list, after it was checked. */
export interface CheckedEntry {
  /** As it was written. */
  readonly input: string
  /** Digits, or an id ending in @lid; null for a text of neither shape. */
  readonly recipient: string | null
  readonly verdict: Verdict
  /** The network's own address of the recipient; empty when there is none, or the check failed. */
  readonly chatId: string
}

/** A whole list, after it was checked. */
export interface CheckedList {
  /** Every recipient once, in the order in which they came first. */
  readonly entries: readonly CheckedEntry[]
  /** The entry of each text as it was written, duplicates too. */
  entryOf(given: string): CheckedEntry
  /** When a check of the others may succeed, if that is known. */
  readonly retryAfterMs: number | undefined
}

/** Returns the entries that could not be checked, as they were written. */
export function notCheckedOf({ entries }: Pick<CheckedList, 'entries'>): string[] {
  return entries.flatMap(({ verdict, input }) => (verdict === 'not_asked' ? [input] : []))
}

/**
 * Checks a list as people write it: two spellings of one number are one recipient, and a text that is no number is not
 * checked.
 */
export async function checkList(
  services: CheckServices,
  session: GatewaySession,
  texts: readonly string[],
  options: CheckOptions,
): Promise<CheckedList> {
  const pause = yielding()
  const keys = new Map<string, ReturnType<typeof keyOf>>()
  for (const given of texts) {
    keys.set(given, keyOf(given))
    await pause()
  }
  const recipients = [...new Set(keys.values())].flatMap(({ recipient }) => recipient ?? [])
  const { checks, retryAfterMs } = await checkRecipients(services, session, recipients, options)
  const entries = new Map<string, CheckedEntry>()
  for (const [input, { key, recipient }] of keys) {
    if (!entries.has(key)) entries.set(key, { input, recipient, ...found(recipient, checks) })
    await pause()
  }
  return {
    entries: [...entries.values()],
    entryOf(given) {
      const entry = entries.get(keys.get(given)?.key ?? '')
      if (!entry) throw new Error('this text was not in the list that was checked')
      return entry
    },
    retryAfterMs,
  }
}

function keyOf(given: string): { readonly key: string; readonly recipient: string | null } {
  // The length limit applies to the text as it was sent, as for a single phone.
  const recipient = given.length > limits.phone.max ? null : normalizePhone(given, { lid: true })
  return { key: recipient ?? `? ${given.trim()}`, recipient }
}

function found(
  recipient: string | null,
  checks: Awaited<ReturnType<typeof checkRecipients>>['checks'],
): Pick<CheckedEntry, 'verdict' | 'chatId'> {
  if (recipient === null) return { verdict: 'invalid_format', chatId: '' }
  const check = checks.get(recipient)
  if (!check) return { verdict: 'not_asked', chatId: '' }
  return { verdict: check.onNetwork ? 'on_network' : 'not_on_network', chatId: check.chatId }
}
