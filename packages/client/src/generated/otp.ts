import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.otp`. Written by `npm run calls` from the contract. */
export interface OtpCalls {
  /**
   * Makes a random code, sends it at once and keeps only its hash for 5 minutes and 3 tries. Needs Developer. One code
   * every 30 s, 3 in 10 min, 10 in 24 h for each number, 60 a minute in all: OTP_RATE_LIMITED. A template must contain
   * {{code}}, else OTP_TEMPLATE_MISSING_CODE.
   *
   * Feature otp: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB. Calls the network before it answers; see
   * details.outcome on a 5xx. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError OTP_TEMPLATE_MISSING_CODE, OTP_RATE_LIMITED, NO_SESSION_CONFIGURED, NOT_FOUND,
   * NUMBER_NOT_ON_NETWORK, TRIAL_LIMIT_REACHED, GATEWAY_ERROR, GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE,
   * UPSTREAM_TIMEOUT, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly send: Call<Contract['otp']['send']>

  /**
   * Checks a code. Needs Developer. A wrong one answers OTP_INVALID_CODE with `attemptsRemaining`; after 3 tries
   * OTP_MAX_ATTEMPTS, after 5 minutes OTP_EXPIRED, a second time OTP_ALREADY_VERIFIED.
   *
   * Feature otp: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError OTP_INVALID_CODE, OTP_EXPIRED, OTP_MAX_ATTEMPTS, OTP_ALREADY_VERIFIED, NOT_FOUND,
   * SECRETS_KEY_MISSING, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly verify: Call<Contract['otp']['verify']>
}
