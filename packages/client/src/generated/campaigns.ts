import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.campaigns`. Written by `npm run calls` from the contract. */
export interface CampaignsCalls {
  /**
   * Creates a campaign of up to 10,000 recipients: a draft, or scheduled when `scheduledAt` is given. Nothing is sent.
   * Needs Notify, and for an API key Developer or Connect. A badly shaped number is refused with its row.
   * FORBIDDEN_ACTION quota_reached when 100,000 recipients (20,000 on trial) are on lists that were never started.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key. Counts towards the organization's 300 changes a minute. The body is at most 16 MiB.
   * Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError FORBIDDEN_ACTION, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED,
   * RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly create: Call<Contract['campaigns']['create']>

  /**
   * Tells what a campaign would send: duplicates, missing variables, sample texts, duration. Nothing is stored.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key. Counts towards the organization's 300 changes a minute. The body is at most 16 MiB.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly preview: Call<Contract['campaigns']['preview']>

  /**
   * All campaigns of the organization, oldest first, with what became of their messages. With a number's key those of
   * that number, and drafts without a number.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, SERVICE_BUSY,
   * INTERNAL_ERROR
   */
  readonly list: Call<Contract['campaigns']['list']>

  /**
   * One campaign with its progress and without its recipients: the route for following a long one.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key.
   *
   * @throws MessagingError NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, INVALID_ID,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly get: Call<Contract['campaigns']['get']>

  /**
   * One campaign with its progress and its whole list of recipients.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key.
   *
   * @throws MessagingError NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, INVALID_ID,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly status: Call<Contract['campaigns']['status']>

  /**
   * What became of each recipient, page by page, with a filter by status and part of the number.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key.
   *
   * @throws MessagingError NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, INVALID_ID,
   * VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly recipients: Call<Contract['campaigns']['recipients']>

  /**
   * Changes a draft or scheduled campaign; what is left out stays. `recipients` replaces the whole list; `scheduledAt`
   * schedules it, null makes it a draft. CAMPAIGN_INVALID_STATE in any other state.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key. Counts towards the organization's 300 changes a minute. The body is at most 16 MiB.
   *
   * @throws MessagingError CAMPAIGN_INVALID_STATE, NOT_FOUND, FORBIDDEN_ACTION, AUTH_ERROR, ACCOUNT_DEACTIVATED,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, INVALID_ID, VALIDATION_ERROR,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly update: Call<Contract['campaigns']['update']>

  /**
   * Starts a draft or scheduled campaign: its messages are queued 3 to 7 seconds apart. The whole list counts against a
   * trial at once (TRIAL_LIMIT_REACHED). CAMPAIGN_INVALID_STATE in any other state.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key. Counts towards the organization's 300 changes a minute. The body is at most 1 MiB.
   * Messages are queued and leave later. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError CAMPAIGN_INVALID_STATE, NOT_FOUND, NO_SESSION_CONFIGURED, TRIAL_LIMIT_REACHED, AUTH_ERROR,
   * ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON,
   * INVALID_ID, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly send: Call<Contract['campaigns']['send']>

  /**
   * Pauses a campaign that is sending: messages not sent yet are taken out of the queue.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key. Counts towards the organization's 300 changes a minute.
   *
   * @throws MessagingError CAMPAIGN_INVALID_STATE, NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, INVALID_ID, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly pause: Call<Contract['campaigns']['pause']>

  /**
   * Resumes a paused campaign with the recipients that have no message yet, never from the start.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key. Counts towards the organization's 300 changes a minute. The body is at most 1 MiB.
   * Messages are queued and leave later. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError CAMPAIGN_INVALID_STATE, NOT_FOUND, NO_SESSION_CONFIGURED, AUTH_ERROR, ACCOUNT_DEACTIVATED,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, INVALID_ID, VALIDATION_ERROR,
   * CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly resume: Call<Contract['campaigns']['resume']>

  /**
   * Gives up a scheduled or paused campaign for good; it stays in the list.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key. Counts towards the organization's 300 changes a minute.
   *
   * @throws MessagingError CAMPAIGN_INVALID_STATE, NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, INVALID_ID, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly cancel: Call<Contract['campaigns']['cancel']>

  /**
   * Deletes a campaign that is not sending, and its message history. CAMPAIGN_INVALID_STATE while it sends.
   *
   * Feature campaigns: needs Notify, and for an API key also Developer or Connect. Takes an account key, a signed-in
   * user or a number's own key. Counts towards the organization's 300 changes a minute.
   *
   * @throws MessagingError CAMPAIGN_INVALID_STATE, NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, INVALID_ID, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly delete: Call<Contract['campaigns']['delete']>
}
