import type { Gateway } from '@msgctl/network/gateway'
import type { Secrets } from '@msgctl/network/secrets'
import type { Media } from './api/media/media.ts'
import type { Payments } from './billing/payments/payments.ts'
import type { Clock } from './platform/db/clock.ts'
import type { Db } from './platform/db/db.ts'
import type { Wake } from './platform/db/wake.ts'
import type { Log } from './platform/log/log-events.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { Config } from './process/config.ts'

/** What the features work with: built once at start, passed as an argument, never looked up. */
export interface Services {
  readonly db: Db
  readonly gateway: Gateway
  readonly media: Media
  readonly mailer: Mailer
  readonly clock: Clock
  readonly wake: Wake
  readonly secrets: Secrets
  readonly log: Log
  readonly metrics: Metrics
  /** Null: the service takes no payments. */
  readonly payments: Payments | null
  readonly config: Config
}
