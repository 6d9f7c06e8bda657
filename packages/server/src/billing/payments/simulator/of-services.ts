import type { Services } from '#services.ts'
import type { PaySim } from './context.ts'

/** Returns what the simulator works with; null where payments are not simulated. */
export function paySimOf(services: Pick<Services, 'db' | 'clock' | 'log' | 'wake' | 'config'>): PaySim | null {
  const { db, clock, log, wake, config } = services
  const { payments, links } = config
  if (payments?.provider !== 'simulated') return null
  return {
    db,
    clock,
    log,
    wake,
    webhookSecret: payments.webhookSecrets?.[0] ?? 'whsec_simulated',
    tax: payments.prices.simulatedTaxPercent,
    pages: `${links.publicUrl}/simulated-payments`,
  }
}
