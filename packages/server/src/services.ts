import type { Clock } from './db/clock.ts'
import type { Db } from './db/db.ts'
import type { Wake } from './db/wake.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Media } from './media/media.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Config } from './process/config.ts'
import type { Log } from './process/log-events.ts'
import type { Secrets } from './secrets.ts'

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
  readonly config: Config
}
