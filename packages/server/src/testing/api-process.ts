import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { testedEnvironment } from './tested/environment.ts'
import { serverProgram } from './worker-process.ts'

/** An API in a process of its own, as it runs in production. */
export interface ApiProcess {
  /** Like `http://127.0.0.1:40123/api/v1`. */
  readonly baseUrl: string
  readonly pid: number
  /** Resolves when the process has ended, whatever ended it. */
  readonly ended: Promise<unknown>
  /** Ends it as a crash does: at once, with nothing finished. */
  kill(): Promise<void>
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>
}

/**
 * Starts an API at a test's database, at a port of its own, with arguments for Node (default: none). Throws when it
 * ends before it listens.
 */
export async function startApiProcess(
  databaseUrl: string,
  env: Record<string, string> = {},
  nodeArguments: readonly string[] = [],
): Promise<ApiProcess> {
  const child = spawn(process.execPath, [...nodeArguments, serverProgram, 'serve'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      SERVICES: 'api',
      PORT: '0',
      LOG_LEVEL: 'info',
      ...testedEnvironment,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const address = await Promise.race([addressOf(child), exited.then(() => undefined)])
  if (address === undefined) throw new Error('the process ended before it listened')
  return {
    baseUrl: `${address}/api/v1`,
    pid: child.pid ?? 0,
    ended: exited,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Where the process says that it listens; the rest of its log is let through unread. */
async function addressOf(child: ChildProcess): Promise<string | undefined> {
  if (!child.stdout) return undefined
  const address = await new Promise<string | undefined>((resolve) => {
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    lines.on('line', (line) => {
      const { msg, address } = JSON.parse(line) as { msg?: string; address?: string }
      if (msg === 'listening') resolve(address)
    })
    lines.on('close', () => resolve(undefined))
  })
  child.stdout.resume()
  return address
}
