import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { run } from '../run.ts'
import type { Output, World } from '../world.ts'

/** What one command line came to. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
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

/** A machine of its own: a home, a working folder and a clock that moves only when something waits. */
export interface Machine {
  readonly home: string
  readonly cwd: string
  now: number
  world(situation?: Situation): World & { readonly written: { stdout: string; stderr: string } }
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

/** Makes a machine for one test; its folders are removed when the test is over. */
export function testMachine(): Machine {
  const home = mkdtempSync(path.join(tmpdir(), 'msgctl-cli-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const machine: Machine = {
    home,
    cwd: home,
    now: start,
    world(situation = {}) {
      const { env = {}, terminal = false, notesOnTerminal = situation.keys !== undefined, onWait } = situation
      const { signal = new AbortController().signal } = situation
      const written = { stdout: '', stderr: '' }
      return {
        env,
        cwd: machine.cwd,
        homeDir: home,
        platform: process.platform,
        uid: process.getuid?.(),
        stdin: stdinOf(situation),
        stdout: collector((text) => {
          written.stdout += text
        }, terminal),
        stderr: collector((text) => {
          written.stderr += text
        }, notesOnTerminal),
        signal,
        now: () => machine.now,
        async wait(ms) {
          machine.now += ms
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
