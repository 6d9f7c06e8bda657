import { createApp, type HttpServer, listen } from './app.ts'
import { type Config, ConfigError } from './config.ts'
import { openDatabase } from './database.ts'
import { simRoutes } from './gateway/simulator/routes.ts'
import { handlers } from './handlers.ts'
import { isDoneWithin } from './patience.ts'
import { type RunningServices, startServices } from './start-services.ts'
import { startWorker, type Worker } from './worker.ts'

/** The running service of one process. */
export interface RunningServer {
  readonly services: RunningServices
  /** Null in a process that is a worker only. */
  readonly http: HttpServer | null
  readonly worker: Worker | null
  /**
   * Claims and accepts nothing more, finishes what runs, gives back what was not begun, and ends everything, the embedded
   * database last. What runs gets `withinMs` (22,000 ms unless told), the connections 1.5 s more.
   */
  stop(withinMs?: number): Promise<void>
}

/** A dispatcher that has not looked at its lanes for this long is not alive. */
const aliveMs = 10_000

const stopWithinMs = 22_000
const endWithinMs = 1500

/** Starts what `config.services` names. Throws ConfigError, or an error of the database, with a message that says what to do. */
export async function startServer(config: Config): Promise<RunningServer> {
  const database = await openDatabase(config)
  let services: RunningServices | null = null
  let worker: Worker | null = null
  let http: HttpServer | null = null
  /** A part that fails to stop must not keep the others from it. */
  async function noted(part: Promise<void> | undefined): Promise<void> {
    await part?.catch((error: unknown) => services?.log.warn({ err: error }, 'a part did not stop as it should'))
  }
  async function stop(withinMs = stopWithinMs): Promise<void> {
    // The worker is told first: what it claims from here on could only be given back.
    const halves = [worker?.stop(withinMs), http?.stop(withinMs)]
    await isDoneWithin(withinMs, Promise.all(halves.map(noted)))
    await isDoneWithin(endWithinMs, Promise.all([noted(services?.stop())]))
    await database.stop()
  }
  try {
    services = await startServices(database.config, database.url)
    worker = config.services.includes('worker') ? await startWorker(services, database.url) : null
    http = config.services.includes('api') ? await startApi(services, worker) : null
    return { services, http, worker, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startApi(services: RunningServices, worker: Worker | null): Promise<HttpServer> {
  const app = createApp(services, handlers, worker ? { dispatcherAlive: () => isAlive(services, worker) } : {})
  if (services.config.simulator.control) app.use(simRoutes(services))
  return listen(app, services.config).catch((error: Error) => {
    throw new ConfigError(listenFailure(services.config, error))
  })
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has this port',
  EACCES: 'this user may not take this port',
  EADDRNOTAVAIL: 'this machine does not have this address',
  ENOTFOUND: 'this name has no address',
}

function listenFailure({ host, port }: Config, error: NodeJS.ErrnoException): string {
  const reason = listenReasons[error.code ?? ''] ?? error.message
  return `The API cannot listen with HOST=${host} and PORT=${port}: ${reason}.`
}

function isAlive({ clock }: RunningServices, { dispatcher }: Worker): boolean {
  const last = dispatcher.lastLookAt()
  return last !== null && clock.now().getTime() - last.getTime() < aliveMs
}
