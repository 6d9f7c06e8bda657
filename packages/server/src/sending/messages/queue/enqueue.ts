import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type KeyReservation, scopeName } from '#api/idempotency/key-store.ts'
import { moveWaiting } from '#numbers/send-group/failover.ts'
import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import type { Clock } from '#platform/db/clock.ts'
import { type Db, isRefusal } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError } from '#platform/errors.ts'
import type { Requester } from '#sending/messages/requester.ts'
import { type ClaimingRow, insertQueued, insertWhereFree, type QueueRow } from './enqueue-store.ts'

/** A text to send through the queue. */
export interface NewText {
  readonly organizationId: string
  readonly containerId: string
  /** True when the caller named the number or used its key: it never moves to another one. */
  readonly pinned: boolean
  readonly type: 'alert' | 'bulk'
  readonly recipient: string
  readonly text: string
  readonly priority: 'high' | 'normal' | 'low'
  readonly clientReference: string | null
  /** The campaign of the message, if any. */
  readonly campaignId?: string
  /** The reminder of the message, if any. */
  readonly reminderId?: string
  /** Who asked for it; absent where a campaign, reminder or assistant did. */
  readonly sentBy?: Requester
  /** The assistant that sends it and the conversation it belongs to, if any. */
  readonly bot?: { readonly botId: string; readonly conversationId: string }
}

/** How much later a message of low priority is placed in its lane: it waits, but not for ever. */
const lowPenaltyMs = 120_000

/**
 * Queues texts, in the transaction of the caller. Returns their ids in the given order. Throws NO_SESSION_CONFIGURED
 * when a number was removed since it was selected.
 */
export async function enqueueTexts(trx: Db, clock: Clock, texts: readonly NewText[]): Promise<string[]> {
  const now = clock.now()
  const queued = texts.map((text) => queueRow(text, now))
  const { missingLanes, closedLanes } = await insertQueued(trx, queued)
  if (missingLanes.length > 0) {
    throw apiError('NO_SESSION_CONFIGURED', 'The number was removed before the message could be queued.')
  }
  // A number that went down after it was selected has moved its queue already, without these messages.
  const late = texts.filter(({ pinned, containerId }) => !pinned && closedLanes.includes(containerId))
  const organizations = new Set(late.map(({ organizationId }) => organizationId))
  for (const organizationId of [...organizations].sort()) await moveWaiting(trx, organizationId)
  return queued.map((message) => message.id)
}

/** A dispatcher locks a lane for some milliseconds while it claims. */
const untilFreeMs = [5, 10, 20]

/**
 * Queues one text, together with those of concurrent requests, and reserves the key that `claimFor` returns for its id.
 * Returns the id. Returns undefined and stores nothing when the caller must use {@link enqueueTexts}: the number went
 * down or was removed, its lane stays locked, or the key is not free.
 */
export async function enqueueBatched(
  db: Db,
  clock: Clock,
  text: NewText,
  claimFor: (messageId: string) => KeyReservation | null,
): Promise<string | undefined> {
  const row = queueRow(text, clock.now())
  const entry = { row, claim: claimFor(row.id) }
  if (await store(db, entry)) return row.id
  for (const ms of untilFreeMs) {
    await wait(ms)
    if (await store(db, entry)) return row.id
  }
  return undefined
}

/**
 * One call at a time: two of this process would only find the lanes of each other locked. Repeats of one key follow
 * each other.
 */
const store = sharedBatcher(storeAll, {
  maxInFlight: 1,
  conflictKey: ({ row, claim }: ClaimingRow) => (claim ? scopeName(claim) : row.id),
})

async function storeAll(db: Db, entries: readonly ClaimingRow[]): Promise<boolean[]> {
  try {
    const stored = await insertWhereFree(db, entries)
    return entries.map(({ row }) => stored.has(row.id))
  } catch (error) {
    // A row that the database refuses must not fail the others.
    if (isRefusal(error)) return entries.map(() => false)
    throw error
  }
}

function queueRow(text: NewText, now: Date): QueueRow {
  return {
    id: newId(),
    organizationId: text.organizationId,
    containerId: text.containerId,
    type: text.type,
    recipient: text.recipient,
    content: text.text,
    priority: text.priority,
    pinned: text.pinned,
    clientReference: text.clientReference,
    campaignId: text.campaignId ?? null,
    reminderId: text.reminderId ?? null,
    sentBy: text.sentBy ?? null,
    botId: text.bot?.botId ?? null,
    conversationId: text.bot?.conversationId ?? null,
    networkClientId: newNetworkId(),
    dueAt: now,
    queueAt: text.priority === 'low' ? new Date(now.getTime() + lowPenaltyMs) : now,
  }
}

/** Returns an id for a message on the network, in the form that the apps of the network use. */
export function newNetworkId(): string {
  // All digits of the first and the last group are random, and Node keeps randomness for many UUIDs ready.
  const uuid = randomUUID()
  return `3EB0${uuid.slice(0, 8)}${uuid.slice(24, 34)}`.toUpperCase()
}
