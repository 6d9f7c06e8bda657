import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.chats`. Written by `npm run calls` from the contract. */
export interface ChatsCalls {
  /**
   * Conversations of a number, newest first. Needs Connect. At most 200.
   *
   * Feature inbox: needs Connect. Takes an account key, a signed-in user or a number's own key.
   *
   * @throws MessagingError NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED,
   * VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly list: Call<Contract['chats']['list']>

  /**
   * Received messages nobody marked read, oldest first; reading them here marks nothing. Needs Connect. At most 500.
   *
   * Feature inbox: needs Connect. Takes an account key, a signed-in user or a number's own key.
   *
   * @throws MessagingError NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED,
   * VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly unread: Call<Contract['chats']['unread']>

  /**
   * Marks up to 500 received messages read, in the service only: the contact sees no read ticks. Needs Connect.
   *
   * Feature inbox: needs Connect. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly ack: Call<Contract['chats']['ack']>

  /**
   * The conversation with one person, oldest first. Needs Connect. At most 500 messages, the latest ones.
   *
   * Feature inbox: needs Connect. Takes an account key, a signed-in user or a number's own key.
   *
   * @throws MessagingError NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED,
   * VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly thread: Call<Contract['chats']['thread']>

  /**
   * Marks everything received from one person read, in the service only. Needs Connect.
   *
   * Feature inbox: needs Connect. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly read: Call<Contract['chats']['read']>
}
