import type { Gateway } from '@msgctl/network/gateway'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { pino } from 'pino'
import type { Media } from '#api/media/media.ts'
import { requireContractOfEvents } from '#events/append.ts'
import { startClock } from '#platform/db/clock.ts'
import { localWake, signalThrough } from '#platform/db/wake.ts'
import { localMailer } from '#platform/mail/local.ts'
import { openMetrics } from '#platform/metrics/metrics.ts'
import { readConfig } from '#process/config.ts'
import type { Services } from '#services.ts'
import { cleanUpAfterFile } from './cleanup.ts'
import { testDatabase } from './database.ts'

/** How the services of a test differ from the usual ones. */
export interface TestServicesOptions {
  /** Settings of the environment. */
  readonly env?: Record<string, string>
  readonly services?: Partial<Services>
}

/**
 * The services for one test file over a database of its own: service time stands still until the test moves it, secrets
 * can be sealed, receivers on 127.0.0.1 may be reached, and every event is held against the contract. There is no
 * network; a test that needs one gives a gateway.
 */
export async function testServices(options: TestServicesOptions = {}): Promise<Services> {
  const { db } = await testDatabase()
  const clock = await startClock(db, { followMs: 60_000 })
  await clock.freeze()
  cleanUpAfterFile(() => clock.stop())
  requireContractOfEvents()
  const services: Services = {
    db,
    clock,
    wake: localWake(),
    gateway: {} as Gateway,
    media: {} as Media,
    mailer: localMailer(),
    secrets: openSecrets(newSecretsKeys()),
    log: pino({ level: 'silent' }),
    metrics: openMetrics(),
    payments: null,
    config: readConfig({ ALLOW_PRIVATE_TARGETS: '127.0.0.1/32', ...options.env }),
    ...options.services,
  }
  signalThrough(services.db, services.wake)
  return services
}
