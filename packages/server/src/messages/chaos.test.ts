import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '../db/db.ts'
import { makeNumber, makeOrganization, makeToken } from '../test/make.ts'
import { sim } from '../test/sim.ts'
import { startTestServer } from '../test/start-server.ts'
import { buildServer, startWorkerProcess, type WorkerProcess } from '../test/worker-process.ts'
import { leaseMs } from './claim.ts'
import { enqueueTexts } from './enqueue.ts'
import { seededRandom } from './test-lane.ts'

/** `npm run chaos` runs the full size. */
const full = process.env.CHAOS === 'full'
const size = full ? { messages: 5000, kills: 30 } : { messages: 400, kills: 5 }
const numbers = 20
const priorities = ['normal', 'normal', 'normal', 'low', 'low', 'high'] as const
const api = await startTestServer({ worker: false })
const random = seededRandom(Number(process.env.CHAOS_SEED ?? 1))

interface Reached {
  readonly total: number
  readonly distinct: number
}

/** What reached phones: all of it, and how many different messages that is. */
async function reached(): Promise<Reached> {
  const [counted] = await rows<Reached>(
    api.db,
    `select count(*) as total, count(distinct m.id) as distinct
       from sim_messages s left join messages m on m.network_client_id = s.client_id where s.direction = 'out'`,
  )
  return counted ?? { total: 0, distinct: 0 }
}

async function statuses(): Promise<Record<string, number>> {
  const found = await rows<{ status: string; count: number }>(
    api.db,
    'select status, count(*) as count from messages group by status',
  )
  return Object.fromEntries(found.map(({ status, count }) => [status, count]))
}

const patienceMs = 250
const lookEveryMs = 10

/** Lets a second of service time pass and the workers use it: until something reached a phone, or for a moment. */
async function second(before: Reached): Promise<Reached> {
  await api.advance(1)
  for (const until = performance.now() + patienceMs; ; ) {
    const now = await reached()
    if (now.total > before.total || performance.now() > until) return now
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

/** Lets time pass until so many messages reached phones. Fails after far more seconds than they need. */
async function secondsUntil(total: number): Promise<void> {
  let now = await reached()
  for (let seconds = 0; now.total < total; seconds += 1) {
    if (seconds > 3 * size.messages) throw new Error(`only ${now.total} of ${total} messages arrived`)
    now = await second(now)
  }
}

/** Lets time pass until nothing is queued or half sent; the limit of the test ends what never comes to rest. */
async function allSettled(): Promise<Record<string, number>> {
  for (;;) {
    const seen = await statuses()
    if (!seen.queued && !seen.sending) return seen
    await second(await reached())
  }
}

/** Queues all messages on twenty numbers that share; answers the numbers. */
async function enqueue(): Promise<string[]> {
  const organization = await makeOrganization(api)
  const ids: string[] = []
  for (let n = 0; n < numbers; n += 1) ids.push(await makeNumber(api, organization))
  const owner = api.client({ token: await makeToken(api, organization) })
  await owner.numbers.setSendGroup({ enabled: true, containerIds: ids, mode: 'share' })
  const texts = Array.from({ length: size.messages }, (_, n) => ({
    organizationId: organization.organizationId,
    containerId: ids[n % ids.length] ?? '',
    pinned: false,
    type: 'alert' as const,
    recipient: `1202556${String(n).padStart(4, '0')}`,
    text: `message ${n}`,
    priority: priorities[Math.floor(random() * priorities.length)] ?? 'normal',
    clientReference: null,
  }))
  await api.db.transaction((trx) => enqueueTexts(trx, api.services.clock, texts))
  return ids
}

describe(`${size.kills} times kill -9 of one of two workers that send ${size.messages} messages, and as often a number drops`, () => {
  beforeAll(buildServer, 120_000)

  it('loses none, sends none twice and leaves none half sent', async () => {
    const ids = await enqueue()
    const began = performance.now()
    const start = () => startWorkerProcess(api.databaseUrl, { PACING: 'on', SIM_SPEED: '0' })
    const workers: WorkerProcess[] = [start(), start()]
    onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.kill()))))

    for (let kill = 0; kill < size.kills; kill += 1) {
      await secondsUntil((size.messages * (kill + random())) / (size.kills + 1))
      // A number that is down hands its queue to the others; each is back before its turn comes again.
      await sim(api, `POST numbers/${ids[(7 * kill) % numbers]}/drop`, { seconds: 2 * (leaseMs / 1000) })
      const victim = Math.floor(random() * workers.length)
      await workers[victim]?.kill()
      workers[victim] = start()
      // What it held is free again at once.
      await api.advance(leaseMs / 1000 + 1)
    }
    await secondsUntil(size.messages)
    const ended = await allSettled()
    expect(await reached()).toEqual({ total: size.messages, distinct: size.messages })
    const { sent = 0, delivered = 0, read = 0 } = ended
    expect(sent + delivered + read).toBe(size.messages)
    const [tries] = await rows<{ repeated: number; most: number }>(
      api.db,
      'select count(*) filter (where attempts > 1) as repeated, max(attempts) as most from messages',
    )
    expect(tries?.repeated).toBeGreaterThan(0)
    if (full) console.log({ seconds: Math.round((performance.now() - began) / 1000), ...tries, ...ended })
  }, 1_200_000)
})
