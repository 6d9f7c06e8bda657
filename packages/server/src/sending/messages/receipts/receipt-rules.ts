import { type MessageErrorCode, type MessageStatus, messageErrorCodes } from '@msgctl/contract'
import type { ReceiptStatus } from '@msgctl/network/gateway'
import type { ProgressEvent } from '#events/message-event.ts'

/** The fields of a message that receipts change. */
export interface Progress {
  readonly status: MessageStatus
  readonly deliveredAt: Date | null
  readonly readAt: Date | null
  readonly failedAt: Date | null
  readonly error: string | null
  readonly errorCode: MessageErrorCode | null
  /** Whether the message.sent of the network was reported already. */
  readonly sentReported: boolean
}

/** A report of the network about a message. */
export interface Receipt {
  readonly status: ReceiptStatus
  readonly at: Date
  readonly error?: string | undefined
}

const rank: Record<MessageStatus, number> = { queued: 0, sending: 1, failed: 2, sent: 2, delivered: 3, read: 4 }

/**
 * Applies one receipt. The status only rises: queued, sending, sent, delivered, read. A failed message rises again by a
 * late receipt that proves it went out. Receipts that repeat or come too late change and report nothing. Read without
 * delivered fills deliveredAt and reports message.read only.
 */
export function applyReceipt(before: Progress, receipt: Receipt): { after: Progress; event: ProgressEvent | null } {
  switch (receipt.status) {
    case 'sent':
      return reportSent(before)
    case 'delivered':
      if (rank[before.status] >= rank.delivered) return unchanged(before)
      return step(before, 'delivered', 'message.delivered', { deliveredAt: receipt.at })
    case 'read':
    case 'played':
      if (before.status === 'read') return unchanged(before)
      return step(before, 'read', 'message.read', {
        deliveredAt: before.deliveredAt ?? receipt.at,
        readAt: receipt.at,
      })
    case 'failed':
      if (before.status === 'failed' || rank[before.status] >= rank.delivered) return unchanged(before)
      return {
        after: {
          ...before,
          status: 'failed',
          failedAt: receipt.at,
          error: receipt.error ?? messageErrorCodes.GATEWAY_ERROR,
          errorCode: 'GATEWAY_ERROR',
        },
        event: 'message.failed',
      }
  }
}

function reportSent(before: Progress): ReturnType<typeof applyReceipt> {
  if (before.sentReported || rank[before.status] > rank.sent) return unchanged(before)
  // It does not contradict a failure that the network reported, which comes after sending. It settles an unknown
  // outcome.
  if (before.status === 'failed' && before.errorCode !== 'UPSTREAM_TIMEOUT') return unchanged(before)
  return step(before, 'sent', 'message.sent', { sentReported: true })
}

function step(
  before: Progress,
  status: MessageStatus,
  event: ProgressEvent,
  change: Partial<Progress>,
): ReturnType<typeof applyReceipt> {
  return { after: { ...before, failedAt: null, error: null, errorCode: null, ...change, status }, event }
}

function unchanged(before: Progress): ReturnType<typeof applyReceipt> {
  return { after: before, event: null }
}
