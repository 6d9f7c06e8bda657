import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { testedEnvironment } from './tested/environment.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** What `npm start` runs, once it is built. */
export const serverProgram = path.join(root, 'packages/server/bin/msgctl-server.mjs')

let built: Promise<unknown> | undefined

/** Builds what a process of its own will run, once for all files; quick when nothing changed since `npm test`. */
export async function buildServer(): Promise<void> {
  built ??= promisify(execFile)(process.execPath, [path.join(root, 'tools/scripts/build.mjs')])
  await built
}

/** A worker in a process of its own, as it runs in production. */
export interface WorkerProcess {
  readonly pid: number
  /** Resolves when the process has ended, whatever ended it. */
  readonly ended: Promise<unknown>
  /** Ends it as a crash does: at once, with nothing finished. */
  kill(): Promise<void>
  /** Asks it to stop, and returns its exit code once it has. */
  stop(): Promise<number | null>
}

/**
 * Starts a worker at a test's database. Its output is that of the test, unless `onOutput` receives it. Arguments are
 * those of Node.
 */
export function startWorkerProcess(
  databaseUrl: string,
  env: Record<string, string> = {},
  onOutput?: (text: string) => void,
  nodeArguments: readonly string[] = [],
): WorkerProcess {
  const child = spawn(process.execPath, [...nodeArguments, serverProgram, 'serve'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      SERVICES: 'worker',
      SECRETS_KEYS: newSecretsKeys(),
      UNSAFE_DISABLE_PACING: 'true',
      SIM_CONTROL: '1',
      LOG_LEVEL: 'error',
      ...testedEnvironment,
      ...env,
    },
    stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  })
  for (const stream of onOutput ? [child.stdout, child.stderr] : [])
    stream?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text))
  const exited = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    ended: exited,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
      return child.exitCode
    },
  }
}
