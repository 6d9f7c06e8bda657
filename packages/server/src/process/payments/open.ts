import type { Payments } from '#billing/payments/payments.ts'
import type { ProviderCall } from '#billing/payments/provider.ts'
import { paySimOf } from '#billing/payments/simulator/of-services.ts'
import type { Services } from '#services.ts'

/**
 * Opens what payments are taken with; null where the service takes none. Nothing of it is loaded then: the library of
 * the provider takes a third of a second.
 */
export async function openPayments(
  services: Pick<Services, 'config' | 'db' | 'clock' | 'wake' | 'log' | 'metrics'>,
): Promise<Payments | null> {
  const { config, log, metrics } = services
  const { payments } = config
  if (payments === null) return null
  metrics.watchPayments()
  const { openProvider } = await import('#billing/payments/open-provider.ts')
  const sim = paySimOf(services)
  const simulated = sim && {
    fetch: (await import('#billing/payments/simulator/http/fetch.ts')).simulatedFetch(sim),
    seed: payments.prices,
  }
  function observe(call: ProviderCall): void {
    metrics.paymentCalled(call)
    if (call.outcome === 'ok' || call.error === null) return
    const misconfigured = /Authentication|Permission|Idempotency/.test(call.error)
    const line = { event: 'payment_call_failed', call: call.name, outcome: call.outcome, error: call.error } as const
    log[misconfigured ? 'error' : 'warn'](line, 'a call of the payment provider failed')
  }
  const provider = await openProvider({
    secretKey: payments.secretKey,
    webhookSecrets: payments.webhookSecrets ?? (sim === null ? [] : [sim.webhookSecret]),
    timeoutSeconds: payments.timeoutSeconds,
    tax: payments.tax,
    observe,
    ...simulated,
  })
  const mode = payments.provider === 'simulated' ? 'simulated' : provider.livemode ? 'live' : 'test'
  return {
    mode,
    provider,
    prices: payments.prices,
    graceDays: payments.graceDays,
    timeoutSeconds: payments.timeoutSeconds,
    tax: payments.tax,
    returnUrl: payments.returnUrl,
  }
}
