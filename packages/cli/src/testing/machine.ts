import { accessSync, constants, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { onTestFinished, vi } from 'vitest'
import type { Host, Output } from '../host.ts'
import { run } from '../run.ts'

/** The result of one command line. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** The output in order; absent if nothing ran. */
  readonly chunks?: readonly Chunk[]
}

/** One piece of output. */
interface Chunk {
  readonly to: 'stdout' | 'stderr'
  readonly text: string
}

/** Differences from a plain machine: no terminal, empty stdin, empty environment. */
export interface Situation {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Whether stdout is a terminal. */
  readonly terminal?: boolean
  /** The width of the terminal. */
  readonly columns?: number
  /** The height of the terminal. */
  readonly rows?: number
  /** The keys typed at the prompt, or at each of several; stdin and stderr are then a terminal. */
  readonly keys?: string | readonly string[]
  /** Whether stderr is a terminal. */
  readonly notesOnTerminal?: boolean
  readonly signal?: AbortSignal
  /** Called at each wait, after the clock has moved. */
  readonly onWait?: () => void
}

/** The clock of a machine, in milliseconds since 1970. */
export interface MachineClock {
  now(): number
  /** Moves the clock; resolves once everything that became due is done. */
  advance(ms: number): Promise<void>
  /** Makes the organization of this owner one of the platform's staff; only where a service has the clock. */
  makeStaff?(ownerEmail: string): Promise<void>
}

/** A machine with its own home folder, working directory and clock, which moves only while something waits. */
export interface Machine {
  readonly home: string
  readonly cwd: string
  readonly clock: MachineClock
  world(situation?: Situation): Host & { readonly written: { stdout: string; stderr: string; chunks: Chunk[] } }
  run(argv: readonly string[], situation?: Situation): Promise<Ran>
}

const start = Date.parse('2026-11-01T08:00:00Z')

/** Returns a terminal that sends the next `keys` as soon as a prompt turns raw mode on. */
function keyboard(keys: string | readonly string[]): PassThrough {
  const stream = new PassThrough()
  const left = typeof keys === 'string' ? [keys] : [...keys]
  let wasRaw = false
  const setRawMode = (raw: boolean) => {
    const next = raw && !wasRaw ? left.shift() : undefined
    if (next !== undefined) setImmediate(() => stream.write(next))
    wasRaw = raw
    return stream
  }
  return Object.assign(stream, { isTTY: true, setRawMode })
}

function stdinOf({ stdin, keys }: Situation): Readable {
  if (keys !== undefined) return keyboard(keys)
  return stdin === undefined ? new PassThrough().end() : Readable.from([Buffer.from(stdin)])
}

function collector(write: (text: string) => void, isTTY: boolean, { columns, rows }: Situation): Output {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      write(String(chunk))
      done()
    },
  })
  return Object.assign(stream, { isTTY, columns, rows })
}

/** Returns a clock for one machine. */
function testClock(now = start): MachineClock {
  let current = now
  return {
    now: () => current,
    async advance(ms) {
      current += ms
    },
  }
}

/** Linux's folder in memory: removing a small file takes milliseconds on some disks. */
const memoryFolder = '/dev/shm'

function temporaryFolder(): string {
  try {
    accessSync(memoryFolder, constants.W_OK)
    return memoryFolder
  } catch {
    return tmpdir()
  }
}

/** Calls a function at the end of a test or of all tests. */
export type AtEnd = (end: () => void) => void

/** Creates a machine for one test; its folders are removed after the test, or when `atEnd` says so. */
export function testMachine(clock: MachineClock = testClock(), atEnd: AtEnd = onTestFinished): Machine {
  const home = mkdtempSync(path.join(temporaryFolder(), 'msgctl-cli-home-'))
  atEnd(() => rmSync(home, { recursive: true, force: true }))
  const machine: Machine = {
    home,
    cwd: home,
    clock,
    world(situation = {}) {
      const { env = {}, terminal = false, notesOnTerminal = situation.keys !== undefined, onWait } = situation
      const { signal = new AbortController().signal } = situation
      const written: { stdout: string; stderr: string; chunks: Chunk[] } = { stdout: '', stderr: '', chunks: [] }
      const write = (to: Chunk['to']) => (text: string) => {
        written[to] += text
        written.chunks.push({ to, text })
      }
      return {
        env,
        cwd: machine.cwd,
        homeDir: home,
        platform: process.platform,
        uid: process.getuid?.(),
        timeZone: env.TZ ?? 'UTC',
        stdin: stdinOf(situation),
        stdout: collector(write('stdout'), terminal, situation),
        stderr: collector(write('stderr'), notesOnTerminal, situation),
        signal,
        now: clock.now,
        async wait(ms) {
          await clock.advance(ms)
          onWait?.()
        },
        written,
      }
    },
    async run(argv, situation) {
      const world = machine.world(situation)
      const exitCode = await run(world, argv)
      return { ...world.written, exitCode }
    },
  }
  return machine
}

/** Returns a machine for one test with the same files and the same time, at a clock of its own. */
export function copyMachine({ home, clock }: Machine): Machine {
  const copy = testMachine(testClock(clock.now()))
  cpSync(home, copy.home, { recursive: true })
  return copy
}

/** Makes the client retry at once until the test is over: it waits for a random part of its backoff. */
export function retryAtOnce(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => random.mockRestore())
}
