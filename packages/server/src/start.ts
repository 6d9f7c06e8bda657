import { createApp, type HttpServer, listen } from './app.ts'
import type { Config } from './config.ts'
import { openDatabase } from './database.ts'
import { simRoutes } from './gateway/simulator/routes.ts'
import { handlers } from './handlers.ts'
import { type RunningServices, startServices } from './start-services.ts'
import { startWorker, type Worker } from './worker.ts'

/** The running service of one process. */
export interface RunningServer {
  readonly services: RunningServices
  /** Null in a process that is a worker only. */
  readonly http: HttpServer | null
  readonly worker: Worker | null
  /** Finishes what runs, gives back what was not begun, and ends everything, the embedded database last. */
  stop(): Promise<void>
}

/** A dispatcher that has not looked at its lanes for this long is not alive. */
const aliveMs = 10_000

/** Starts what `config.services` names. Throws ConfigError, or an error of the database, with a message that says what to do. */
export async function startServer(config: Config): Promise<RunningServer> {
  const database = await openDatabase(config)
  const undo: (() => Promise<void>)[] = [database.stop]
  async function stop(): Promise<void> {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const services = await startServices(database.config, database.url)
    undo.push(services.stop)
    const worker = config.services.includes('worker') ? await startWorker(services, database.url) : null
    if (worker) undo.push(worker.stop)
    const http = config.services.includes('api') ? await startApi(services, worker) : null
    if (http) undo.push(http.stop)
    return { services, http, worker, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startApi(services: RunningServices, worker: Worker | null): Promise<HttpServer> {
  const app = createApp(services, handlers, worker ? { dispatcherAlive: () => isAlive(services, worker) } : {})
  if (services.config.simulator.control) app.use(simRoutes(services))
  return listen(app, services.config)
}

function isAlive({ clock }: RunningServices, { dispatcher }: Worker): boolean {
  const last = dispatcher.lastLookAt()
  return last !== null && clock.now().getTime() - last.getTime() < aliveMs
}
