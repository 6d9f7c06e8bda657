import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.alert`. Written by `npm run calls` from the contract. */
export interface AlertCalls {
  /**
   * Queues one text message. It leaves a few seconds later, with a typing indicator; `high` skips both. Any product.
   * NUMBER_NOT_ON_NETWORK when the recipient cannot be reached at all; NO_SESSION_CONFIGURED without a connected
   * number.
   *
   * Feature send: needs Notify, Assistant, Shop, Developer, or Connect. Takes an account key, a signed-in user or a
   * number's own key. Counts towards the organization's 300 changes a minute. The body is at most 1 MiB. Messages are
   * queued and leave later. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NUMBER_NOT_ON_NETWORK, NO_SESSION_CONFIGURED, NOT_FOUND, NUMBER_VALIDATION_UNAVAILABLE,
   * TRIAL_LIMIT_REACHED, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly send: Call<Contract['alert']['send']>

  /**
   * Asks the network which of up to 500 numbers it knows; nothing is sent. Needs Notify, Developer or Connect. Ids
   * ending in `@lid` count as valid, a badly shaped number as invalid; NO_VALID_NUMBERS when none is left.
   *
   * Feature batch: needs Notify, Developer, or Connect. Takes an account key, a signed-in user or a number's own key.
   * Counts towards the organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError NO_VALID_NUMBERS, NUMBER_VALIDATION_UNAVAILABLE, NO_SESSION_CONFIGURED, NOT_FOUND,
   * AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE,
   * INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly validate: Call<Contract['alert']['validate']>

  /**
   * Queues one text for up to 500 people; duplicates are dropped. Needs Notify, Developer or Connect. Numbers off the
   * network are skipped, or refuse the whole batch with NUMBER_NOT_ON_NETWORK when `skipInvalidNumbers` is false.
   *
   * Feature batch: needs Notify, Developer, or Connect. Takes an account key, a signed-in user or a number's own key.
   * Counts towards the organization's 300 changes a minute. The body is at most 1 MiB. Messages are queued and leave
   * later. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NO_VALID_NUMBERS, NUMBER_NOT_ON_NETWORK, NUMBER_VALIDATION_UNAVAILABLE,
   * NO_SESSION_CONFIGURED, NOT_FOUND, TRIAL_LIMIT_REACHED, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY,
   * INTERNAL_ERROR
   */
  readonly batch: Call<Contract['alert']['batch']>

  /**
   * Sends a photo at once: JPEG, PNG or WebP up to 16 MiB from a public link. Needs Developer. File problems answer
   * SEND_FILE_*; a network failure carries `details.messageId` and `details.outcome`.
   *
   * Feature media: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB. Calls the network before it answers; see
   * details.outcome on a 5xx. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, NUMBER_NOT_ON_NETWORK, TRIAL_LIMIT_REACHED, GATEWAY_ERROR,
   * GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT, SEND_FILE_TOO_LARGE, SEND_FILE_TYPE_NOT_ALLOWED,
   * SEND_FILE_URL_UNREACHABLE, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly sendImage: Call<Contract['alert']['sendImage']>

  /**
   * Sends a video at once: MP4 up to 16 MiB from a public link. Needs Developer. File problems answer SEND_FILE_*.
   *
   * Feature media: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB. Calls the network before it answers; see
   * details.outcome on a 5xx. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, NUMBER_NOT_ON_NETWORK, TRIAL_LIMIT_REACHED, GATEWAY_ERROR,
   * GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT, SEND_FILE_TOO_LARGE, SEND_FILE_TYPE_NOT_ALLOWED,
   * SEND_FILE_URL_UNREACHABLE, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly sendVideo: Call<Contract['alert']['sendVideo']>

  /**
   * Sends a file at once, up to 100 MiB from a public link: photos, PDF, Office, text, CSV, audio or MP4. Needs
   * Developer. File problems answer SEND_FILE_*.
   *
   * Feature media: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB. Calls the network before it answers; see
   * details.outcome on a 5xx. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, NUMBER_NOT_ON_NETWORK, TRIAL_LIMIT_REACHED, GATEWAY_ERROR,
   * GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT, SEND_FILE_TOO_LARGE, SEND_FILE_TYPE_NOT_ALLOWED,
   * SEND_FILE_URL_UNREACHABLE, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly sendFile: Call<Contract['alert']['sendFile']>

  /**
   * Sends audio at once; OGG with Opus plays as a voice note. Needs Developer. File problems answer SEND_FILE_*.
   *
   * Feature media: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB. Calls the network before it answers; see
   * details.outcome on a 5xx. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, NUMBER_NOT_ON_NETWORK, TRIAL_LIMIT_REACHED, GATEWAY_ERROR,
   * GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT, SEND_FILE_TOO_LARGE, SEND_FILE_TYPE_NOT_ALLOWED,
   * SEND_FILE_URL_UNREACHABLE, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly sendVoice: Call<Contract['alert']['sendVoice']>

  /**
   * Sends 1 to 10 contact cards at once. Needs Developer.
   *
   * Feature media: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB. Calls the network before it answers; see
   * details.outcome on a 5xx. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, NUMBER_NOT_ON_NETWORK, TRIAL_LIMIT_REACHED, GATEWAY_ERROR,
   * GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY,
   * INTERNAL_ERROR
   */
  readonly sendContact: Call<Contract['alert']['sendContact']>

  /**
   * Sends a place on the map at once. Needs Developer.
   *
   * Feature media: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB. Calls the network before it answers; see
   * details.outcome on a 5xx. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, NUMBER_NOT_ON_NETWORK, TRIAL_LIMIT_REACHED, GATEWAY_ERROR,
   * GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY,
   * INTERNAL_ERROR
   */
  readonly sendLocation: Call<Contract['alert']['sendLocation']>

  /**
   * Sends a link with a preview at once; the link gets its own line when the message lacks it. Needs Developer.
   *
   * Feature media: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB. Calls the network before it answers; see
   * details.outcome on a 5xx. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, NUMBER_NOT_ON_NETWORK, TRIAL_LIMIT_REACHED, GATEWAY_ERROR,
   * GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT, SEND_FILE_TOO_LARGE, SEND_FILE_TYPE_NOT_ALLOWED,
   * SEND_FILE_URL_UNREACHABLE, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly sendLink: Call<Contract['alert']['sendLink']>

  /**
   * Sends a poll of 2 to 12 answers at once; votes come as the event poll.vote. Needs Developer.
   *
   * Feature media: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB. Calls the network before it answers; see
   * details.outcome on a 5xx. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, NUMBER_NOT_ON_NETWORK, TRIAL_LIMIT_REACHED, GATEWAY_ERROR,
   * GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY,
   * INTERNAL_ERROR
   */
  readonly sendPoll: Call<Contract['alert']['sendPoll']>

  /**
   * One message with its timeline; a per-number key sees its own number's messages. This is where a send whose outcome
   * is unknown is looked up before it is tried again. MESSAGE_NOT_FOUND when there is none.
   *
   * Open to every organization. Takes an account key, a signed-in user or a number's own key.
   *
   * @throws MessagingError MESSAGE_NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, INVALID_ID, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly message: Call<Contract['alert']['message']>

  /**
   * Forwards a sent message to another person, at once. Needs Developer. MESSAGE_NOT_SENT before it was sent;
   * FORBIDDEN_ACTION for a one-time code.
   *
   * Feature media: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB. Calls the network before it answers; see
   * details.outcome on a 5xx. Safe to repeat with the same Idempotency-Key.
   *
   * @throws MessagingError MESSAGE_NOT_FOUND, MESSAGE_NOT_SENT, MESSAGE_WRONG_NUMBER, FORBIDDEN_ACTION,
   * NO_SESSION_CONFIGURED, NOT_FOUND, NUMBER_NOT_ON_NETWORK, TRIAL_LIMIT_REACHED, GATEWAY_ERROR, GATEWAY_SESSION_ERROR,
   * GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED,
   * RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, INVALID_ID, VALIDATION_ERROR, CONFLICT, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly forward: Call<Contract['alert']['forward']>

  /**
   * Changes the text, or the caption, of a message sent within the last 15 minutes. Needs Developer. Give exactly one
   * of `message` and `caption`. FORBIDDEN_ACTION after the window, with `windowSeconds` and `ageSeconds`.
   *
   * Feature media: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute. The body is at most 1 MiB.
   *
   * @throws MessagingError MESSAGE_NOT_FOUND, MESSAGE_NOT_SENT, MESSAGE_WRONG_NUMBER, FORBIDDEN_ACTION,
   * NO_SESSION_CONFIGURED, GATEWAY_ERROR, GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT, AUTH_ERROR,
   * ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON,
   * INVALID_ID, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly edit: Call<Contract['alert']['edit']>

  /**
   * Takes a message sent within the last 60 hours off the recipient's phone. Needs Developer. FORBIDDEN_ACTION after
   * the window, with `windowSeconds` and `ageSeconds`.
   *
   * Feature media: needs Developer. Takes an account key, a signed-in user or a number's own key. Counts towards the
   * organization's 300 changes a minute.
   *
   * @throws MessagingError MESSAGE_NOT_FOUND, MESSAGE_NOT_SENT, MESSAGE_WRONG_NUMBER, FORBIDDEN_ACTION,
   * NO_SESSION_CONFIGURED, GATEWAY_ERROR, GATEWAY_SESSION_ERROR, GATEWAY_UNREACHABLE, UPSTREAM_TIMEOUT, AUTH_ERROR,
   * ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, INVALID_ID, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly delete: Call<Contract['alert']['delete']>

  /**
   * Takes a queued message back: it fails with errorCode CANCELLED. FORBIDDEN_ACTION once it is no longer queued.
   *
   * Feature send: needs Notify, Assistant, Shop, Developer, or Connect. Takes an account key, a signed-in user or a
   * number's own key. Counts towards the organization's 300 changes a minute.
   *
   * @throws MessagingError MESSAGE_NOT_FOUND, MESSAGE_WRONG_NUMBER, FORBIDDEN_ACTION, AUTH_ERROR, ACCOUNT_DEACTIVATED,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, INVALID_ID, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly cancel: Call<Contract['alert']['cancel']>
}
