import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Idempotency } from '#api/idempotency/idempotency.ts'
import { scopeName } from '#api/idempotency/key-store.ts'
import { moveLocked } from '#numbers/send-group/failover.ts'
import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import { crashPoint } from '#platform/crash-points.ts'
import type { Clock } from '#platform/db/clock.ts'
import { type Db, isRefusal } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError } from '#platform/errors.ts'
import type { Requester } from '#sending/messages/requester.ts'
import { consumeTrialQuota } from '#sending/messages/trial.ts'
import type { Services } from '#services.ts'
import { type ClaimingRow, insertTexts, type LockedLane, lockLanes, type QueueRow } from './enqueue-store.ts'

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

/** The parts of a request that storing its texts needs. */
interface StoringRequest<Answer> {
  readonly caller: { readonly organizationId: string; readonly trial: boolean }
  readonly idempotency: Pick<Idempotency<Answer>, 'storeWith' | 'transact'>
}

/**
 * Queues the texts of a request, together with its Idempotency-Key, its count of a trial and its answer: all of it, or
 * nothing. One text is stored with those of concurrent requests. `answerOf` makes the answer from the ids of the
 * messages, in the given order. Throws as {@link enqueueTexts}, and TRIAL_LIMIT_REACHED.
 */
export async function storeTexts<Answer>(
  { caller, idempotency }: StoringRequest<Answer>,
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  texts: readonly NewText[],
  answerOf: (ids: readonly string[]) => Answer,
): Promise<Answer> {
  const now = clock.now()
  const queued = texts.map((text) => queueRow(text, now))
  const answer = answerOf(queued.map(({ id }) => id))
  const [row] = queued
  // What a trial counts belongs to this request alone.
  if (row && queued.length === 1 && !caller.trial) {
    if (await idempotency.storeWith(answer, (claim) => storeSoon(db, { row, claim }))) return answer
  }
  return idempotency.transact(async (trx) => {
    await consumeTrialQuota(trx, clock, caller, queued.length)
    await enqueue(trx, queued)
    crashPoint('batch.before-commit')
    return answer
  })
}

/**
 * Queues texts, in the transaction of the caller. Returns their ids in the given order. Throws NO_SESSION_CONFIGURED
 * when a number was removed since it was selected.
 */
export async function enqueueTexts(trx: Db, clock: Clock, texts: readonly NewText[]): Promise<string[]> {
  const now = clock.now()
  const queued = texts.map((text) => queueRow(text, now))
  await enqueue(trx, queued)
  return queued.map(({ id }) => id)
}

/**
 * Locks the lanes of texts that the transaction queues in several steps, and makes them due. Without it, the lanes of a
 * later step would be locked out of their order.
 */
export async function lockLanesFor(
  trx: Db,
  clock: Clock,
  texts: readonly Pick<NewText, 'organizationId' | 'containerId' | 'pinned'>[],
): Promise<void> {
  await moveLate(trx, texts, await lockLanes(trx, texts, clock.now()))
}

async function enqueue(trx: Db, queued: readonly QueueRow[]): Promise<void> {
  const { lanes } = await insertTexts(trx, queued.map(alone), true)
  if (queued.some(({ containerId }) => !lanes.has(containerId))) {
    throw apiError('NO_SESSION_CONFIGURED', 'The number was removed before the message could be queued.')
  }
  await moveLate(trx, queued, lanes)
}

/** Moves texts of a number that went down after it was selected: it has moved its queue already, without them. */
async function moveLate(
  trx: Db,
  texts: readonly Pick<NewText, 'organizationId' | 'containerId' | 'pinned'>[],
  lanes: ReadonlyMap<string, LockedLane>,
): Promise<void> {
  const late = texts.filter(({ pinned, containerId }) => !pinned && lanes.get(containerId)?.open === false)
  const organizations = new Map(
    late.map(({ organizationId, containerId }) => [organizationId, lanes.get(containerId)?.whole === true]),
  )
  for (const [organizationId, areAllLocked] of organizations) await moveLocked(trx, organizationId, areAllLocked)
}

const alone = (row: QueueRow): ClaimingRow => ({ row, claim: null })

/** A dispatcher locks a lane for some milliseconds while it claims. */
const untilFreeMs = [5, 10, 20]

/**
 * Stores one text together with those of concurrent requests. Returns false, with nothing stored, when it needs a
 * transaction of its own: its number went down or was removed, its lane stays locked, or its key is not free.
 */
async function storeSoon(db: Db, entry: ClaimingRow): Promise<boolean> {
  for (const ms of untilFreeMs) {
    const outcome = await store(db, entry)
    if (outcome !== 'locked') return outcome === 'stored'
    await wait(ms)
  }
  return (await store(db, entry)) === 'stored'
}

/**
 * One call at a time: two of this process would only find the lanes of each other locked. Repeats of one key follow
 * each other.
 */
const store = sharedBatcher(storeAll, {
  maxInFlight: 1,
  conflictKey: ({ row, claim }: ClaimingRow) => (claim ? scopeName(claim) : row.id),
})

async function storeAll(db: Db, entries: readonly ClaimingRow[]): Promise<('stored' | 'locked' | 'refused')[]> {
  try {
    const { lanes, refused } = await insertTexts(db, entries, false)
    return entries.map(({ row }) =>
      refused.has(row.id) ? 'refused' : lanes.has(row.containerId) ? 'stored' : 'locked',
    )
  } catch (error) {
    // A row that the database refuses must not fail the others.
    if (isRefusal(error)) return entries.map(() => 'refused')
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
