import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.numbers`. Written by `npm run calls` from the contract. */
export interface NumbersCalls {
  /**
   * The organization's numbers and how many it may have. Account key or signed-in user; no `success` in the answer.
   *
   * Open to every organization. Takes an account key or a signed-in user, not a number's own key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly list: Call<Contract['numbers']['list']>

  /**
   * Adds a number and starts it, so that its QR is there soon. A signed-in owner or admin only. NUMBER_LIMIT_REACHED
   * with `max`, `used`, `included`, `extra` and `capped` past the allowance.
   *
   * Open to every organization. Takes a signed-in user only, no API key. Only for the role owner or admin. Counts
   * towards the organization's 300 changes a minute. The body is at most 1 MiB. Safe to repeat with the same
   * Idempotency-Key.
   *
   * @throws MessagingError NUMBER_LIMIT_REACHED, PORT_EXHAUSTED, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE,
   * USER_REQUIRED, ROLE_FORBIDDEN, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly create: Call<Contract['numbers']['create']>

  /**
   * Renames a number, or makes it the default. A signed-in owner or admin only.
   *
   * Open to every organization. Takes a signed-in user only, no API key. Only for the role owner or admin. Counts
   * towards the organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, USER_REQUIRED, ROLE_FORBIDDEN,
   * RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, INVALID_ID, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly update: Call<Contract['numbers']['update']>

  /**
   * Removes a number for good. A signed-in owner or admin only. IN_USE while a campaign or the send group needs it.
   *
   * Open to every organization. Takes a signed-in user only, no API key. Only for the role owner or admin. Counts
   * towards the organization's 300 changes a minute.
   *
   * @throws MessagingError NOT_FOUND, IN_USE, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, USER_REQUIRED,
   * ROLE_FORBIDDEN, RATE_LIMITED, INVALID_ID, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly delete: Call<Contract['numbers']['delete']>

  /**
   * The send group: which numbers stand in for each other. Owners, admins and the account key.
   *
   * Open to every organization. Takes an account key or a signed-in user, not a number's own key. Only for the role
   * owner or admin; an account key acts as an admin.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, ROLE_FORBIDDEN, SERVICE_BUSY,
   * INTERNAL_ERROR
   */
  readonly sendGroup: Call<Contract['numbers']['sendGroup']>

  /**
   * Changes the send group; what is left out stays. A signed-in owner or admin only. Turned on, it needs numbers.
   *
   * Open to every organization. Takes a signed-in user only, no API key. Only for the role owner or admin. Counts
   * towards the organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, USER_REQUIRED, ROLE_FORBIDDEN,
   * RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly setSendGroup: Call<Contract['numbers']['setSendGroup']>

  /**
   * Decides about messages held after a number was linked to another phone: send them from it, or discard them. Owners,
   * admins and the account key.
   *
   * Open to every organization. Takes an account key or a signed-in user, not a number's own key. Only for the role
   * owner or admin; an account key acts as an admin. Counts towards the organization's 300 changes a minute. The body
   * is at most 1 MiB. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, ROLE_FORBIDDEN, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, INVALID_ID, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly release: Call<Contract['numbers']['release']>

  /**
   * Makes the first key of a number, shown once. Owners, admins and the account key. CONFLICT once it has one.
   *
   * Feature api: needs Notify, Assistant, Shop, Developer, or Connect. Takes an account key or a signed-in user, not a
   * number's own key. Only for the role owner or admin; an account key acts as an admin. Counts towards the
   * organization's 300 changes a minute. The answer holds a secret and is never cached.
   *
   * @throws MessagingError CONTAINER_NOT_FOUND, CONFLICT, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE,
   * ROLE_FORBIDDEN, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, INVALID_ID, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly generateKey: Call<Contract['numbers']['generateKey']>

  /**
   * Makes a new key for a number, shown once; the old one stops at once. Owners, admins and the account key.
   *
   * Feature api: needs Notify, Assistant, Shop, Developer, or Connect. Takes an account key or a signed-in user, not a
   * number's own key. Only for the role owner or admin; an account key acts as an admin. Counts towards the
   * organization's 300 changes a minute. The answer holds a secret and is never cached.
   *
   * @throws MessagingError CONTAINER_NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, ROLE_FORBIDDEN,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, INVALID_ID, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly regenerateKey: Call<Contract['numbers']['regenerateKey']>

  /**
   * The state of a number's connection, and what to do about it.
   *
   * Open to every organization. Takes an account key, a signed-in user or a number's own key.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, VALIDATION_ERROR,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly status: Call<Contract['numbers']['status']>

  /**
   * The QR to scan while the number is SCAN_QR_CODE; each lives a minute. `format=raw` answers its text instead of a
   * picture. A linked number answers already_connected, any other state a message and a hint.
   *
   * Open to every organization. Takes an account key, a signed-in user or a number's own key. The answer holds a secret
   * and is never cached.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, GATEWAY_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT,
   * AUTH_ERROR, ACCOUNT_DEACTIVATED, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly qr: Call<Contract['numbers']['qr']>

  /**
   * Asks for an 8-character code that links a number without a camera. `@lid` is not accepted.
   *
   * Open to every organization. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB. The answer holds a secret and is never cached.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, GATEWAY_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT,
   * SESSION_NOT_CONNECTED, FORBIDDEN_ACTION, AUTH_ERROR, ACCOUNT_DEACTIVATED, RATE_LIMITED, PAYLOAD_TOO_LARGE,
   * INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly pair: Call<Contract['numbers']['pair']>

  /**
   * Starts a stopped number. FORBIDDEN_ACTION when it is running already.
   *
   * Open to every organization. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, GATEWAY_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT,
   * FORBIDDEN_ACTION, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, AUTH_ERROR, ACCOUNT_DEACTIVATED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly start: Call<Contract['numbers']['start']>

  /**
   * Stops a number until it is started again; the link to the phone stays. Owners, admins and the account key.
   *
   * Open to every organization. Takes an account key or a signed-in user, not a number's own key. Only for the role
   * owner or admin; an account key acts as an admin. Counts towards the organization's 300 changes a minute. The body
   * is at most 1 MiB.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, GATEWAY_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT,
   * AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, ROLE_FORBIDDEN, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON,
   * VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly stop: Call<Contract['numbers']['stop']>

  /**
   * Restarts a stuck connection and keeps the link. A stopped number answers FORBIDDEN_ACTION (use start), one that
   * waits for its QR SESSION_NOT_CONNECTED.
   *
   * Open to every organization. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, GATEWAY_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT,
   * FORBIDDEN_ACTION, SESSION_NOT_CONNECTED, AUTH_ERROR, ACCOUNT_DEACTIVATED, RATE_LIMITED, PAYLOAD_TOO_LARGE,
   * INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly reconnect: Call<Contract['numbers']['reconnect']>

  /**
   * Ends the link to the phone; the number must be linked again. What is queued for it is held, see `release`.
   *
   * Open to every organization. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, GATEWAY_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT,
   * SESSION_NOT_CONNECTED, AUTH_ERROR, ACCOUNT_DEACTIVATED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON,
   * VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly logout: Call<Contract['numbers']['logout']>

  /**
   * How a number's connection changed, latest first. At most 100 on a page.
   *
   * Open to every organization. Takes an account key, a signed-in user or a number's own key.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, VALIDATION_ERROR,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly history: Call<Contract['numbers']['history']>

  /**
   * The profile others see of a number: name, about and picture.
   *
   * Open to every organization. Takes an account key, a signed-in user or a number's own key.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, GATEWAY_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT,
   * GATEWAY_SESSION_ERROR, AUTH_ERROR, ACCOUNT_DEACTIVATED, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly profile: Call<Contract['numbers']['profile']>

  /**
   * Changes the profile others see; what is left out stays. A picture is fetched from a public link (SEND_FILE_*).
   *
   * Open to every organization. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, GATEWAY_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT,
   * GATEWAY_SESSION_ERROR, SEND_FILE_TOO_LARGE, SEND_FILE_TYPE_NOT_ALLOWED, SEND_FILE_URL_UNREACHABLE, AUTH_ERROR,
   * ACCOUNT_DEACTIVATED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly setProfile: Call<Contract['numbers']['setProfile']>
}
