import { type Contract, limits } from '@msgctl/contract'
import type { Request } from '../http/handler.ts'
import { type Begin, type NetworkCall, repeatedResult, sendDirect, storeDirect } from '../messages/direct/direct.ts'
import { selectSender } from '../numbers/send-group/select-number.ts'
import type { Services } from '../services.ts'
import { admit, admitInBatch, discardUnsentCode } from './admit.ts'
import { computeMac, newCode } from './code.ts'
import { currentPepper } from './pepper.ts'
import { findExpiry } from './store.ts'
import { defaultTemplate, fillTemplate, requireCodeIn } from './template.ts'

type SendRequest = Request<Contract['otp']['send']>

/** What everybody is shown in place of a code (specification, "Message"). */
const otpLabel = '[OTP MESSAGE]'

/** A code that left, or was about to. */
interface Begun {
  readonly requestId: string
  readonly expiresAt: Date
}

/**
 * Sends a new code at once (specification, "One-time codes"). The code itself goes to the network and nowhere else. The
 * request's id is its message's, so that events and lists tell what became of it. Throws OTP_TEMPLATE_MISSING_CODE,
 * OTP_RATE_LIMITED and what every send at once does.
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
  if (!expiresAt) throw new Error('a code that was sent is not stored')
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

  /** The code is stored in the transaction of its message, which also takes the Idempotency-Key. */
  const begin: Begin = async (row) => {
    const { id: requestId, containerId } = row
    const mac = computeMac(pepper.key, requestId, code)
    const otp = { requestId, organizationId, containerId, phone, mac, pepper: pepper.name }
    return idempotency.begin(requestId, {
      // What the trial counts belongs to this request alone.
      batch: caller.trial
        ? undefined
        : async (claim) => {
            const expiresAt = await admitInBatch(services.db, { otp, row, claim })
            if (!expiresAt) return false
            begun = { requestId, expiresAt }
            return true
          },
      async alone(trx) {
        const expiresAt = await admit(trx, otp)
        await storeDirect(trx, services, caller, row)
        begun = { requestId, expiresAt }
      },
    })
  }
  const shown = { type: 'otp', kind: 'text', recipient: phone, content: otpLabel } as const
  try {
    const message = { ...through, ...shown, organizationId, clientReference }
    const call: NetworkCall = (session, to, options) =>
      services.gateway.send(session, to, { kind: 'text', text: fillTemplate(template, code) }, options)
    const sent = await sendDirect(services, request, message, call, begin)
    return begun ?? (await begunEarlier(request, services, sent.messageId))
  } catch (error) {
    if (begun) await discardUnsentCode(services, { organizationId, requestId: begun.requestId }, error)
    throw error
  }
}
