import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.contacts`. Written by `npm run calls` from the contract. */
export interface ContactsCalls {
  /**
   * Contacts whose saved name, network name or number contains the search. Needs Connect. At most 50.
   *
   * Feature inbox: needs Connect. Takes an account key, a signed-in user or a number's own key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, VALIDATION_ERROR,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly search: Call<Contract['contacts']['search']>

  /**
   * How many contacts there are, and whether the history is still being imported. Needs Connect.
   *
   * Feature inbox: needs Connect. Takes an account key, a signed-in user or a number's own key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, SERVICE_BUSY,
   * INTERNAL_ERROR
   */
  readonly count: Call<Contract['contacts']['count']>

  /**
   * Reads the address book anew and imports recent chats in the background. Needs Connect and a connected number.
   *
   * Feature inbox: needs Connect. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, GATEWAY_ERROR, GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE,
   * UPSTREAM_TIMEOUT, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly sync: Call<Contract['contacts']['sync']>

  /**
   * Opts a person out of campaigns, or in again. Needs Connect.
   *
   * Feature inbox: needs Connect. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED,
   * RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, INVALID_ID, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly update: Call<Contract['contacts']['update']>

  /**
   * The organization's own stop words. Needs Connect.
   *
   * Feature inbox: needs Connect. Takes an account key, a signed-in user or a number's own key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, SERVICE_BUSY,
   * INTERNAL_ERROR
   */
  readonly optOutWords: Call<Contract['contacts']['optOutWords']>

  /**
   * Replaces the organization's own stop words; STOP and UNSUBSCRIBE always count. Needs Connect; owners, admins and
   * the account key, since it holds for every number.
   *
   * Feature inbox: needs Connect. Takes an account key or a signed-in user, not a number's own key. Only for the role
   * owner or admin; an account key acts as an admin. Counts towards the organization's 300 changes a minute. The body
   * is at most 1 MiB.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, ROLE_FORBIDDEN, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly setOptOutWords: Call<Contract['contacts']['setOptOutWords']>
}
