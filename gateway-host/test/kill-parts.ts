import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { serverProgram } from '@msgctl/server/testing/worker-process'

/** What a part of the service is: the API, a worker or a gateway host. */
export type PartKind = 'api' | 'worker' | 'host'

/** A process of the service that is started again whenever it dies. */
export interface Part {
  readonly kind: PartKind
  readonly starts: number
  /** Whether it has started since it died last. */
  readonly isUp: boolean
  /** Ends it as a crash does. */
  kill(): void
  /** Ends it for good. */
  end(): Promise<void>
}

const hostProgram = path.resolve(import.meta.dirname, '../dist/src/main.js')

/** Returns a port of the loopback address that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a part and keeps it running. `onOutput` gets every line that it writes. */
export function startPart(kind: PartKind, env: Record<string, string>, onOutput: (line: string) => void): Part {
  let isOver = false
  let starts = 0
  let isUp = false
  let child = begin()

  function begin(): ChildProcess {
    starts++
    const program = kind === 'host' ? [hostProgram] : [serverProgram, 'serve']
    const begun = spawn(process.execPath, program, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    createInterface({ input: begun.stdout }).on('line', (line) => {
      onOutput(line)
      if (line.includes('"msg":"listening"')) isUp = true
    })
    createInterface({ input: begun.stderr }).on('line', onOutput)
    begun.once('exit', () => {
      isUp = false
      if (!isOver) child = begin()
    })
    return begun
  }

  return {
    kind,
    get starts() {
      return starts
    },
    get isUp() {
      return isUp
    },
    kill() {
      isUp = false
      child.kill('SIGKILL')
    },
    async end() {
      isOver = true
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
