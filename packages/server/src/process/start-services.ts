import { openSecrets } from '@msgctl/network/secrets'
import type { DestinationStream } from 'pino'
import { openMedia } from '#api/media/media.ts'
import { type CombinedGateway, combineDrivers } from '#networks/gateway/combined.ts'
import { simulatedWarning } from '#numbers/records/view.ts'
import { startClock } from '#platform/db/clock.ts'
import { clockReports } from '#platform/db/clock-reports.ts'
import { connect } from '#platform/db/db.ts'
import { startWake } from '#platform/db/wake.ts'
import { outageReports } from '#platform/log/database-outage.ts'
import { createLogger } from '#platform/log/log.ts'
import { openMailer } from '#platform/mail/mailer.ts'
import { openMetrics } from '#platform/metrics/metrics.ts'
import type { Services } from '#services.ts'
import type { Config } from './config.ts'
import { openDrivers } from './drivers.ts'
import { openPayments } from './payments/open.ts'

/** Services with what ends them. */
export interface RunningServices extends Services {
  readonly gateway: CombinedGateway
  /** Ends the gateway, downloads, mail, the clock, the signals and the pool, in this order. */
  stop(): Promise<void>
}

/** How often the clock is compared with the database: often where it can be moved, rarely where only drift counts. */
const followMs = { movable: 1000, fixed: 30_000 }

/** Longer than the 30 s after which the server ends a statement. */
export const responseTimeoutMs = 35_000

/**
 * Creates what the features work with, on a migrated database (default of `logTo`: standard output). A statement
 * without a response for `responseTimeoutMs` (default: 35 s) loses its connection.
 */
export async function startServices(
  config: Config,
  databaseUrl: string,
  options: { readonly logTo?: DestinationStream; readonly responseTimeoutMs?: number } = {},
): Promise<RunningServices> {
  const log = createLogger(config.logLevel, options.logTo, config.logFormat)
  const outage = outageReports(log)
  const pool = connect(databaseUrl, {
    poolMax: config.databasePool,
    responseTimeoutMs: options.responseTimeoutMs ?? responseTimeoutMs,
    refuseRestored: true,
    prepared: config.databasePrepared,
    onWarning: outage.lost,
  })
  pool.on('query-response', outage.responded)
  const secrets = openSecrets(config.secretsKeys)
  const clock = await startClock(pool, {
    followMs: config.simulator.control ? followMs.movable : followMs.fixed,
    // A worker reports it with what it does not do because of it.
    ...(!config.services.includes('worker') && { onRead: clockReports(log) }),
  })
  const wake = startWake(pool, databaseUrl, config.databasePrepared)
  const unsubscribe = wake.on('clock', () => void clock.sync().catch(() => undefined))
  const media = await openMedia({ ...config, log })
  const mailer = openMailer(config, secrets, log)
  if (config.production && config.gateway === 'simulator') log.warn({ event: 'network_simulated' }, simulatedWarning)
  const metrics = openMetrics()
  const payments = await openPayments({ config, db: pool, clock, wake, log, metrics })
  const drivers = await openDrivers({ db: pool, clock, wake, secrets, log, metrics, config })
  const gateway = combineDrivers(pool, drivers, config.gateway)
  return {
    db: pool,
    gateway,
    media,
    mailer,
    clock,
    wake,
    secrets,
    log,
    metrics,
    payments,
    config,
    async stop() {
      await gateway.close()
      await media.close()
      await mailer.close()
      unsubscribe()
      clock.stop()
      await wake.stop()
      await pool.destroy()
    },
  }
}
