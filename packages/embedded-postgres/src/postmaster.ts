import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { type Account, postgresEnvironment } from './account.ts'
import { failureFromOutput } from './failure.ts'

/** A Postgres that accepts connections on 127.0.0.1. */
export interface Postmaster {
  port: number
  /** Resolves when it has ended, for whatever reason. */
  exited: Promise<void>
  stop(): Promise<void>
}

/** How to run one Postgres. */
export interface PostmasterOptions {
  /** The folder of the binaries. */
  binaries: string
  folder: string
  account: Account
  port: number
  settings: Record<string, string | number>
  /** How it ends: `INT` closes all connections and writes all data, `QUIT` loses the data. */
  stopSignal: 'INT' | 'QUIT'
}

/** Thrown with what Postgres printed before it ended, for the caller to explain. */
export class PostmasterExit extends Error {
  readonly output: string

  constructor(output: string) {
    super('Postgres ended before it accepted connections')
    this.output = output
  }
}

const readyTimeoutMs = 120_000
const stopTimeoutMs = 20_000
const outputTailLength = 8_000

/**
 * Runs Postgres under a shell that holds the reading end of a pipe of ours: when this process ends in any way, kill -9
 * included, the pipe closes and the shell stops Postgres. The traps keep the shell alive until Postgres is gone; they
 * are set last, because what a shell ignores its children ignore too.
 */
const guard = `
signal=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
postgres=$!
(read -r _ <&3; kill -s "$signal" "$postgres") 2>/dev/null &
watch=$!
trap '' HUP INT QUIT TERM
wait "$postgres"
status=$?
kill -s KILL "$watch" 2>/dev/null
exit "$status"
`

/**
 * Starts Postgres and waits until it accepts connections. It runs in a session of its own, so that Ctrl-C reaches this
 * process only and Postgres goes last.
 *
 * Throws PostmasterExit when it ends first, EmbeddedPostgresError `start_failed` when it is not ready within two
 * minutes.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { binaries, folder, account, port, stopSignal } = options
  const fixed = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    logging_collector: 'off',
  }
  const settings = Object.entries({ ...fixed, ...options.settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const command = [path.join(binaries, 'bin', 'postgres'), '-D', folder, '-p', String(port), ...settings]
  const child = spawn('/bin/sh', ['-c', guard, 'guard', stopSignal, ...command], {
    ...account,
    env: postgresEnvironment,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // Writing to it never happens; without a listener a broken pipe would end this process.
  child.stdin.on('error', () => {})
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await ready(child, folder)
  let stopped: Promise<void> | undefined
  return { port, exited, stop: () => (stopped ??= stop(child, exited)) }
}

function ready(child: ChildProcess, folder: string): Promise<void> {
  let output = ''
  let timeout: NodeJS.Timeout | undefined
  const outcome = new Promise<void>((resolve, reject) => {
    timeout = setTimeout(() => {
      child.stdin?.end()
      const what = `Postgres was not ready within ${readyTimeoutMs / 1000} s`
      reject(failureFromOutput(what, folder, output))
    }, readyTimeoutMs)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputTailLength)
      if (output.includes('ready to accept connections')) resolve()
    })
    child.once('error', reject)
    // 'close' comes when all of its output has been read, 'exit' may come before.
    child.once('close', () => reject(new PostmasterExit(output)))
  })
  return outcome.finally(() => clearTimeout(timeout))
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.stdin?.end()
  const impatient = setTimeout(() => killGroup(child, 'SIGQUIT'), stopTimeoutMs)
  const last = setTimeout(() => killGroup(child, 'SIGKILL'), 2 * stopTimeoutMs)
  await exited
  clearTimeout(impatient)
  clearTimeout(last)
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid, signal)
}

/** A TCP port of 127.0.0.1 that is free now; another program may take it before it is used. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
