import { randomUUID } from 'node:crypto'
import { openSecrets } from '@msgctl/network/secrets'
import { rpcKeyPurpose } from '@msgctl/network/wire'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { baileysEngine } from '../engine/baileys/engine.ts'
import { openFileNetwork } from '../engine/baileys/file-access.ts'
import { Host } from '../host/host.ts'
import { DirectPace, LoginPace, loginsPerSecond } from '../host/login-pace.ts'
import { fixedVersion, WebVersions } from '../host/web-versions.ts'
import { LeaseClock } from '../leases/lease-clock.ts'
import { LeaseStore } from '../leases/lease-store.ts'
import { HistoryWriter } from '../number/history-writer.ts'
import { createSendLimit } from '../rpc/send-limit.ts'
import { createRpcServer } from '../rpc/serve-rpc.ts'
import { TraceFolder } from '../trace/trace-folder.ts'
import { createCommitter } from '../vault/committer.ts'
import type { HostConfig } from './config.ts'
import { listenForSignals } from './database-signals.ts'
import { inboxSignal } from './inbox-signal.ts'
import { close, listen } from './listen.ts'
import { createHostMetrics } from './metrics.ts'
import { openPools } from './pools.ts'
import { createMetricsServer } from './serve-metrics.ts'

const version = '0.1.0'

/** A host that runs. */
export interface RunningHost {
  readonly url: string
  /** Where its metrics are served; null: nowhere. */
  readonly metricsUrl: string | null
  stop(): Promise<void>
}

/** Starts a host: its HTTP server first, because the row in gateway_hosts names the address. */
export async function startHost(config: HostConfig, log: Logger): Promise<RunningHost> {
  const hostId = randomUUID()
  const pools = openPools(config.databaseUrl, (err) =>
    log.warn({ event: 'database_connection_lost', err }, 'lost a connection to the database'),
  )
  const pool = pools.main
  await requireClock(pool)
  const secrets = openSecrets(config.secretsKeys)
  const key = secrets.derive(rpcKeyPurpose)?.key
  if (!key) throw new Error('SECRETS_KEYS has no key')
  const metrics = createHostMetrics(() => countByStatus(host))
  const leases = new LeaseStore(pools.leases, hostId, config.leaseMs)
  const onEvents = inboxSignal(pool, hostId)
  const committer = createCommitter({
    pool,
    hostId,
    onEvents,
    figures: {
      observe: metrics.commits.observe,
      failed(err) {
        metrics.commits.failed()
        log.warn({ event: 'commit_failed', err }, 'failed to commit; the frames wait')
      },
    },
  })
  const leaseClock = new LeaseClock(config.leaseMs)
  const files = await openFileNetwork(config.fileHosts)
  const trace = config.trace === null ? null : new TraceFolder(config.trace, log)
  const { networkUrl, keepAliveMs } = config
  const engineConfig = { url: networkUrl, files, leases: leaseClock, trace, keepAliveMs }
  const webVersions = new WebVersions({ pool, fixed: fixedVersion(config), url: config.webVersionUrl, log })
  const numbers = {
    pool,
    linkPool: pools.links,
    engine: baileysEngine(config.networkRoot),
    config: engineConfig,
    onReconnect: metrics.onReconnect,
    onEvents,
    logins: new LoginPace(loginsPerSecond),
    webVersions,
    history: new HistoryWriter({ pool: pools.history, log, onFailed: metrics.onHistoryFailed }),
    log,
  }
  const server = createRpcServer({
    key,
    get numbers() {
      return host.numbers
    },
    context: { ...numbers, sends: createSendLimit() },
    log,
    observe: metrics.onCall,
  })
  const address = await listen(server, config.listen)
  const url = config.url ?? address
  const metricsServer = createMetricsServer(metrics.text)
  const metricsUrl = config.metrics && (await listen(metricsServer, config.metrics))
  const host = new Host({
    ...numbers,
    secrets,
    leases,
    committer,
    leaseMs: config.leaseMs,
    capacity: config.capacity,
    url,
    version,
    onFenced: metrics.onFenced,
    direct: new DirectPace({ capacity: config.capacity, windowMs: config.loginSpreadMs }),
  })
  await host.start()
  const signals = listenForSignals(config.databaseUrl, () => host.renew().then(() => host.poll()))
  return {
    url,
    metricsUrl,
    async stop() {
      await signals.stop()
      await host.stop()
      await Promise.all([close(server), close(metricsServer)])
      await Promise.all([pools.end(), files.close()])
    },
  }
}

function countByStatus(host: Host): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { status } of host.numbers.values()) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}

const clockToleranceMs = 30_000

/** Throws an Error when the clock of this machine differs from the database's: times of messages would be wrong. */
async function requireClock(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ now: Date }>('select gateway_clock() as now')
  const differenceMs = Math.abs(Date.now() - (rows[0]?.now.getTime() ?? 0))
  if (differenceMs > clockToleranceMs) {
    const seconds = Math.round(differenceMs / 1000)
    throw new Error(`the clock of this machine differs from the database's by ${seconds} s; set it right`)
  }
}
