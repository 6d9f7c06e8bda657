import { type Contract, limits } from '@msgctl/contract'
import { byOneTimeCode, limitReached } from '#api/access/limit-key.ts'
import type { Request } from '#api/http/handler.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { computeMac, sameMac } from './code.ts'
import { pepperNamed } from './pepper.ts'
import { countAttempt, findOtpStatus, type OtpId, type OtpStatus, refundAttempt, writeVerified } from './store.ts'

/**
 * Checks a code (specification, "One-time code"). The attempt is counted and committed before the comparison. Throws
 * the first that applies of NOT_FOUND, OTP_ALREADY_VERIFIED, OTP_EXPIRED, OTP_MAX_ATTEMPTS and OTP_INVALID_CODE. Throws
 * SECRETS_KEY_MISSING when SECRETS_KEYS lack the key that the code was made with.
 */
export async function verifyOtp(request: Request<Contract['otp']['verify']>, services: Services) {
  const { caller, body } = request
  const { organizationId, containerId: ownContainerId } = caller
  const id: OtpId = { organizationId, requestId: body.requestId, ownContainerId }
  const counted = await countAttempt(services.db, id)
  if (!counted) throw refusal(id, await findOtpStatus(services.db, id))
  crashPoint('otp-verify.try-counted')
  const pepper = await pepperNamed(services, counted.pepper)
  if (pepper === null) {
    // Nothing was compared, so the attempt is taken back: another process may have the key.
    await refundAttempt(services.db, id)
    throw keyMissing()
  }
  if (!sameMac(counted.mac, computeMac(pepper, counted.requestId, body.code))) {
    const attemptsRemaining = limits.otp.tries - counted.tries
    const left = attemptsRemaining === 0 ? 'That was the last try.' : `Tries left: ${attemptsRemaining}.`
    throw apiError('OTP_INVALID_CODE', `The code is wrong. ${left}`, { attemptsRemaining })
  }
  if (!(await writeVerified(services.db, id))) throw refusal(id, await findOtpStatus(services.db, id))
  crashPoint('otp-verify.written')
  return { verified: true as const, phone: counted.phone }
}

/** Returns the error for a request that takes no attempt. */
function refusal({ requestId }: OtpId, status: OtpStatus | undefined) {
  if (!status) return apiError('NOT_FOUND', 'There is no such request. Use the requestId from sending the code.')
  if (status.verified) return apiError('OTP_ALREADY_VERIFIED', 'This code was verified already.')
  if (status.expired) return expired()
  return limitReached(
    byOneTimeCode('tries of a one-time code', requestId),
    `All ${limits.otp.tries} tries for this code are used. Send a new one.`,
  )
}

function keyMissing() {
  return apiError(
    'SECRETS_KEY_MISSING',
    'Cannot check the code: SECRETS_KEYS of the server lack the key that it was made with. Send a new one.',
  )
}

function expired() {
  return apiError('OTP_EXPIRED', 'The code has expired. Send a new one.')
}
