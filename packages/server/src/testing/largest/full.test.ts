import os from 'node:os'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApiProcess } from '#testing/api-process.ts'
import { startTestServer } from '#testing/start-server.ts'
import { buildServer, startWorkerProcess } from '#testing/worker-process.ts'
import { type ExpensiveRequest, prepareRequests } from './expensive.ts'
import { type Metered, openMeter } from './meter.ts'
import { makeSecondTenant } from './second-tenant.ts'

/** The longest time for which one request may keep the event loop of a process. */
const longestMs = 200
/** The longest time that a call of the second organization may take. */
const longestCallMs = 1000
/** A request is made again when a round is beyond a bound: other work of the machine can only add to it. */
const rounds = 3
/**
 * Whether the machine does little else. Only then is a gap or a slow call that of a process, which waits for a
 * processor otherwise.
 */
const isQuiet = (os.loadavg()[0] ?? 0) < 0.75 * os.availableParallelism()

interface Round {
  readonly api: Metered
  readonly worker: Metered
  /** The longest call of the second organization. */
  readonly slowestMs: number
}

const whole = (value: number) => Math.round(value)

/** Returns what is beyond its bound in a round. */
function beyondIn({ api, worker, slowestMs }: Round): string[] {
  const measured = [
    ['busy', Math.max(api.busyMs, worker.busyMs), longestMs],
    ['gap', isQuiet ? Math.max(api.gapMs, worker.gapMs) : 0, longestMs],
    ['slowest call', isQuiet ? slowestMs : 0, longestCallMs],
  ] as const
  return measured.flatMap(([what, ms, most]) => (ms > most ? [`${what} ${whole(ms)} ms`] : []))
}

function isBetter(one: Round, other: Round): boolean {
  const [fewer, more] = [beyondIn(one).length, beyondIn(other).length]
  return fewer === more ? one.slowestMs < other.slowestMs : fewer < more
}

function rowOf({ route, input, bytes }: ExpensiveRequest, round: Round) {
  const { api, worker, slowestMs } = round
  return {
    route,
    input,
    bytes,
    'CPU of API, ms': whole(api.cpuMs),
    'of worker': whole(worker.cpuMs),
    'busy API, ms': whole(api.busyMs),
    worker: whole(worker.busyMs),
    'gap API, ms': whole(api.gapMs),
    'gap worker': whole(worker.gapMs),
    'slowest call, ms': whole(slowestMs),
    'RSS of API, MiB': whole(api.rssMb),
    'RSS of worker': whole(worker.rssMb),
  }
}

/** `npm run proof -- largest` runs it. */
describe.runIf(process.env.LARGEST === 'full')('the most expensive requests of an ordinary key', () => {
  it('keep no process from the work of another organization', async () => {
    await buildServer()
    const env = {
      SECRETS_KEYS: newSecretsKeys(),
      UNSAFE_DISABLE_RATE_LIMIT: 'true',
      UNSAFE_DISABLE_PACING: 'true',
      ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
      SIM_SPEED: '0',
    }
    const server = await startTestServer({ worker: false, env })
    const meters = { api: openMeter(), worker: openMeter() }
    const api = await startApiProcess(server.databaseUrl, { ...env, LOG_LEVEL: 'info' }, meters.api.nodeArguments)
    let log = ''
    const worker = startWorkerProcess(
      server.databaseUrl,
      env,
      (text) => {
        log += text
      },
      meters.worker.nodeArguments,
    )
    const ended: string[] = []
    void api.ended.then(() => ended.push('the API'))
    void worker.ended.then(() => ended.push('the worker'))
    onTestFinished(async () => {
      await Promise.all([api.kill(), worker.kill()])
      for (const meter of Object.values(meters)) meter.close()
    })

    const readAll = async () => ({ api: await meters.api.read(api.pid), worker: await meters.worker.read(worker.pid) })
    const second = await makeSecondTenant(server, api.baseUrl)
    const requests = await prepareRequests(server, api.baseUrl)
    await second.workDuring(Promise.resolve())

    async function measure({ make }: ExpensiveRequest): Promise<Round> {
      await readAll()
      const slowestMs = await second.workDuring(make())
      return { ...(await readAll()), slowestMs }
    }

    const table: ReturnType<typeof rowOf>[] = []
    const beyond: string[] = []
    for (const prepare of requests) {
      let best: Round | undefined
      let request: ExpensiveRequest | undefined
      for (let round = 0; round < rounds && (!best || beyondIn(best).length > 0); round++) {
        request = await prepare()
        const measured = await measure(request)
        if (!best || isBetter(measured, best)) best = measured
      }
      if (!request || !best) continue
      table.push(rowOf(request, best))
      const { route, input } = request
      beyond.push(...beyondIn(best).map((what) => `${route}, ${input}: ${what}`))
    }
    console.log(
      `gaps and calls are ${isQuiet ? '' : 'not '}bounded: load average ${os.loadavg().map(whole).join(', ')}`,
    )
    console.table(table)
    expect(ended).toEqual([])
    expect(await second.faults()).toEqual([])
    expect(log).not.toContain('"level":"fatal"')
    expect(beyond).toEqual([])
  }, 600_000)
})
