import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.events`. Written by `npm run calls` from the contract. */
export interface EventsCalls {
  /**
   * Events, oldest first. Needs Assistant, Shop or Developer. Give `nextCursor` as `after` to go on where it ended.
   *
   * Feature webhooks: needs Assistant, Shop, or Developer. Takes an account key or a signed-in user, not a number's own
   * key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED,
   * VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly list: Call<Contract['events']['list']>

  /**
   * Server-sent events as they happen, with a heartbeat every 15 s. Resumes after `after` or the Last-Event-ID header,
   * without either it begins now. Needs Assistant, Shop or Developer. RATE_LIMIT beyond 20 streams of an organization.
   *
   * Feature webhooks: needs Assistant, Shop, or Developer. Takes an account key or a signed-in user, not a number's own
   * key. The answer is a stream of server-sent events; the schema shows the data of one.
   *
   * @throws MessagingError RATE_LIMIT, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly stream: Call<Contract['events']['stream']>

  /**
   * Delivers an event to the webhook address once more, marked X-Service-Replay. FORBIDDEN_ACTION when none is set.
   *
   * Feature webhooks: needs Assistant, Shop, or Developer. Takes an account key or a signed-in user, not a number's own
   * key. Counts towards the organization's 300 changes a minute. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NOT_FOUND, FORBIDDEN_ACTION, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, INVALID_ID, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY,
   * INTERNAL_ERROR
   */
  readonly replay: Call<Contract['events']['replay']>
}
