import { type ClientOptions, MessagingClient } from '@msgctl/client'
import { AdminClient } from '@msgctl/client/admin'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { useQuickHashes } from '#api/access/password.ts'
import { requireContractOfEvents } from '#events/append.ts'
import { simRoutes } from '#networks/simulator/routes.ts'
import type { Db } from '#platform/db/db.ts'
import { signalThrough } from '#platform/db/wake.ts'
import { createApp, listen } from '#process/app.ts'
import { type Config, readConfig } from '#process/config.ts'
import { filesRoute } from '#process/files-route.ts'
import { gatewayRoute } from '#process/gateway-route.ts'
import { handlers } from '#process/handlers.ts'
import { mountSimulatedPayments } from '#process/payments/mount.ts'
import { type RunningServices, startServices } from '#process/start-services.ts'
import { startWorker } from '#process/worker.ts'
import { cleanUpAfterFile } from './cleanup.ts'
import { testDatabase } from './database.ts'
import { directSimRoutes } from './direct/control.ts'
import { awaitSessionCalls } from './direct/session-calls.ts'
import { shortenLimits } from './direct/short-limits.ts'
import { testsDirect, useDirectNetwork } from './direct/test-gateway.ts'
import { testSimToken } from './sim.ts'
import { testedEnvironment } from './tested/environment.ts'
import { testedEngine, useFakeWaha } from './waha/test-gateway.ts'

/** Our own clients in one. */
export type TestClient = MessagingClient & AdminClient

/** A whole service in this process, on a database of its own, at a port of its own. */
export interface TestServer {
  readonly services: RunningServices
  readonly db: Db
  readonly databaseUrl: string
  /** Whether it runs a worker beside the API. */
  readonly worker: boolean
  /** Like `http://127.0.0.1:40123`. */
  readonly address: string
  readonly baseUrl: string
  /** Our own clients in one; without retries, so that a test sees the first response. */
  client(options: ClientOptions): TestClient
  /** Moves the service's clock and wakes everything that waits for it. */
  advance(seconds: number): Promise<void>
  stop(): Promise<void>
}

/**
 * How a test's service differs: settings of the environment by name (undefined unsets one), whether a worker runs, who
 * hears its log.
 */
export interface TestServerOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly worker?: boolean
  /** Hashes passwords as in production, which takes 40 ms each (default: false). */
  readonly safeHashes?: boolean
  /** Receives every line of the log; LOG_LEVEL decides which lines are written. */
  readonly onLog?: (line: string) => void
}

const testEnvironment = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  SIM_SPEED: '0',
  SIM_CONTROL: '1',
  SIM_TOKEN: testSimToken,
  UNSAFE_DISABLE_PACING: 'true',
  UNSAFE_DISABLE_RATE_LIMIT: 'true',
  SIGNUP: 'open',
  SIGNUP_PER_HOUR: '0',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
}

/** The settings of a test's service. */
function testConfig(env: Readonly<Record<string, string | undefined>> = {}): Config {
  return readConfig({ ...testEnvironment, SECRETS_KEYS: newSecretsKeys(), ...testedEnvironment, ...env })
}

/**
 * Starts a service for the calling test file; it ends after the file's tests. Handlers that break the contract answer
 * 500, and an event that breaks it fails its transaction. Call it at the top of the file, or in a test.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  requireContractOfEvents()
  if (!options.safeHashes) cleanUpAfterFile(useQuickHashes())
  const { db, url } = await testDatabase()
  const server = await serveDatabase(db, url, options)
  cleanUpAfterFile(() => server.stop())
  return server
}

/** One more service at a database that is there: a second process, as far as one process can be two. */
export async function serveDatabase(db: Db, url: string, options: TestServerOptions = {}): Promise<TestServer> {
  const log = options.onLog ? { logTo: { write: options.onLog } } : {}
  const services = await startServices(testConfig(options.env), url, log)
  const network = testsDirect ? await useDirectNetwork(db, url, services) : null
  if (network) awaitSessionCalls(services.gateway, network)
  const calls = network ? shortenLimits(services.gateway, () => network.silence) : { waiting: 0 }
  // The pool of the test is another process: its signals arrive at once.
  const unsubscribe = signalThrough(db, services.wake)
  const worker = options.worker === false ? null : await startWorker(services, url)
  const app = createApp(services, handlers, { strict: true, ...(worker ? { dispatcherAlive: () => true } : {}) })
  app.use(gatewayRoute(services))
  app.use(filesRoute(services.gateway))
  if (network) app.use(directSimRoutes({ services, network, worker: worker !== null }))
  const announce = await mountSimulatedPayments(app, services)
  app.use(simRoutes(services))
  const http = await listen(app, services.config)
  await announce(http.address)
  const fake =
    testedEngine === null ? null : await useFakeWaha(db, url, { address: http.address, config: services.config })
  const baseUrl = `${http.address}/api/v1`
  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    fake?.leave()
    await http.stop()
    await worker?.stop()
    unsubscribe()
    await services.stop()
  }
  return {
    services,
    db,
    databaseUrl: url,
    worker: worker !== null,
    address: http.address,
    baseUrl,
    client(given) {
      const options = { baseUrl, maxRetries: 0, ...given }
      return { ...new AdminClient(options), ...new MessagingClient(options) }
    },
    async advance(seconds) {
      await network?.idle(calls)
      await services.clock.advance(seconds)
      services.wake.signal('clock')
    },
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}
