import { setTimeout as wait } from 'node:timers/promises'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readSnapshot } from '#platform/metrics/store.ts'
import { setAsideKinds } from '#platform/set-aside/kinds.ts'
import { listSetAside } from '#platform/set-aside/work-store.ts'
import { eventually } from '#testing/eventually.ts'
import { backgroundKinds } from '#testing/poison/background.ts'
import type { DueItem, PoisonKind } from '#testing/poison/poison-item.ts'
import { sendingKinds } from '#testing/poison/sending.ts'
import { startTestServer, type TestServer } from '#testing/start-server.ts'
import { buildServer, startWorkerProcess } from '#testing/worker-process.ts'

const kinds = [...sendingKinds, ...backgroundKinds]
/** Conversations of assistants are claimed by a loop with a crash point of its own, which claim.crash.test.ts uses. */
const apart = ['conversations']
const starts = 5
/** Longer than every lease. */
const betweenStartsSeconds = 130
const env = {
  SECRETS_KEYS: newSecretsKeys(),
  ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
  TRANSCRIBE_URL: 'http://127.0.0.1:9',
  TRANSCRIBE_MODEL: 'none',
  TRANSCRIBE_PRICE_MINUTE: '1',
  PAYMENTS: 'simulated',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
}

/** A poison item, and an item of the same kind that belongs to another organization. */
interface Pair {
  readonly of: PoisonKind
  readonly poison: DueItem
  readonly other: DueItem
}

async function makePair(server: TestServer, of: PoisonKind): Promise<Pair> {
  return { of, poison: await of.make(server), other: await of.make(server) }
}

const workOf = ({ of, poison }: Pair) => `${of.kind}@${poison.owner}`

/** A worker that was started at the database, and the kinds of work that it came to. */
function startWorker(server: TestServer, crashAt: string) {
  const reached = new Set<string>()
  let log = ''
  const worker = startWorkerProcess(server.databaseUrl, { ...env, CRASH_AT: crashAt }, (text) => {
    log += text
    for (const [, work = ''] of log.matchAll(/(?:waits|died) at the work (\S+)/g)) reached.add(work)
  })
  onTestFinished(() => worker.kill())
  return { worker, reached, log: () => log }
}

/** Runs all periodic jobs of the worker now: agenda waits until the lock of a worker that died has expired. */
async function runJobs(server: TestServer): Promise<void> {
  await wait(200)
  server.services.wake.signal('clock')
}

/**
 * Starts a worker five times. Each ends once it came to all that ends it, or at the first. Returns what each came to,
 * and the log of the last one.
 */
async function startFiveTimes(server: TestServer, pairs: readonly Pair[], form: 'work' | 'wait') {
  const lives: string[][] = []
  let lastLog = ''
  const works = pairs.map(workOf)
  for (let start = 1; start <= starts; start++) {
    await server.services.clock.advance(betweenStartsSeconds)
    const { worker, reached, log } = startWorker(server, `${form}:${works.join(',')}`)
    await eventually(
      async () => {
        await runJobs(server)
        const missing = works.filter((work) => !reached.has(work))
        return { missing, left: start === starts ? await unfinished(server, pairs) : missing, log: log() }
      },
      ({ missing, left }) => missing.length === 0 || left.length === 0,
    )
    await worker.kill()
    lives.push([...reached].sort())
    lastLog = log()
  }
  return { lives, lastLog }
}

/** Returns the items that are not in their final states. */
async function unfinished(server: TestServer, pairs: readonly Pair[]): Promise<string[]> {
  const listed = await listSetAside(server.db, { kind: null, organizationId: null, limit: 1000 })
  const found = await Promise.all(
    pairs.flatMap(({ of, poison, other }) => [
      of.state(server, other).then((state) => [`other ${of.kind}`, state, of.done]),
      of.state(server, poison).then((state) => [`poison ${of.kind}`, state, of.setAside]),
      Promise.resolve([
        `list of ${of.kind}`,
        String(listed.some(({ kind, item }) => kind === of.kind && item === poison.item)),
        'true',
      ]),
    ]),
  )
  return found.flatMap(([what, state, final]) => (state === final ? [] : [`${what}: ${state} instead of ${final}`]))
}

describe('an item whose work ends the process', () => {
  beforeAll(buildServer, 120_000)

  it('has a test for each kind', () => {
    expect([...kinds.map(({ kind }) => kind), ...apart].sort()).toEqual(Object.keys(setAsideKinds).sort())
  })

  it('is set aside after four workers, of each kind, and the items of others are done', async () => {
    const server = await startTestServer({ worker: false, env })
    const pairs: Pair[] = []
    for (const of of kinds) pairs.push(await makePair(server, of))
    const { lives, lastLog } = await startFiveTimes(server, pairs, 'wait')
    const all = pairs.map(workOf).sort()
    expect(lives).toEqual([all, all, all, all, []])
    expect(await unfinished(server, pairs)).toEqual([])
    const logged = [...lastLog.matchAll(/"event":"item_set_aside","kind":"(\w+)"/g)].map(([, kind]) => kind)
    expect(logged.sort()).toEqual(kinds.map(({ kind }) => kind).sort())
    const { setAside } = await readSnapshot(server.db)
    expect(setAside).toEqual(Object.fromEntries(kinds.map(({ kind }) => [kind, 1])))
  }, 120_000)

  it.runIf(process.env.CRASHES === 'full').each(kinds)(
    'is set aside by itself: $kind',
    async (of) => {
      const server = await startTestServer({ worker: false, env })
      const pairs = [await makePair(server, of)]
      const { lives } = await startFiveTimes(server, pairs, 'work')
      const all = pairs.map(workOf)
      expect(lives).toEqual([all, all, all, all, []])
      expect(await unfinished(server, pairs)).toEqual([])
    },
    120_000,
  )
})
