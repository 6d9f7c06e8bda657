import type { Stripe } from 'stripe'
import type { ProviderOptions } from '#billing/payments/provider.ts'

export type { Stripe } from 'stripe'

/** Loads the library of the provider, and opens it with a key. */
export async function loadStripe({
  secretKey,
  timeoutSeconds,
  fetch: carry,
}: Pick<ProviderOptions, 'secretKey' | 'timeoutSeconds' | 'fetch'>): Promise<Stripe> {
  const { Stripe: Sdk } = await import('stripe')
  return new Sdk(secretKey, {
    timeout: timeoutSeconds * 1000,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(carry && { httpClient: Sdk.createFetchHttpClient(carry) }),
  })
}
