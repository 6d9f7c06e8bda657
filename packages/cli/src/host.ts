import type { Readable, Writable } from 'node:stream'

/** A stream that may be a terminal. */
type Input = Readable & { readonly isTTY?: boolean | undefined }
export type Output = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }

/** Everything msgctl sees of the machine it runs on. Tests give their own, so that no test waits or touches a home. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder the command was typed in. */
  readonly cwd: string
  readonly homeDir: string
  readonly platform: NodeJS.Platform
  /** The user id, or undefined on systems without one. */
  readonly uid: number | undefined
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  /** Aborts when the person presses Ctrl-C. */
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms` milliseconds, or at once when `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

/** The real machine. Its streams are opened when they are first used: a command that reads nothing need not load them. */
export function realHost(homeDir: string, signal: AbortSignal): Host {
  const { env, platform } = process
  return {
    env,
    cwd: process.cwd(),
    homeDir,
    platform,
    uid: process.getuid?.(),
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return process.stdout
    },
    get stderr() {
      // Whoever read the notes has left: that must not change how the command ends.
      if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
      return process.stderr
    },
    signal,
    now: Date.now,
    wait,
  }
}

/** Whether a person can be asked: the question goes to stderr, the answer comes from stdin. */
export function canAsk(host: Host): boolean {
  return host.stdin.isTTY === true && host.stderr.isTTY === true && host.env.TERM !== 'dumb'
}

/** Whether `stream` takes colours (https://no-color.org, TERM=dumb). */
export function supportsColour(host: Host, stream: Output): boolean {
  return stream.isTTY === true && !host.env.NO_COLOR && host.env.TERM !== 'dumb'
}
