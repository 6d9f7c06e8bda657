import { type Contract, limits } from '@msgctl/contract'
import { crashPoint } from '../crash-points.ts'
import { apiError } from '../errors.ts'
import type { Request } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { computeMac, sameMac } from './code.ts'
import { pepperNamed } from './pepper.ts'
import { countTry, findOtpStatus, type OtpId, type OtpStatus, refundTry, writeVerified } from './store.ts'

/**
 * Checks a code (specification, "One-time code"). The try is counted and committed before anything is compared. Throws
 * NOT_FOUND, OTP_ALREADY_VERIFIED, OTP_EXPIRED, OTP_MAX_ATTEMPTS or OTP_INVALID_CODE, the first that holds; and
 * SECRETS_KEY_MISSING on a server whose SECRETS_KEYS lack the key that the code was made with.
 */
export async function verifyOtp(request: Request<Contract['otp']['verify']>, services: Services) {
  const { caller, body } = request
  const { organizationId, containerId: ownContainerId } = caller
  const id: OtpId = { organizationId, requestId: body.requestId, ownContainerId }
  const counted = await countTry(services.db, id)
  if (!counted) throw refusal(await findOtpStatus(services.db, id))
  crashPoint('otp-verify.try-counted')
  const pepper = await pepperNamed(services, counted.pepper)
  if (pepper === null) {
    // Nothing was compared, so no try is used: a process that has the key may still be asked.
    await refundTry(services.db, id)
    throw keyMissing()
  }
  if (!sameMac(counted.mac, computeMac(pepper, counted.requestId, body.code))) {
    const attemptsRemaining = limits.otp.tries - counted.tries
    const left = attemptsRemaining === 0 ? 'That was the last try.' : `Tries left: ${attemptsRemaining}.`
    throw apiError('OTP_INVALID_CODE', `The code is wrong. ${left}`, { attemptsRemaining })
  }
  if (!(await writeVerified(services.db, id))) throw refusal(await findOtpStatus(services.db, id))
  crashPoint('otp-verify.written')
  return { verified: true as const, phone: counted.phone }
}

/** Why a request takes no try. */
function refusal(standing: OtpStatus | undefined) {
  if (!standing) return apiError('NOT_FOUND', 'There is no such request for a code.')
  if (standing.verified) return apiError('OTP_ALREADY_VERIFIED', 'This code was verified already.')
  if (standing.expired) return expired()
  return apiError('OTP_MAX_ATTEMPTS', `All ${limits.otp.tries} tries for this code are used. Send a new one.`)
}

function keyMissing() {
  return apiError('SECRETS_KEY_MISSING', 'The code cannot be checked: the server lacks the key that it was made with.')
}

function expired() {
  return apiError('OTP_EXPIRED', 'The code has expired. Send a new one.')
}
