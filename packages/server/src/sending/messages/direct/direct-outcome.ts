import { setTimeout as wait } from 'node:timers/promises'
import type { MessageErrorCode } from '@msgctl/contract'
import { GatewayError } from '@msgctl/network/errors'
import type { Content, SendReceipt } from '@msgctl/network/gateway'
import { appendEvents } from '#events/append.ts'
import { messageEvent } from '#events/message-event.ts'
import { sendFailure } from '#networks/gateway/api-failure.ts'
import { requestRecheck } from '#numbers/connection/recheck.ts'
import { noteRefusedChat } from '#numbers/connection/refused-chat.ts'
import { noteRestriction, restrictedPauseMs } from '#numbers/connection/restriction.ts'
import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { type ApiError, SendError } from '#platform/errors.ts'
import { unknownForMs } from '#sending/messages/queue/outcome.ts'
import { applyWaitingVotes } from '#sending/messages/receipts/poll-vote.ts'
import { applyEarlyReceipts } from '#sending/messages/receipts/receipt.ts'
import { refundTrial } from '#sending/messages/trial-store.ts'
import type { Services } from '#services.ts'
import {
  type CallerError,
  type DirectId,
  type DirectSent,
  pauseLane,
  writeDirectFailed,
  writeDirectsSent,
  writeDirectUnknown,
} from './direct-store.ts'

/** A direct send that the network was called for. */
export interface Sending extends DirectId {
  readonly containerId: string
  readonly kind: Content['kind']
  readonly networkClientId: string
}

/** Waits between attempts to store an outcome. The message itself is never sent again. */
const storeAgainAfterMs = [100, 400, 1500]

/**
 * Stores that the network took the message, and applies the receipts that came since then. Throws {@link SendError}
 * when that cannot be stored: then receipts settle it, or it fails as unknown.
 */
export async function recordSent(services: Services, sending: Sending, { ref, status }: SendReceipt): Promise<void> {
  const { organizationId, messageId } = sending
  const { networkId, raw } = ref
  const sent = { organizationId, messageId, networkId, raw, at: services.clock.now(), acknowledged: status === 'sent' }
  services.metrics.messageSent('direct', 'sent')
  try {
    await persist((first) => (first ? writeSent(services.db, sent) : writeDirectsSent(services.db, [sent])))
  } catch (error) {
    throw new SendError(error, { messageId: sending.messageId, outcome: 'unknown' })
  }
  await applyPendingReceipts(services, sending, networkId)
}

/**
 * Stores the failure of a call, and returns the error for the caller. A message that certainly did not go out fails at
 * once, with its event. Otherwise it waits ten minutes for a receipt.
 */
export async function recordFailure(services: Services, sending: Sending, thrown: unknown): Promise<ApiError> {
  if (!(thrown instanceof GatewayError))
    services.log.error({ event: 'driver_threw', err: thrown }, 'driver threw an unknown error')
  const failure = thrown instanceof GatewayError ? thrown : new GatewayError('timeout', 'The send ended unexpectedly.')
  const error = sendFailure(failure, sending.messageId)
  services.metrics.messageSent('direct', failure.outcome === 'unknown' ? 'unknown' : 'failed')
  try {
    await persist(() =>
      failure.outcome === 'unknown' ? storeUnknown(services, sending, error) : storeFailed(services, sending, error),
    )
  } catch (fault) {
    // The caller still gets the error of the network. The sweep settles the row when its lease ends.
    services.log.error(
      { event: 'direct_failure_not_stored', err: fault, messageId: sending.messageId },
      'failed to store the failure of a direct send',
    )
  }
  if (failure.outcome === 'unknown') await applyPendingReceipts(services, sending, sending.networkClientId)
  // The caller does not wait for the result.
  void requestRecheck(services, sending, failure)
  await noteRefusedChat(services, sending, failure)
  await noteRestriction(services, sending, failure, services.clock.now())
  if (failure.kind === 'restricted') await pauseRestricted(services, sending, failure.retryAfterMs ?? restrictedPauseMs)
  return error
}

async function storeUnknown({ db, clock }: Services, sending: Sending, error: ApiError): Promise<void> {
  const since = clock.now()
  const until = new Date(since.getTime() + unknownForMs)
  await writeDirectUnknown(db, sending, { since, until, callerError: toCallerError(error) })
}

function toCallerError({ code, message, details }: ApiError): CallerError {
  return { code, message, details }
}

async function storeFailed(services: Services, sending: Sending, error: ApiError): Promise<void> {
  const at = services.clock.now()
  const { code, message } = error
  await transaction(services.db, async (trx) => {
    const subject = await writeDirectFailed(trx, sending, {
      code: code as MessageErrorCode,
      error: message,
      at,
      callerError: toCallerError(error),
    })
    if (subject) await refundTrial(trx, sending)
    await appendEvents(trx, subject ? [messageEvent('message.failed', subject, at)] : [])
  })
}

/** Pauses the lane of a restricted account, as the queue's own sends do. */
async function pauseRestricted(
  { db, clock, log }: Services,
  { organizationId, containerId }: Sending,
  ms: number,
): Promise<void> {
  try {
    await pauseLane(db, organizationId, containerId, new Date(clock.now().getTime() + ms))
  } catch (fault) {
    log.warn(
      { event: 'lane_pause_failed', err: fault, containerId },
      'failed to pause the lane of a restricted account',
    )
  }
}

/** Applies receipts and votes that came before the id was stored. The sweep does it too, should this fail. */
async function applyPendingReceipts(
  services: Services,
  { containerId, kind }: Sending,
  networkId: string,
): Promise<void> {
  try {
    await applyReceiptsFor(services, { containerId, networkId })
    if (kind === 'poll') await applyWaitingVotes(services, [{ containerId, networkId }])
  } catch (error) {
    services.log.warn({ event: 'direct_receipts_failed', err: error }, 'failed to apply early receipts; the sweep will')
  }
}

/** Writes sends that the network took at the same moment together, and applies their early receipts together. */
const writeSent = sharedBatcher(async (db: Db, sent: readonly DirectSent[]): Promise<undefined[]> => {
  await writeDirectsSent(db, sent)
  return sent.map(() => undefined)
})

const applyReceiptsFor = sharedBatcher(
  async (services: Services, ids: readonly { containerId: string; networkId: string }[]): Promise<undefined[]> => {
    await applyEarlyReceipts(services, ids)
    return ids.map(() => undefined)
  },
)

/**
 * Repeats work that fails. `first` is false from the second attempt on, when a row that the database refuses must be
 * alone.
 */
async function persist(work: (first: boolean) => Promise<void>): Promise<void> {
  for (const [tried, ms] of storeAgainAfterMs.entries()) {
    try {
      return await work(tried === 0)
    } catch {
      await wait(ms)
    }
  }
  return work(false)
}
