import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.messages`. Written by `npm run calls` from the contract. */
export interface MessagesCalls {
  /**
   * Every message of the organization, newest first: sends, batches, campaigns, OTP, reminders and assistants. Open to
   * every product, with the account key or a signed-in user. At most 100 on a page; follow `nextCursor` for pages that
   * do not shift while new messages arrive.
   *
   * Open to every organization. Takes an account key or a signed-in user, not a number's own key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, VALIDATION_ERROR, SERVICE_BUSY,
   * INTERNAL_ERROR
   */
  readonly list: Call<Contract['messages']['list']>

  /**
   * One message with its timeline, with the account key or a signed-in user. MESSAGE_NOT_FOUND when there is none.
   *
   * Open to every organization. Takes an account key or a signed-in user, not a number's own key.
   *
   * @throws MessagingError MESSAGE_NOT_FOUND, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, INVALID_ID,
   * SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly get: Call<Contract['messages']['get']>

  /**
   * Counts of the organization's messages. `sent` counts what reached the network, `delivered` also what was read.
   *
   * Open to every organization. Takes an account key or a signed-in user, not a number's own key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly stats: Call<Contract['messages']['stats']>
}
