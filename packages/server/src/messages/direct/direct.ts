import type { MessageErrorCode, MessageType } from '@msgctl/contract'
import { v7 as newId } from 'uuid'
import { crashPoint } from '../../crash-points.ts'
import type { Db } from '../../db/db.ts'
import { ApiError, apiError, SendError } from '../../errors.ts'
import type { Content, GatewaySession, NetAddress, SendOptions, SendReceipt } from '../../gateway/gateway.ts'
import { withGatewayTimeout } from '../../gateway/timeout.ts'
import type { Services } from '../../services.ts'
import { toNetworkAddress } from '../queue/attempt-send.ts'
import { newNetworkId } from '../queue/enqueue.ts'
import { consumeTrialQuota } from '../trial.ts'
import { recordFailure, recordSent } from './direct-outcome.ts'
import { type DirectId, type DirectRow, findDirect, insertDirects } from './direct-store.ts'

/** A message that leaves at once, without queue, pace and typing indicator. */
export interface DirectMessage {
  readonly organizationId: string
  readonly containerId: string
  /** True when the caller named the number or used its key. */
  readonly pinned: boolean
  readonly type: MessageType
  readonly kind: Content['kind']
  readonly recipient: string
  /** What GET /messages shows. */
  readonly content: string
  readonly clientReference: string | null
}

/** The request that makes a direct send, as far as sending is concerned. */
export interface DirectRequest {
  readonly caller: { readonly organizationId: string; readonly trial: boolean }
  readonly idempotency: {
    readonly earlierMessageId: string | null
    begin(messageId: string, ways: { alone(trx: Db): Promise<void> }): Promise<boolean>
  }
}

/** Hands the message to the network: one call of the gateway with exactly these options. */
export type NetworkCall = (session: GatewaySession, to: NetAddress, options: SendOptions) => Promise<SendReceipt>

/** Commits the row before the network is called; false when an earlier request has the Idempotency-Key. */
export type Begin = (row: DirectRow) => Promise<boolean>

/** The answer of every direct send. */
export interface DirectResult {
  readonly messageId: string
  readonly gatewayMessageId: string
  readonly containerId: string
}

/** How long the network may take; shorter than the 30 s for which callers usually wait. */
const sendTimeoutMs = 25_000
/** When a driver that ignores the time it was given is given up. */
const sendDeadlineMs = 27_000

/**
 * Sends one message at once. Its row is committed before the network is called, together with the Idempotency-Key and
 * the trial's count, so that a crash, a time-out or a repeat never sends twice: nobody but this call ever hands it over.
 * A `begin` of the caller's own does all of that. Throws TRIAL_LIMIT_REACHED, the codes for failures of the network with `messageId` and `outcome`, and, when a twin was
 * quicker, what {@link repeatedResult} throws.
 */
export async function sendDirect(
  services: Services,
  request: DirectRequest,
  message: DirectMessage,
  call: NetworkCall,
  begin: Begin = beginAlone(services, request),
): Promise<DirectResult> {
  const { organizationId, containerId } = message
  const id = { organizationId, messageId: newId() }
  const clientId = newNetworkId()
  const row = { ...message, id: id.messageId, networkClientId: clientId, leaseToken: crypto.randomUUID() }
  if (!(await startedSend(begin, row))) {
    return resultOfEarlier(services.db, { organizationId, messageId: request.idempotency.earlierMessageId ?? '' })
  }
  crashPoint('direct.committed')
  const sending = { ...id, containerId, kind: message.kind, networkClientId: clientId }
  const session = { containerId, organizationId }
  let receipt: SendReceipt
  try {
    const to = toNetworkAddress(message.recipient)
    receipt = await withGatewayTimeout(sendDeadlineMs, call(session, to, { clientId, timeoutMs: sendTimeoutMs }))
  } catch (error) {
    throw await recordFailure(services, sending, error)
  }
  crashPoint('direct.taken-by-network')
  await recordSent(services, sending, receipt)
  crashPoint('direct.recorded')
  return { messageId: id.messageId, gatewayMessageId: receipt.ref.networkId, containerId }
}

async function startedSend(begin: Begin, row: DirectRow): Promise<boolean> {
  try {
    return await begin(row)
  } catch (error) {
    throw error instanceof ApiError ? error : new SendError(error, { outcome: 'not_sent' })
  }
}

function beginAlone(services: Services, { caller, idempotency }: DirectRequest): Begin {
  return (row) => idempotency.begin(row.id, { alone: (trx) => storeDirect(trx, services, caller, row) })
}

/** Counts a direct send against the trial and stores it, in an open transaction. */
export async function storeDirect(
  trx: Db,
  { clock }: Pick<Services, 'clock'>,
  caller: DirectRequest['caller'],
  row: DirectRow,
): Promise<void> {
  await consumeTrialQuota(trx, clock, caller, 1)
  if (!(await insertDirects(trx, [row])).has(row.id)) throw numberGone()
}

/** The refusal of a send whose number went away after it was chosen. */
function numberGone(): ApiError {
  return apiError('NO_SESSION_CONFIGURED', 'The number was removed before the message could be sent.')
}

/**
 * The answer to a repeat of an earlier request, or null for a first one; call it before anything else is done. Throws
 * CONFLICT idempotency_in_progress while nobody knows what became of the message, and its failure again.
 */
export async function repeatedResult(
  { caller, idempotency }: Pick<DirectRequest, 'caller' | 'idempotency'>,
  { db }: Pick<Services, 'db'>,
): Promise<DirectResult | null> {
  if (idempotency.earlierMessageId === null) return null
  return resultOfEarlier(db, { organizationId: caller.organizationId, messageId: idempotency.earlierMessageId })
}

/**
 * The answer to a repeat of a direct send, from what became of its message: the first answer once the network took it,
 * its failure again, or CONFLICT idempotency_in_progress while nobody knows.
 */
async function resultOfEarlier(db: Db, id: DirectId): Promise<DirectResult> {
  const { messageId } = id
  const earlier = await findDirect(db, id)
  if (earlier?.gatewayMessageId) {
    return { messageId, gatewayMessageId: earlier.gatewayMessageId, containerId: earlier.containerId }
  }
  if (earlier?.status === 'failed') {
    const code = earlier.errorCode ?? 'UPSTREAM_TIMEOUT'
    // Without an answer to its caller the process died in the middle of the call.
    const reply = earlier.callerError ?? { code, details: { messageId, outcome: 'unknown' } }
    throw new ApiError(reply.code as MessageErrorCode & ApiError['code'], earlier.error ?? code, reply.details as never)
  }
  throw apiError('CONFLICT', 'What became of the first request with this Idempotency-Key is not known yet.', {
    reason: 'idempotency_in_progress',
    retryAfterSeconds: 1,
  })
}
