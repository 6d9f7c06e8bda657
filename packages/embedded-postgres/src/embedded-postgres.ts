import { setTimeout as wait } from 'node:timers/promises'
import { accountFor } from './account.ts'
import { binariesFor } from './binaries.ts'
import { initialise, placeDataFolder } from './data-folder.ts'
import { explainingFileErrors, failureFromOutput } from './failure.ts'
import { keepRunning, type RestartWatcher } from './keep-running.ts'
import { awaitUnlocked, type LockTimeouts } from './lock-file.ts'
import { freePort, type Postmaster, PostmasterExit, startPostmaster } from './postmaster.ts'

/** What to start. */
export interface EmbeddedPostgresOptions {
  /** Where the data lives; made when missing. */
  dataDir: string
  /** Settings of postgresql.conf for this run, e.g. `{ shared_buffers: '256MB' }`. */
  settings?: Record<string, string | number>
  /** A throw-away cluster: much faster, and its data is gone after any stop or crash. */
  volatile?: boolean
  /** Chooses a port (default: a free one of 127.0.0.1). Called again when another program took it first. */
  choosePort?: () => Promise<number>
  /** How long to wait for another Postgres on the same folder; see LockTimeouts (default: 3 s and 60 s). */
  lockTimeouts?: Partial<LockTimeouts>
  /** Starts Postgres again when it ends by itself, and reports it (default: it stays away). */
  restart?: RestartWatcher
}

/** A running Postgres of our own. */
export interface EmbeddedPostgres {
  /** Where to connect as superuser, password included: a secret. */
  url: string
  /** Where the data is: elsewhere than requested when the user Postgres runs under may not enter that folder. */
  dataDir: string
  /** Closes all connections, ends Postgres and resolves when it is gone. May be called twice. */
  stop(): Promise<void>
}

/** No durability at all, but databases are cloned and tests run several times faster. */
const volatileSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
}

const maxStarts = 10

/**
 * What Postgres says when the port was taken, when another one locked the folder first, and when processes of a killed
 * one still end.
 */
const lostRace = /could not bind|lock file "[^"]*" already exists|pre-existing shared memory block/

/**
 * Starts the real Postgres that comes with the package, on 127.0.0.1 at a free port, and waits until it accepts
 * connections. For root it runs under an unprivileged user (see `accountFor`). It ends with this process, however that
 * ends, and the next start on the same folder waits for it. Needs a POSIX system (Linux with glibc, macOS).
 *
 * Throws EmbeddedPostgresError, whose message says what to do: another server uses the folder, the disk is full,
 * the platform has no binaries, and so on.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { settings, volatile = false, choosePort = freePort } = options
  const folder = await explainingFileErrors(options.dataDir, () =>
    placeDataFolder(options.dataDir, accountFor(options.dataDir)),
  )
  const account = accountFor(folder)
  const binaries = binariesFor(account)
  const password = await explainingFileErrors(folder, () => initialise(folder, binaries, account))
  const lockTimeouts = { runningMs: 3_000, stoppingMs: 60_000, ...options.lockTimeouts }
  const start = (port: () => Promise<number>) =>
    startWhenFree(folder, lockTimeouts, async () =>
      startPostmaster({
        binaries: binaries.folder,
        folder,
        account,
        port: await port(),
        settings: { ...(volatile ? volatileSettings : {}), ...settings },
        stopSignal: volatile ? 'QUIT' : 'INT',
      }),
    )
  const postmaster = await start(choosePort)
  const url = `postgres://postgres:${password}@127.0.0.1:${postmaster.port}/postgres`
  const { restart } = options
  const { stop } = restart ? keepRunning(postmaster, () => start(async () => postmaster.port), restart) : postmaster
  return { url, dataDir: folder, stop }
}

/** Starts Postgres once no other one serves the folder, and again when it lost a race for the port or the folder. */
async function startWhenFree(
  folder: string,
  lockTimeouts: LockTimeouts,
  start: () => Promise<Postmaster>,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    await explainingFileErrors(folder, () => awaitUnlocked(folder, lockTimeouts))
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof PostmasterExit)) throw error
      if (attempt === maxStarts || !lostRace.test(error.output)) {
        throw failureFromOutput('Postgres did not start', folder, error.output)
      }
      await wait(50 * attempt)
    }
  }
}
