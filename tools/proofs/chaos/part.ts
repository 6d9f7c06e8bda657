import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { Crash, CrashPoint } from '../../../packages/server/src/platform/crash-points.ts'
import { serverProgram } from '../../../packages/server/src/testing/worker-process.ts'
import type { PartName } from './plan.ts'

/** A process of the service under a supervisor, which starts it again whenever it is dead. */
export interface Part {
  readonly name: PartName
  /** Where it listens: the API, or the probes of a worker; null while it is not there. */
  place(): { readonly port: number } | null
  isReady(): Promise<boolean>
  /** The points at which it is still to die, one after the other. */
  armed(): readonly Crash[]
  /** How often it was started. */
  starts(): number
  /** Ends it as a crash does; one of those that are started in its place dies at `then`. */
  kill(then: Crash | null): void
  /** Lets it stand still, as a machine does that is out of memory, for so long. */
  freeze(forMs: number): Promise<void>
  /** Ends it for good. */
  end(): Promise<void>
}

/** What was seen of all parts. */
export interface Watch {
  /** What must never happen, in sentences. */
  readonly complaints: string[]
  /** Points at which a process died. */
  readonly reached: Set<CrashPoint>
  /** How often errors of each kind were logged. */
  readonly errors: Map<string, number>
}

/** A process that finds no database does not begin; its supervisor tries again. */
const noDatabase = /The database of DATABASE_URL .* cannot be used/
/** Startup may also lose its connection in the middle. */
const lostDatabase = /Connection terminated|ECONNRESET|57P0\d|timeout/
const again = { waitMs: 100, most: 100 }

interface Life {
  readonly child: ChildProcess
  readonly crash: Crash | null
  isListening: boolean
  wasKilled: boolean
  stderr: string
}

/** Starts a part; it is ready some time later. */
export function startPart(name: PartName, env: Readonly<Record<string, string>>, watch: Watch): Part {
  const isApi = name.startsWith('api')
  const services = isApi ? 'api' : 'worker'
  const pending: Crash[] = []
  let port: number | null = null
  let starts = 0
  let isOver = false
  let life = begin()
  const supervised = supervise()

  function begin(): Life {
    const crash = pending.shift() ?? null
    starts += 1
    const child = spawn(process.execPath, [serverProgram, 'serve'], {
      env: {
        PATH: process.env.PATH,
        LOG_LEVEL: 'info',
        SERVICES: services,
        PORT: '0',
        ...(isApi ? {} : { METRICS_PORT: '0' }),
        ...(crash ? { CRASH_AT: `${crash.point}:${crash.nth}` } : {}),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const begun: Life = { child, crash, isListening: false, wasKilled: false, stderr: '' }
    createInterface({ input: child.stdout }).on('line', (line) => readLogLine(begun, line))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      begun.stderr = (begun.stderr + text).slice(-4000)
    })
    return begun
  }

  function isAlive(): boolean {
    const { exitCode, signalCode } = life.child
    return exitCode === null && signalCode === null
  }

  function readLogLine(of: Life, line: string): void {
    if (line.includes('"msg":"listening"')) {
      const { address, operations } = JSON.parse(line) as { address?: string; operations?: string }
      port = Number(new URL(address ?? operations ?? '').port)
      of.isListening = true
    }
    if (!line.includes('"level":"error"') && !line.includes('"level":"fatal"')) return
    const { level, msg, err } = JSON.parse(line) as { level: string; msg: string; err?: { message: string } }
    const kind = `${msg}: ${err?.message ?? ''}`.slice(0, 200)
    watch.errors.set(kind, (watch.errors.get(kind) ?? 0) + 1)
    if (level === 'fatal') watch.complaints.push(`${name} logged an error of level fatal: ${kind}`)
  }

  /** Why a process ended by itself; null when that was expected and the next may start. */
  function complaintOf({ crash, isListening, stderr }: Life, code: number | null, signal: string | null) {
    if (crash && signal === 'SIGKILL') {
      watch.reached.add(crash.point)
      return null
    }
    const isStarting = !isListening && code === 1
    if (isStarting && (noDatabase.test(stderr) || lostDatabase.test(stderr))) {
      if (crash) pending.unshift(crash)
      return null
    }
    return `${name} ended by itself with ${signal ?? `exit code ${code}`} and said: ${stderr || 'nothing'}`
  }

  async function supervise(): Promise<void> {
    for (let failures = 0; !isOver; ) {
      const [code, signal] = (await once(life.child, 'close')) as [number | null, string | null]
      port = null
      if (isOver) return
      if (!life.wasKilled) {
        const complaint = complaintOf(life, code, signal)
        if (complaint) watch.complaints.push(complaint)
        failures = life.isListening ? 0 : failures + 1
        if (failures > again.most) return void watch.complaints.push(`${name} could not be started any more`)
        if (code !== null) await wait(again.waitMs)
        if (isOver) return
      }
      life = begin()
    }
  }

  return {
    name,
    place: () => (port === null ? null : { port }),
    async isReady() {
      if (port === null) return false
      const answer = fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1000) })
      return answer.then(
        ({ ok }) => ok,
        () => false,
      )
    },
    armed: () => [...(life.crash && isAlive() ? [life.crash] : []), ...pending],
    starts: () => starts,
    kill(then) {
      if (life.wasKilled || !isAlive()) return
      if (life.crash) pending.push(life.crash)
      if (then) pending.push(then)
      life.wasKilled = true
      port = null
      life.child.kill('SIGKILL')
    },
    async freeze(forMs) {
      const { child } = life
      child.kill('SIGSTOP')
      await wait(forMs)
      child.kill('SIGCONT')
    },
    async end() {
      isOver = true
      port = null
      life.child.kill('SIGKILL')
      await supervised
    },
  }
}
