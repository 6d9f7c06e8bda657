import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { Host, Output } from '../host.ts'
import { run } from '../run.ts'

/** What one command line came to. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** What was written, in its order; absent where nothing ran. */
  readonly chunks?: readonly Chunk[]
}

/** One piece of output. */
interface Chunk {
  readonly to: 'stdout' | 'stderr'
  readonly text: string
}

/** What may differ from a plain machine: no terminal, nothing on stdin, an empty environment. */
export interface Situation {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Whether stdout is a terminal. */
  readonly terminal?: boolean
  /** What a person types when they are asked; stdin and stderr are a terminal then. */
  readonly keys?: string
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
}

/** A machine of its own: a home, a working folder and a clock that moves only when something waits. */
export interface Machine {
  readonly home: string
  readonly cwd: string
  readonly clock: MachineClock
  world(situation?: Situation): Host & { readonly written: { stdout: string; stderr: string; chunks: Chunk[] } }
  run(argv: readonly string[], situation?: Situation): Promise<Ran>
}

const start = Date.parse('2026-11-01T08:00:00Z')

/** A terminal at which `keys` are pressed as soon as something reads them one by one. */
function keyboard(keys: string): PassThrough {
  const stream = new PassThrough()
  let pressed = false
  const setRawMode = (raw: boolean) => {
    if (raw && !pressed) setImmediate(() => stream.write(keys))
    pressed ||= raw
    return stream
  }
  return Object.assign(stream, { isTTY: true, setRawMode })
}

function stdinOf({ stdin, keys }: Situation): Readable {
  if (keys !== undefined) return keyboard(keys)
  return stdin === undefined ? new PassThrough().end() : Readable.from([Buffer.from(stdin)])
}

function collector(write: (text: string) => void, isTTY: boolean): Output {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      write(String(chunk))
      done()
    },
  })
  return Object.assign(stream, { isTTY })
}

/** Returns a clock that nothing but its machine follows. */
function testClock(): MachineClock {
  let now = start
  return {
    now: () => now,
    async advance(ms) {
      now += ms
    },
  }
}

/** Makes a machine for one test; its folders are removed when the test is over. */
export function testMachine(clock: MachineClock = testClock()): Machine {
  const home = mkdtempSync(path.join(tmpdir(), 'msgctl-cli-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
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
        stdin: stdinOf(situation),
        stdout: collector(write('stdout'), terminal),
        stderr: collector(write('stderr'), notesOnTerminal),
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
