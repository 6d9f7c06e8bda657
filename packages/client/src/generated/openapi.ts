import type { Contract } from '@msgctl/contract'
import type { Call } from '../types.ts'

/** `client.openapi`. Written by `npm run calls` from the contract. */
export interface OpenapiCalls {
  /**
   * This API as an OpenAPI 3.1 document, with its webhooks. Open to everybody.
   *
   * Needs no credentials.
   *
   * @throws MessagingError SERVICE_BUSY, INTERNAL_ERROR
   */
  readonly document: Call<Contract['openapi']['document']>
}
