import { hasReached } from '@msgctl/contract'
import { appendEvents, type NewEvent } from '#events/append.ts'
import { messageEvent } from '#events/message-event.ts'
import { noteReached } from '#numbers/recipients/check-store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { applyReceipt, type Progress } from './receipt-rules.ts'
import {
  dropStaleEarly,
  isAnyEarly,
  keepEarly,
  lockTargets,
  type NetworkReceipt,
  type ReceiptTarget,
  takeEarly,
  writeProgress,
} from './receipt-store.ts'

type Receiving = Pick<Services, 'db'>

const order = { sent: 0, failed: 1, delivered: 2, read: 3, played: 4 }

/**
 * Applies receipts of the network: the status of a message only rises, and each step is reported once. Receipts for ids
 * that are not stored yet are kept; {@link applyEarlyReceipts} applies them once the id is stored.
 */
export async function applyReceipts(services: Receiving, receipts: readonly NetworkReceipt[]): Promise<void> {
  if (receipts.length === 0) return
  const early = await transaction(services.db, async (trx) => {
    const targets = await lockTargets(trx, receipts)
    const known = new Set(targets.map(keyOf))
    const unknown = receipts.filter((receipt) => !known.has(keyOf(receipt)))
    await keepEarly(trx, unknown)
    await applyToMessages(trx, targets, receipts)
    crashPoint('receipt.before-commit')
    return unknown
  })
  crashPoint('receipt.committed')
  // The id may have been stored between the read and the commit: the second of the two commits sees both rows.
  if (early.length > 0) await applyKept(services, early)
}

interface NetworkId {
  readonly containerId: string
  readonly networkId: string
}

/** Applies the stored receipts of these ids, whose messages were stored just now; call it after the commit. */
export async function applyEarlyReceipts(services: Receiving, ids: readonly NetworkId[]): Promise<void> {
  if (await isAnyEarly(services.db, ids)) await applyKept(services, ids)
}

/** Applies the stored receipts of these ids, or of every id that is known by now. */
async function applyKept(services: Receiving, ids: readonly NetworkId[] | null): Promise<void> {
  await transaction(services.db, async (trx) => {
    const receipts = await takeEarly(trx, ids)
    if (receipts.length === 0) return
    // The order of arrival is lost; the likely one loses no event.
    receipts.sort((a, b) => a.at.getTime() - b.at.getTime() || order[a.status] - order[b.status])
    await applyToMessages(trx, await lockTargets(trx, receipts), receipts)
  })
}

/** The periodic sweep: applies receipts that a crash left, and deletes expired ones. */
export async function sweepEarlyReceipts(services: Receiving): Promise<void> {
  await applyKept(services, null)
  await dropStaleEarly(services.db)
}

async function applyToMessages(
  trx: Db,
  targets: readonly ReceiptTarget[],
  receipts: readonly NetworkReceipt[],
): Promise<void> {
  const byMessage = new Map<string, NetworkReceipt[]>()
  for (const receipt of receipts) {
    const key = keyOf(receipt)
    byMessage.set(key, [...(byMessage.get(key) ?? []), receipt])
  }
  const changed: (Progress & Pick<ReceiptTarget, 'id' | 'gatewayMessageId'>)[] = []
  const reached: string[] = []
  const events: NewEvent[] = []
  for (const target of targets) {
    let progress: Progress = target
    for (const receipt of byMessage.get(keyOf(target)) ?? []) {
      const { after, event } = applyReceipt(progress, { ...receipt, error: receipt.error ?? undefined })
      progress = after
      if (event) events.push(messageEvent(event, { ...target, ...after }, receipt.at))
    }
    if (progress !== target) changed.push({ ...progress, id: target.id, gatewayMessageId: target.gatewayMessageId })
    if (target.isReal && hasReached(progress.status, 'delivered')) reached.push(target.id)
  }
  await writeProgress(trx, changed)
  await noteReached(trx, reached)
  await appendEvents(trx, events)
}

function keyOf(of: { containerId: string; networkId?: string; gatewayMessageId?: string }): string {
  return `${of.containerId} ${of.networkId ?? of.gatewayMessageId}`
}
