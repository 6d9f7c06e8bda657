import { setTimeout as wait } from 'node:timers/promises'
import { appendEvents } from '#events/append.ts'
import { messageEvent } from '#events/message-event.ts'
import { moveAllWaiting } from '#numbers/send-group/failover.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { isRefusal, transaction } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'
import { applyEarlyReceipts } from '#sending/messages/receipts/receipt.ts'
import type { Services } from '#services.ts'
import type { MessageOutcome } from './outcome.ts'
import {
  type BlockedLane,
  type Settled,
  unknownOutcomeIds,
  writeFailed,
  writeRetries,
  writeSent,
  writeUnknown,
} from './outcome-store.ts'

const maxBatch = 1000
/** A second one writes when a whole batch waits for the first. */
const maxWriters = 2
const retryMs = 500
/** The shortest time between two writes, and how much longer each outcome of the last one makes it. */
const leastSpacingMs = 50
const spacingMsOfOne = 5

/** Collects the outcomes of sends and writes many at a time: one UPDATE each costs 13 times as much. */
export interface OutcomeWriter {
  add(settled: Settled): void
  /** Resolves when all outcomes are written, or after `deadlineMs`. */
  drain(deadlineMs: number): Promise<void>
}

/** Returns the shortest time in ms after a write of so many outcomes until the next. */
export function spacingAfter(written: number, longestMs: number): number {
  return Math.min(longestMs, Math.max(leastSpacingMs, written * spacingMsOfOne))
}

/**
 * Starts a writer. The first outcome is written at once. Two writes are 50 ms apart while few outcomes come, so that an
 * event follows its message closely, and up to `longestSpacingMs` while many do, so that many share a statement. While
 * a write runs, outcomes collect for the next. Those of one message are never in two writes: it has one claim at once.
 */
export function startOutcomeWriter(services: Services, longestSpacingMs: number): OutcomeWriter {
  let waiting: Settled[] = []
  const writing = new Set<Promise<void>>()
  let writers = 0
  let batchSize = maxBatch

  /**
   * Puts a batch back. An outcome that the database refuses must not block the others: the batch is halved until it is
   * alone.
   */
  function putBack(batch: readonly Settled[], error: unknown): void {
    const refused = isRefusal(error)
    if (refused && batch.length === 1) {
      // The sweep settles the message once its lease ends.
      services.log.error(
        { event: 'outcome_refused', err: error, messageId: batch[0]?.id },
        'database refused the outcome of a send',
      )
      return
    }
    if (refused) batchSize = Math.ceil(batch.length / 2)
    // The leases are still valid: if the database is back before they end, no message is sent again.
    waiting = [...batch, ...waiting]
    services.log.warn(
      { event: 'outcomes_not_written', err: error, outcomes: waiting.length },
      'failed to write outcomes of sends; retrying',
    )
  }

  /**
   * Writes until nothing waits. A second writer ends earlier, so that few outcomes are not spread over two statements.
   */
  async function run(): Promise<void> {
    writers += 1
    // Outcomes of the same moment are written together, so that the first is not written alone.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0 && (writers === 1 || waiting.length >= batchSize)) {
      const batch = waiting.splice(0, batchSize)
      try {
        await write(services, batch)
        count(services, batch)
        batchSize = Math.min(maxBatch, batchSize * 2)
      } catch (error) {
        putBack(batch, error)
        await wait(isRefusal(error) ? 0 : retryMs, undefined, { ref: false })
      }
      if (waiting.length < maxBatch) await wait(spacingAfter(batch.length, longestSpacingMs), undefined, { ref: false })
    }
    writers -= 1
  }

  return {
    add(settled) {
      waiting.push(settled)
      const isNeeded = writers === 0 || (writers < maxWriters && waiting.length >= batchSize)
      if (!isNeeded) return
      const running = run().finally(() => writing.delete(running))
      writing.add(running)
    },
    async drain(deadlineMs) {
      const timeout = wait(deadlineMs, undefined, { ref: false })
      while (writing.size > 0) {
        const written = Promise.all(writing).then(() => 'written')
        if ((await Promise.race([written, timeout.then(() => 'late')])) === 'late') return
      }
    },
  }
}

const counted = { sent: 'sent', retry: 'retried', released: 'released', unknown: 'unknown', failed: 'failed' } as const

function count({ metrics }: Services, batch: readonly Settled[]): void {
  for (const { outcome } of batch) metrics.messageSent('queue', counted[outcome.is])
}

async function write(services: Services, batch: readonly Settled[]): Promise<void> {
  crashPoint('outcome.before-write')
  const sent = batch.filter(hasOutcome('sent'))
  if (sent.length > 0) {
    await writeSent(services.db, sent)
    crashPoint('outcome.sent-written')
    const ids = sent.map((one) => ({ containerId: one.containerId, networkId: one.outcome.networkId }))
    await applyEarlyReceipts(services, ids)
  }
  if (sent.length < batch.length) await writeUnsent(services, batch)
}

async function writeUnsent(services: Services, batch: readonly Settled[]): Promise<void> {
  const failed = batch.filter(hasOutcome('failed'))
  const blockedLanes = await transaction(services.db, async (trx) => {
    await writeUnknown(trx, batch.filter(hasOutcome('unknown')))
    const subjects = await writeFailed(trx, failed)
    // Last, as it locks lanes: the sweep locks messages, too, and then their lanes.
    const blockedLanes = await writeRetries(trx, [
      ...batch.filter(hasOutcome('retry')),
      ...batch.filter(hasOutcome('released')),
    ])
    const at = new Map(failed.map((one) => [one.id, one.outcome.at]))
    await appendEvents(
      trx,
      subjects.map((subject) => messageEvent('message.failed', subject, at.get(subject.id) ?? services.clock.now())),
    )
    afterCommit(trx, 'lanes')
    crashPoint('outcome.unsent-before-commit')
    return blockedLanes
  })
  crashPoint('outcome.unsent-committed')
  // Receipts usually come before the send returns, and wait for a message that is not known until now.
  const unknownIds = batch.filter(isOutcomeUnknown).map(({ id }) => id)
  if (unknownIds.length > 0) await applyEarlyReceipts(services, await unknownOutcomeIds(services.db, unknownIds))
  await moveBlocked(services, blockedLanes)
}

/** Moves messages that were queued again on a number that is down or removed. The sweep does it should this fail. */
async function moveBlocked(services: Services, blockedLanes: readonly BlockedLane[]): Promise<void> {
  const organizations = new Set(blockedLanes.map(({ organizationId }) => organizationId))
  try {
    for (const organizationId of organizations) await moveAllWaiting(services, organizationId)
    for (const { organizationId, containerId } of blockedLanes.filter(({ removed }) => removed)) {
      await moveAllWaiting(services, organizationId, containerId)
    }
  } catch (error) {
    services.log.warn(
      { event: 'blocked_messages_not_moved', err: error },
      'failed to move messages of a number that is down; the sweep will',
    )
  }
}

/** Returns whether the message may have gone out without a report of the network. */
function isOutcomeUnknown({ outcome }: Settled): boolean {
  return outcome.is === 'unknown' || (outcome.is === 'retry' && outcome.unknownSince !== null)
}

function hasOutcome<Is extends MessageOutcome['is']>(is: Is) {
  return (settled: Settled): settled is Settled<Is> => settled.outcome.is === is
}
