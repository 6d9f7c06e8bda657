import type { Readable, Writable } from 'node:stream'

/** The version of this package; a test holds it against package.json. */
export const version = '0.1.0'

/** A stream that may be a terminal. */
type Input = Readable & {
  readonly isTTY?: boolean | undefined
  /** Passes on each key at once, and shows none. Only terminals have it. */
  setRawMode?(isRaw: boolean): unknown
}
export type Output = Writable & {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** The machine that msgctl runs on. Tests replace it, so that no test waits or touches a home folder. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory. */
  readonly cwd: string
  readonly homeDir: string
  readonly platform: NodeJS.Platform
  /** The user id, or undefined on systems without one. */
  readonly uid: number | undefined
  /** The time zone of the user, such as Europe/Berlin. */
  readonly timeZone: string
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  /** Aborts on Ctrl-C. */
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

/** Returns the real machine. Its streams are opened on first use, so that a command loads only those it needs. */
export function realHost(homeDir: string, signal: AbortSignal): Host {
  const { env, platform } = process
  return {
    env,
    cwd: process.cwd(),
    homeDir,
    platform,
    uid: process.getuid?.(),
    get timeZone() {
      return new Intl.DateTimeFormat().resolvedOptions().timeZone
    },
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return process.stdout
    },
    get stderr() {
      // A closed stderr must not change how the command ends.
      if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
      return process.stderr
    },
    signal,
    now: Date.now,
    wait,
  }
}

/** Returns whether prompts are possible: they are written to stderr and answered on stdin. */
export function canPrompt(host: Host): boolean {
  return host.stdin.isTTY === true && host.stderr.isTTY === true && host.env.TERM !== 'dumb'
}

/** Returns whether to colour what `stream` shows (https://no-color.org, https://force-color.org, TERM=dumb). */
export function supportsColour(host: Host, stream: Output): boolean {
  const { FORCE_COLOR: forced, NO_COLOR, TERM } = host.env
  if (forced) return forced !== '0' && forced !== 'false'
  return stream.isTTY === true && !NO_COLOR && TERM !== 'dumb'
}
