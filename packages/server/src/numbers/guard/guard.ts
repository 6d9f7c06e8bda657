import type { GuardRule } from '@msgctl/contract'
import { dayMs, daysLinked, type GuardRules, hourMs, type LimitOverrides, limitsFor } from './guard-rules.ts'

/** What a number has sent, or will send, in ten minutes. */
export interface Usage {
  /** The beginning of the ten minutes, in ms. */
  readonly slotMs: number
  readonly messages: number
  readonly conversations: number
}

/** What decides about the messages of one number. */
export interface GuardedNumber {
  readonly linkedAt: Date
  readonly overrides: LimitOverrides
  /** Until when the network lets it begin no conversations. */
  readonly blockedUntil: Date | null
  /** How many conversations the network still allows until `resetsAt`; null where it says nothing. */
  readonly network: { readonly left: number; readonly resetsAt: Date } | null
  /** Whether its campaigns are stopped. */
  readonly campaignsStopped: boolean
  readonly usage: readonly Usage[]
}

/**
 * Who the recipient is to the number: someone who wrote to it within 24 hours, someone it knows, or a person without
 * any message exchanged with it.
 */
export type Relation = 'replied' | 'known' | 'new'

/** A message that may leave now as far as its pace is concerned. */
export interface GuardedMessage {
  readonly id: string
  readonly recipient: string
  readonly relation: Relation
  /** High priority: passes the table. */
  readonly urgent: boolean
  readonly campaign: boolean
  /** Returns when the night of the recipient ends, or null by day; null for a message that may leave at any hour. */
  readonly quietUntil: ((at: Date) => Date | null) | null
  /** Groups messages with the same nights, such as the country. */
  readonly nights: string
}

/** What becomes of one message: it leaves now, or is due at `until` because of `rule`. */
export type Verdict = { readonly id: string; readonly opens: boolean; readonly counts: boolean } & (
  | { readonly rule: null }
  | { readonly rule: GuardRule; readonly until: Date }
)

/**
 * Usage is counted by ten minutes. A window contains each slot that it touches, so no hour or day exceeds its limit.
 */
export const slotMs = 600_000
/** How long a message of a stopped campaign is held before it is judged again. */
const stoppedMs = hourMs
/** A time that no message waits for; beyond it the plan only says "late". */
const mostSteps = 5000

/**
 * Decides about messages of one number, in their order: whether each may leave now, else when, and by which rule it is
 * held. The network's own limits come first. A held message uses its place in the future, so that those after it come
 * later.
 */
export function applyGuard(
  rules: GuardRules,
  number: GuardedNumber,
  messages: readonly GuardedMessage[],
  now: Date,
): Verdict[] {
  const ledger = openLedger(number.usage)
  const opened = new Set<string>()
  const begins = new Map<string, Date>()
  let allowedByNetwork = number.network?.left ?? Number.POSITIVE_INFINITY

  function firstHold(message: GuardedMessage, opens: boolean, at: Date): { rule: GuardRule; until: Date } | null {
    const { blockedUntil, network, linkedAt, overrides } = number
    if (opens && blockedUntil && blockedUntil > at) return { rule: 'time_lock', until: blockedUntil }
    if (opens && network && allowedByNetwork <= 0 && network.resetsAt > at) {
      return { rule: 'network_quota', until: network.resetsAt }
    }
    if (message.urgent) return null
    if (message.campaign && number.campaignsStopped && at <= now) {
      return { rule: 'off_network', until: new Date(at.getTime() + stoppedMs) }
    }
    const limits = limitsFor(rules, daysLinked(linkedAt, at), overrides)
    const checks = [
      opens ? (['conversations', 'conversations', dayMs, limits.conversations] as const) : null,
      ['hour', 'messages', hourMs, limits.perHour] as const,
      ['day', 'messages', dayMs, limits.perDay] as const,
    ]
    for (const check of checks) {
      if (!check) continue
      const [rule, kind, windowMs, limit] = check
      const until = limit === null ? null : ledger.freeAt(kind, at, windowMs, limit)
      if (until) return { rule, until }
    }
    const until = message.campaign ? (message.quietUntil?.(at) ?? null) : null
    return until && until > at ? { rule: 'quiet_hours', until } : null
  }

  return messages.map((message): Verdict => {
    const { id, recipient, relation, urgent } = message
    if (relation === 'replied') return { id, opens: false, counts: false, rule: null }
    const opens = relation === 'new' && !opened.has(recipient)
    const first = firstHold(message, opens, now)
    const plan = `${opens} ${urgent} ${message.campaign} ${message.nights}`
    let at = now
    if (first) {
      // Messages of one kind leave in their order: the search begins where the last one ended.
      at = latest(first.until, begins.get(plan) ?? first.until)
      for (let steps = 0; steps < mostSteps; steps++) {
        const next = firstHold(message, opens, at)
        if (!next) break
        at = next.until
      }
      begins.set(plan, at)
    }
    ledger.add(at, opens)
    if (opens) {
      opened.add(recipient)
      if (first?.rule !== 'network_quota') allowedByNetwork -= 1
    }
    return first ? { id, opens, counts: true, rule: first.rule, until: at } : { id, opens, counts: true, rule: null }
  })
}

/** Returns what was used in a window before a time, with all of each ten minutes that the window touches. */
export function usedSince(
  usage: readonly Usage[],
  kind: 'messages' | 'conversations',
  at: Date,
  windowMs: number,
): number {
  const [first, last] = [slotOf(at.getTime() - windowMs), slotOf(at.getTime())]
  const inWindow = usage.filter(({ slotMs: ms }) => slotOf(ms) >= first && slotOf(ms) <= last)
  return inWindow.reduce((sum, slot) => sum + slot[kind], 0)
}

interface Ledger {
  add(at: Date, opens: boolean): void
  /** Returns when a window of this length has room again, or null when it has room at `at`. */
  freeAt(kind: 'messages' | 'conversations', at: Date, windowMs: number, limit: number): Date | null
}

function openLedger(usage: readonly Usage[]): Ledger {
  const slots = new Map<number, { messages: number; conversations: number }>()
  for (const { slotMs: ms, messages, conversations } of usage) {
    const slot = slotOf(ms)
    const sum = slots.get(slot) ?? { messages: 0, conversations: 0 }
    slots.set(slot, { messages: sum.messages + messages, conversations: sum.conversations + conversations })
  }
  return {
    add(at, opens) {
      const slot = slotOf(at.getTime())
      const sum = slots.get(slot) ?? { messages: 0, conversations: 0 }
      slots.set(slot, { messages: sum.messages + 1, conversations: sum.conversations + (opens ? 1 : 0) })
    },
    freeAt(kind, at, windowMs, limit) {
      const ms = at.getTime()
      const [first, last] = [slotOf(ms - windowMs), slotOf(ms)]
      let used = 0
      for (let slot = first; slot <= last; slot++) used += slots.get(slot)?.[kind] ?? 0
      if (used < limit) return null
      for (let slot = first; slot <= last; slot++) {
        used -= slots.get(slot)?.[kind] ?? 0
        if (used < limit) return new Date((slot + 1) * slotMs + windowMs)
      }
      return new Date(ms + windowMs)
    },
  }
}

function slotOf(ms: number): number {
  return Math.floor(ms / slotMs)
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b
}
