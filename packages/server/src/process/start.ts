import { setTimeout } from 'node:timers/promises'
import { settlesWithin } from '@msgctl/network/timeout'
import { setBillingGauges } from '#billing/gauges.ts'
import { simRoutes } from '#networks/simulator/routes.ts'
import { armCrash } from '#platform/crash-points.ts'
import { poolFigures } from '#platform/db/pool-quota.ts'
import { scraper } from '#platform/metrics/snapshot.ts'
import { createApp, createOperationsApp, type HttpServer, listen, type WorkerHealth } from './app.ts'
import { type Config, ConfigError } from './config.ts'
import { openDatabase } from './database.ts'
import { filesRoute } from './files-route.ts'
import { gatewayRoute } from './gateway-route.ts'
import { onThisMachine } from './on-this-machine.ts'
import { mountSimulatedPayments } from './payments/mount.ts'
import { type RunningServices, startServices } from './start-services.ts'
import { reportSecrets } from './stored-secrets.ts'
import type { Worker } from './worker.ts'

/** The running service of one process. */
export interface RunningServer {
  readonly services: RunningServices
  /** Null in a process that is a worker only. */
  readonly http: HttpServer | null
  /** Where metrics and probes are served; null without METRICS_PORT. */
  readonly operations: { readonly address: string } | null
  readonly worker: Worker | null
  /** Resolves with the reason when the embedded database is gone for good: the process has to end. */
  readonly databaseLost: Promise<Error>
  /**
   * Claims and accepts nothing more, finishes what runs, gives back what was not begun, and ends everything, the
   * embedded database last. Running work gets `withinMs` (default: 22,000 ms), the connections 1.5 s more.
   */
  stop(withinMs?: number): Promise<void>
}

/** A dispatcher that has not polled its lanes for this long is not alive. */
const aliveMs = 10_000

const stopWithinMs = 22_000
const endWithinMs = 1500
const operationsEndWithinMs = 300

/** A step of a start. */
interface StartSteps {
  /** Runs in a process with the API when all else has started: no request arrives before it has resolved. */
  beforeListening?(services: RunningServices): Promise<void>
  /** Starts what runs beside the service at its database. Returns what stops it, before the database. */
  startBeside?(config: Config, databaseUrl: string): (() => Promise<void>) | null
}

/**
 * Starts what `config.services` names. Throws ConfigError, or an error of the database, with a message that says what
 * to do.
 */
export async function startServer(config: Config, steps: StartSteps = {}): Promise<RunningServer> {
  if (config.crashAt) armCrash(config.crashAt)
  const database = await openDatabase(config)
  let services: RunningServices | null = null
  let worker: Worker | null = null
  let http: HttpServer | null = null
  let operations: Operations | null = null
  let stopBeside: (() => Promise<void>) | null = null
  /** A part that fails to stop must not keep the others from stopping. */
  async function noted(part: Promise<void> | null | undefined): Promise<void> {
    await part?.catch((error: unknown) =>
      services?.log.warn({ event: 'stop_failed', err: error }, 'failed to stop a part of the service'),
    )
  }
  /** Load balancers see readiness fail before the port closes. */
  async function stopListening(listener: HttpServer, withinMs: number): Promise<void> {
    const delayMs = Math.min(config.drainDelaySeconds * 1000, withinMs)
    listener.drain()
    if (delayMs > 0) await setTimeout(delayMs)
    await listener.stop(withinMs - delayMs)
  }
  async function stop(withinMs = stopWithinMs): Promise<void> {
    operations?.drain()
    // The worker stops first: what it claims from here on could only be given back.
    const halves = [worker?.stop(withinMs), http && stopListening(http, withinMs)]
    await settlesWithin(withinMs, Promise.all(halves.map(noted)))
    // The probes report the stop until running work has ended.
    await settlesWithin(operationsEndWithinMs, noted(operations?.stop(operationsEndWithinMs)))
    await settlesWithin(endWithinMs, noted(services?.stop()))
    await noted(stopBeside?.())
    await database.stop()
  }
  try {
    services = await startServices(database.config, database.url)
    stopBeside = steps.startBeside?.(database.config, database.url) ?? null
    worker = config.services.includes('worker') ? await startWork(services, database.url) : null
    if (config.services.includes('api')) {
      await steps.beforeListening?.(services)
      http = await startApi(services, worker)
    }
    operations = await startOperations(services, worker)
    // Tests and bare checkouts with a database of their own have no keys to lose.
    if (config.production || config.databaseUrl === null) void reportSecrets(services)
    return { services, http, operations, worker, databaseLost: database.lost, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

// Each half is loaded only where it runs: reading modules is most of the time that a start takes.

async function startWork(services: RunningServices, databaseUrl: string): Promise<Worker> {
  const { startWorker } = await import('./worker.ts')
  return startWorker(services, databaseUrl)
}

async function startApi(services: RunningServices, worker: Worker | null): Promise<HttpServer> {
  const { handlers } = await import('./handlers.ts')
  const app = createApp(services, handlers, aliveness(services, worker))
  app.use(gatewayRoute(services))
  app.use(filesRoute(services.gateway))
  const announce = await mountSimulatedPayments(app, services)
  if (services.config.simulator.control) app.use(simRoutes(services))
  const http = await listen(app, services.config).catch((error: Error) => {
    const { host, port } = services.config
    throw new ConfigError(`The API cannot listen with HOST=${host} and PORT=${port}: ${reasonOf(error)}.`)
  })
  await announce(onThisMachine(http.address))
  return http
}

interface Operations {
  readonly address: string
  /** Makes readiness fail. */
  drain(): void
  stop(withinMs: number): Promise<void>
}

async function startOperations(services: RunningServices, worker: Worker | null): Promise<Operations | null> {
  const { metrics } = services.config
  if (!metrics) return null
  services.metrics.watchProcess()
  services.metrics.watchClock(() => services.clock.aheadMs() / 1000)
  services.metrics.watchPool(() => poolFigures(services.db))
  if (worker) {
    services.metrics.watchDispatcher(() => pollAgeMs(services, worker) / 1000)
    services.metrics.watchJobs(worker.jobs.secondsSinceEnd)
  }
  const scrape = scraper(services, () => setBillingGauges(services))
  const app = createOperationsApp(services, { ...aliveness(services, worker), scrape })
  const server = await listen(app, metrics).catch((error: Error) => {
    const { host, port } = metrics
    const settings = `METRICS_HOST=${host} and METRICS_PORT=${port}`
    throw new ConfigError(`Metrics cannot be served with ${settings}: ${reasonOf(error)}.`)
  })
  return { address: server.address, drain: () => app.drain.abort(), stop: (withinMs) => server.stop(withinMs) }
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses this port',
  EACCES: 'this user may not use this port',
  EADDRNOTAVAIL: 'this machine does not have this address',
  ENOTFOUND: 'this name has no address',
}

function reasonOf(error: NodeJS.ErrnoException): string {
  return listenReasons[error.code ?? ''] ?? error.message
}

function aliveness(services: RunningServices, worker: Worker | null): WorkerHealth {
  if (!worker) return {}
  return { dispatcherAlive: () => pollAgeMs(services, worker) < aliveMs, jobsProblem: worker.jobs.problem }
}

/** Returns how long ago the dispatcher polled its lanes; infinity before its first poll. */
function pollAgeMs({ clock }: RunningServices, { dispatcher }: Worker): number {
  const last = dispatcher.lastPolledAt()
  return last === null ? Number.POSITIVE_INFINITY : clock.now().getTime() - last.getTime()
}
