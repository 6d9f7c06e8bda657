import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.account`. Written by `npm run calls` from the contract. */
export interface AccountCalls {
  /**
   * Who is calling: the person, the organization, its products and what they unlock. Open to every product.
   *
   * Open to every organization. Takes an account key or a signed-in user, not a number's own key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly me: Call<Contract['account']['me']>

  /**
   * The limits of the organization and what is left of them. It costs no change. Open to every product.
   *
   * Open to every organization. Takes an account key or a signed-in user, not a number's own key.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly limits: Call<Contract['account']['limits']>

  /**
   * Makes the first account key, shown once. A signed-in owner or admin. CONFLICT once there is one.
   *
   * Feature api: needs Notify, Assistant, Shop, Developer, or Connect. Takes an account key or a signed-in user, not a
   * number's own key. Only for the role owner or admin; an account key acts as an admin. Counts towards the
   * organization's 300 changes a minute. The answer holds a secret and is never cached.
   *
   * @throws MessagingError CONFLICT, AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, ROLE_FORBIDDEN,
   * NO_ACTIVE_PRODUCT, PRODUCT_REQUIRED, RATE_LIMITED, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly generateKey: Call<Contract['account']['generateKey']>

  /**
   * Makes a new account key, shown once; the old one stops working at once. Owners, admins and the account key.
   *
   * Feature api: needs Notify, Assistant, Shop, Developer, or Connect. Takes an account key or a signed-in user, not a
   * number's own key. Only for the role owner or admin; an account key acts as an admin. Counts towards the
   * organization's 300 changes a minute. The answer holds a secret and is never cached.
   *
   * @throws MessagingError AUTH_ERROR, ACCOUNT_DEACTIVATED, NUMBER_KEY_SCOPE, ROLE_FORBIDDEN, NO_ACTIVE_PRODUCT,
   * PRODUCT_REQUIRED, RATE_LIMITED, SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly regenerateKey: Call<Contract['account']['regenerateKey']>
}
