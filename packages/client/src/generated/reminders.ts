import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.reminders`. Written by `npm run calls` from the contract. */
export interface RemindersCalls {
  /**
   * Reminders: upcoming first, soonest first, then the others by latest change. At most 100 on a page.
   *
   * Feature reminders: needs Notify, and for an API key also Developer or Connect. Takes an account key or a signed-in
   * user, not a number's own key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED,
   * VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly list: Call<Contract['reminders']['list']>

  /**
   * Plans a message to one person, once or repeated. Needs Notify, and for the account key Developer or Connect.
   * `sendAt` needs Z or an offset and lies at most 5 minutes in the past.
   *
   * Feature reminders: needs Notify, and for an API key also Developer or Connect. Takes an account key or a signed-in
   * user, not a number's own key. Counts towards the organization's 300 changes a minute. The body is at most 1 MiB.
   * Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NOT_FOUND, FORBIDDEN_ACTION, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly create: Call<Contract['reminders']['create']>

  /**
   * Plans up to 5000 reminders with one text. Rows in the past are skipped and listed; a bad row refuses the call.
   *
   * Feature reminders: needs Notify, and for an API key also Developer or Connect. Takes an account key or a signed-in
   * user, not a number's own key. Counts towards the organization's 300 changes a minute. The body is at most 16 MiB.
   * Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NOT_FOUND, FORBIDDEN_ACTION, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly import: Call<Contract['reminders']['import']>

  /**
   * Changes a reminder; what is left out stays, `variables` replaces all values. A new `sendAt` arms a done, failed or
   * cancelled one again; without it, or while it is processing, the answer is FORBIDDEN_ACTION.
   *
   * Feature reminders: needs Notify, and for an API key also Developer or Connect. Takes an account key or a signed-in
   * user, not a number's own key. Counts towards the organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError NOT_FOUND, FORBIDDEN_ACTION, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, INVALID_ID, VALIDATION_ERROR,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly update: Call<Contract['reminders']['update']>

  /**
   * Stops a scheduled reminder; it stays in the list. FORBIDDEN_ACTION in any other state.
   *
   * Feature reminders: needs Notify, and for an API key also Developer or Connect. Takes an account key or a signed-in
   * user, not a number's own key. Counts towards the organization's 300 changes a minute.
   *
   * @throws MessagingError NOT_FOUND, FORBIDDEN_ACTION, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, INVALID_ID, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly cancel: Call<Contract['reminders']['cancel']>

  /**
   * Removes a reminder for good.
   *
   * Feature reminders: needs Notify, and for an API key also Developer or Connect. Takes an account key or a signed-in
   * user, not a number's own key. Counts towards the organization's 300 changes a minute.
   *
   * @throws MessagingError NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, INVALID_ID, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly delete: Call<Contract['reminders']['delete']>
}
