import type { DrainableApp } from '#api/http/listen.ts'
import { paySimOf } from '#billing/payments/simulator/of-services.ts'
import type { Services } from '#services.ts'

/**
 * Adds the pages and the control of the simulated payment provider to an application, where payments are simulated.
 * Returns what notes where the application listens: events of the provider go there.
 */
export async function mountSimulatedPayments(
  app: DrainableApp,
  services: Services,
): Promise<(address: string) => Promise<void>> {
  const sim = paySimOf(services)
  if (sim === null) return async () => undefined
  const { paySimRoutes } = await import('#billing/payments/simulator/routes.ts')
  const { announceService } = await import('#billing/payments/simulator/own-endpoint.ts')
  app.use(paySimRoutes(sim, services.config.simulator.token))
  return (address) => announceService(sim, address)
}
