import * as z from 'zod'
import { ok } from '../../model/envelope.ts'
import { route } from '../../route.ts'

/** What the payment provider calls. */
export const payments = {
  /**
   * Takes an event of the payment provider: JSON whose bytes are signed in the header Stripe-Signature. Nothing in it
   * is believed but the customer that it names, who is then read at the provider. An event of another service is
   * ignored.
   */
  webhook: route('POST /payments/webhook', {
    summary: 'Take an event of the payment provider',
    access: { keys: 'public' },
    response: ok({ received: z.literal(true).describe('Always true.') }),
    raw: true,
    errors: [
      'PAYLOAD_TOO_LARGE',
      'PAYMENT_NOT_CONFIGURED',
      'PAYMENT_SIGNATURE_INVALID',
      'INVALID_JSON',
      'VALIDATION_ERROR',
    ],
    example: { output: { received: true } },
  }),
}
