import { type Contract, limits } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { selectSender } from '#numbers/send-group/select-number.ts'
import {
  type Begin,
  type NetworkCall,
  repeatedResult,
  sendDirect,
  storeDirect,
} from '#sending/messages/direct/direct.ts'
import { requesterOf } from '#sending/messages/requester.ts'
import type { Services } from '#services.ts'
import { admit, countRefusal, discardUnsentCode } from './admit.ts'
import { computeMac, newCode } from './code.ts'
import { currentPepper } from './pepper.ts'
import { findExpiry } from './store.ts'
import { defaultTemplate, fillTemplate, requireCodeIn } from './template.ts'

type SendRequest = Request<Contract['otp']['send']>

/** The content that the API shows instead of a code (specification, "Message"). */
const otpLabel = '[OTP MESSAGE]'

/** A code that was stored and is being sent. */
interface Begun {
  readonly requestId: string
  readonly expiresAt: Date
}

/**
 * Sends a new code at once (specification, "One-time codes"). The code itself goes only to the network. The id of the
 * request is that of its message, so that events and lists show its status. Throws OTP_TEMPLATE_MISSING_CODE,
 * OTP_RATE_LIMITED and the errors of every direct send.
 */
export async function sendOtp(request: SendRequest, services: Services) {
  const template = request.body.template ?? defaultTemplate
  requireCodeIn(template)
  const repeated = await repeatedResult(request, services)
  const { requestId, expiresAt } = repeated
    ? await begunEarlier(request, services, repeated.messageId)
    : await sendNew(request, services, template)
  return {
    requestId,
    phone: request.body.phone,
    expiresAt: expiresAt.toISOString(),
    expiresInSeconds: limits.otp.validSeconds,
  }
}

async function begunEarlier({ caller }: SendRequest, { db }: Services, requestId: string): Promise<Begun> {
  const expiresAt = await findExpiry(db, caller.organizationId, requestId)
  if (!expiresAt) throw new Error('a code that was sent is missing')
  return { requestId, expiresAt }
}

async function sendNew(request: SendRequest, services: Services, template: string): Promise<Begun> {
  const { caller, body, idempotency } = request
  const { organizationId } = caller
  const { phone, clientReference = null } = body
  const through = await selectSender(services.db, caller, body.containerId, phone)
  const pepper = await currentPepper(services)
  const code = newCode(body.length)
  let begun: Begun | undefined

  /** Stores the code in the transaction of its message, which also reserves the Idempotency-Key. */
  const begin: Begin = async (row) => {
    const { id: requestId, containerId } = row
    const mac = computeMac(pepper.key, requestId, code)
    const otp = { requestId, organizationId, containerId, phone, mac, pepper: pepper.name }
    return idempotency.begin(requestId, async (trx) => {
      const expiresAt = await admit(trx, otp)
      await storeDirect(trx, services, caller, row)
      begun = { requestId, expiresAt }
    })
  }
  const shown = { type: 'otp', kind: 'text', recipient: phone, content: otpLabel } as const
  try {
    const message = { ...through, ...shown, organizationId, clientReference, sentBy: requesterOf(caller) }
    const call: NetworkCall = (session, to, options) =>
      services.gateway.send(session, to, { kind: 'text', text: fillTemplate(template, code) }, options)
    const sent = await sendDirect(services, request, message, call, begin)
    return begun ?? (await begunEarlier(request, services, sent.messageId))
  } catch (error) {
    await countRefusal(services, organizationId, error)
    if (begun) await discardUnsentCode(services, { organizationId, requestId: begun.requestId }, error)
    throw error
  }
}
