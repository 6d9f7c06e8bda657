import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.webhook`. Written by `npm run calls` from the contract. */
export interface WebhookCalls {
  /**
   * The webhook address and signing secret. Needs Assistant, Shop or Developer; owners, admins and the account key.
   *
   * Feature webhooks: needs Assistant, Shop, or Developer. Takes an account key or a signed-in user, not a number's own
   * key. Only for the role owner or admin; an account key acts as an admin. The answer holds a secret and is never
   * cached.
   *
   * @throws MessagingError SECRETS_KEY_MISSING, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, ROLE_FORBIDDEN,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly get: Call<Contract['webhook']['get']>

  /**
   * Sets the one webhook address, or stops events with null. The first address creates the signing secret, which is
   * answered by this call only (null later). Private and local addresses are refused. Owners, admins and the account
   * key.
   *
   * Feature webhooks: needs Assistant, Shop, or Developer. Takes an account key or a signed-in user, not a number's own
   * key. Only for the role owner or admin; an account key acts as an admin. Counts towards the organization's 300
   * changes a minute. The body is at most 1 MiB. The answer holds a secret and is never cached.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, ROLE_FORBIDDEN, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly set: Call<Contract['webhook']['set']>

  /**
   * Makes a new signing secret, used at once. With `overlapSeconds` the old one keeps verifying meanwhile.
   * FORBIDDEN_ACTION before any address was set; WEBHOOK_SIGNING_UNAVAILABLE without encryption on the server.
   *
   * Feature webhooks: needs Assistant, Shop, or Developer. Takes an account key or a signed-in user, not a number's own
   * key. Only for the role owner or admin; an account key acts as an admin. Counts towards the organization's 300
   * changes a minute. The body is at most 1 MiB. The answer holds a secret and is never cached.
   *
   * @throws MessagingError FORBIDDEN_ACTION, WEBHOOK_SIGNING_UNAVAILABLE, AUTH_ERROR, ACCOUNT_DEACTIVATED,
   * NUMBER_KEY_SCOPE, ROLE_FORBIDDEN, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE,
   * INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly regenerateSecret: Call<Contract['webhook']['regenerateSecret']>

  /**
   * Deliveries of the last 30 days, latest first: what was posted, how often it was tried, and what came back. At most
   * 100 on a page. `total` counts to 10,000, and on later pages to one more than the pages up to there hold.
   *
   * Feature webhooks: needs Assistant, Shop, or Developer. Takes an account key or a signed-in user, not a number's own
   * key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED,
   * VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly deliveries: Call<Contract['webhook']['deliveries']>

  /**
   * Posts a sample event to the webhook address, marked X-Service-Sample; it is in no event list and no stream.
   * PRODUCT_REQUIRED for a kind that the organization does not receive. FORBIDDEN_ACTION when no address is set.
   * Owners, admins, the account key.
   *
   * Feature webhooks: needs Assistant, Shop, or Developer. Takes an account key or a signed-in user, not a number's own
   * key. Only for the role owner or admin; an account key acts as an admin. Counts towards the organization's 300
   * changes a minute. The body is at most 1 MiB. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError FORBIDDEN_ACTION, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, ROLE_FORBIDDEN,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly test: Call<Contract['webhook']['test']>
}
