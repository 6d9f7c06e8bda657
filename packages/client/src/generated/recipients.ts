import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.recipients`. Written by `npm run calls` from the contract. */
export interface RecipientsCalls {
  /**
   * Cleans a list of up to 10,000 numbers: drops duplicates, checks the shape, then asks the network for at most 25
   * seconds; who was not asked by then is listed valid with an empty chatId. Needs Notify, Developer or Connect.
   *
   * Feature batch: needs Notify, Developer, or Connect. Takes an account key, a signed-in user or a number's own key.
   * Counts towards the organization's 300 changes a minute. The body is at most 16 MiB.
   *
   * @throws MessagingError NO_SESSION_CONFIGURED, NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly validate: Call<Contract['recipients']['validate']>
}
