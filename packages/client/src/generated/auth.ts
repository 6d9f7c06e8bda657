import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.auth`. Written by `npm run calls` from the contract. */
export interface AuthCalls {
  /**
   * Creates a person and an organization, and starts its 7-day trial with the chosen products (all five by default).
   * SIGNUP_DISABLED when sign-up is closed, CONFLICT for a known e-mail address, RATE_LIMIT past the hourly limit.
   *
   * Needs no credentials. The body is at most 1 MiB. The answer holds a secret and is never cached.
   *
   * @throws MessagingError SIGNUP_DISABLED, CONFLICT, RATE_LIMIT, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly signUp: Call<Contract['auth']['signUp']>

  /**
   * Signs a person in. An unknown e-mail and a wrong password answer the same AUTH_ERROR. 20 attempts in 15 minutes
   * from one address: RATE_LIMIT; 10 wrong passwords lock the e-mail for 15 minutes: TOO_MANY_LOGIN_ATTEMPTS.
   *
   * Needs no credentials. The body is at most 1 MiB. The answer holds a secret and is never cached.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, RATE_LIMIT, TOO_MANY_LOGIN_ATTEMPTS, PAYLOAD_TOO_LARGE,
   * INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly signIn: Call<Contract['auth']['signIn']>

  /**
   * Ends the session of the token that makes the call.
   *
   * Open to every organization. Takes a signed-in user only, no API key. Counts towards the organization's 300 changes
   * a minute.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, USER_REQUIRED, RATE_LIMITED,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly signOut: Call<Contract['auth']['signOut']>
}
