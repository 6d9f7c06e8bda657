import { type MessageType, messageErrorCodes } from '@msgctl/contract'
import type { Content, GatewaySession, NetAddress, SendOptions, SendReceipt } from '@msgctl/network/gateway'
import type { Idempotency } from '#api/idempotency/idempotency.ts'
import { toNetworkAddress } from '#networks/gateway/address.ts'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { findKnownAddress } from '#numbers/recipients/check-store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { ApiError, apiError, SendError } from '#platform/errors.ts'
import { newNetworkId } from '#sending/messages/queue/enqueue.ts'
import type { Requester } from '#sending/messages/requester.ts'
import { consumeTrialQuota } from '#sending/messages/trial.ts'
import type { Services } from '#services.ts'
import { recordFailure, recordSent } from './direct-outcome.ts'
import { type DirectId, type DirectRow, findDirect, insertDirects } from './direct-store.ts'
import { guardDirect } from './guard-direct.ts'

/** A direct send: without queue, pace and typing indicator. */
export interface DirectMessage {
  readonly organizationId: string
  readonly containerId: string
  /** True when the caller named the number or used its key. */
  readonly pinned: boolean
  readonly type: MessageType
  readonly kind: Content['kind']
  readonly recipient: string
  /** The text that GET /messages shows. */
  readonly content: string
  readonly clientReference: string | null
  readonly sentBy: Requester
}

/** The parts of a request that a direct send needs. */
export interface DirectRequest {
  readonly caller: { readonly organizationId: string; readonly trial: boolean }
  readonly idempotency: Pick<Idempotency, 'earlierMessageId' | 'findEarlier' | 'begin'>
}

/** Sends the message: one call of the gateway with exactly these options. */
export type NetworkCall = (session: GatewaySession, to: NetAddress, options: SendOptions) => Promise<SendReceipt>

/** Commits the row before the network is called; returns false when an earlier request has the Idempotency-Key. */
export type Begin = (row: DirectRow) => Promise<boolean>

/** The result of every direct send. */
export interface DirectResult {
  readonly messageId: string
  readonly gatewayMessageId: string
  readonly containerId: string
}

/** The time limit of the network; shorter than the 30 s for which callers usually wait. */
const sendTimeoutMs = 25_000
/** When a driver that ignores its time limit is abandoned. */
const sendDeadlineMs = 27_000

/**
 * Sends one message directly. Its row is committed before the network is called, with the Idempotency-Key and the trial
 * count, so that a crash, a timeout or a repeat never sends twice: only this call passes it to the network. A `begin`
 * of the caller does all of that. Throws TRIAL_LIMIT_REACHED, the codes for failures of the network with `messageId`
 * and `outcome`, and the errors of {@link repeatedResult} when a concurrent repeat was quicker.
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
  await guardDirect(services, row)
  const address = findAddress(services.db, organizationId, message.recipient)
  if (!(await startedSend(begin, row))) {
    return resultOfEarlier(services.db, { organizationId, messageId: request.idempotency.earlierMessageId ?? '' })
  }
  crashPoint('direct.committed')
  const sending = { ...id, containerId, kind: message.kind, networkClientId: clientId }
  const session = { containerId, organizationId }
  let receipt: SendReceipt
  try {
    const to = toNetworkAddress((await address) ?? message.recipient)
    receipt = await withGatewayTimeout(sendDeadlineMs, call(session, to, { clientId, timeoutMs: sendTimeoutMs }))
  } catch (error) {
    throw await recordFailure(services, sending, error)
  }
  crashPoint('direct.taken-by-network')
  await recordSent(services, sending, receipt)
  crashPoint('direct.recorded')
  return { messageId: id.messageId, gatewayMessageId: receipt.ref.networkId, containerId }
}

/** Returns the network's own address of the recipient; null when it was not checked, or the check cannot be read. */
async function findAddress(db: Db, organizationId: string, recipient: string): Promise<string | null> {
  return (await findKnownAddress(db, { organizationId, digits: recipient }).catch(() => null)) ?? null
}

async function startedSend(begin: Begin, row: DirectRow): Promise<boolean> {
  try {
    return await begin(row)
  } catch (error) {
    throw error instanceof ApiError ? error : new SendError(error, { outcome: 'not_sent' })
  }
}

function beginAlone(services: Services, { caller, idempotency }: DirectRequest): Begin {
  return (row) => idempotency.begin(row.id, (trx) => storeDirect(trx, services, caller, row))
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

/** Returns the error of a send whose number was removed after it was selected. */
function numberGone(): ApiError {
  return apiError('NO_SESSION_CONFIGURED', 'The number was removed before the message could be sent.')
}

/**
 * Returns the result of an earlier request with the same key, or null for a first one; call it before anything else.
 * Throws the error of the first request again, and CONFLICT idempotency_in_progress while that request still runs.
 */
export async function repeatedResult(
  { caller, idempotency }: Pick<DirectRequest, 'caller' | 'idempotency'>,
  { db }: Pick<Services, 'db'>,
): Promise<DirectResult | null> {
  const messageId = await idempotency.findEarlier()
  return messageId === null ? null : resultOfEarlier(db, { organizationId: caller.organizationId, messageId })
}

/**
 * Returns the result of an earlier direct send once the network took it. Throws the error of its caller again, also
 * while the outcome is unknown, or CONFLICT idempotency_in_progress while the request still runs.
 */
async function resultOfEarlier(db: Db, id: DirectId): Promise<DirectResult> {
  const { messageId } = id
  const earlier = await findDirect(db, id)
  if (earlier?.gatewayMessageId) {
    return { messageId, gatewayMessageId: earlier.gatewayMessageId, containerId: earlier.containerId }
  }
  const { callerError, status, error, errorCode } = earlier ?? {}
  if (callerError) {
    const { code, message, details } = callerError
    throw new ApiError(code as ApiError['code'], message, details as never)
  }
  if (status === 'failed') {
    // Without a stored error, the process died during the call.
    const code = errorCode ?? 'UPSTREAM_TIMEOUT'
    const details = { messageId, outcome: 'unknown' }
    throw new ApiError(code as ApiError['code'], error ?? messageErrorCodes[code], details as never)
  }
  throw apiError('CONFLICT', 'The first request with this Idempotency-Key is still running. Try again in a second.', {
    reason: 'idempotency_in_progress',
    retryAfterSeconds: 1,
  })
}
