// What more processes bring at one Postgres, what a text costs each part, and what installations of up to a million
// numbers need.

import { median } from './results/report.mjs'
import { receivedMessage } from './scale/arrivals.mjs'
import { reportSizes } from './scale/sizes.mjs'
import { cpuMsByPart } from './support/cpu.mjs'
import {
  emptyNetwork,
  enqueue,
  linkedNumbers,
  nthOf,
  organizationsWithKeys,
  quiet,
  record,
  withService,
} from './support/harness.mjs'
import { postMany } from './support/load.mjs'
import { startProgram } from './support/programs.mjs'

/**
 * @import { GatewayEvent } from '@msgctl/network/gateway'
 * @import { Db } from '@msgctl/server/platform/db/db'
 * @import { Costs } from './scale/simulation.mjs'
 * @import { Harness, Numbers } from './support/harness.mjs'
 */

/** @typedef {{ rate: number, statements: number }} Run Messages a second, and statements for each. */

const isBrief = process.env.BENCH_BRIEF !== undefined
const processes = [1, 2, 4]
const rounds = isBrief ? 1 : 5
const [texts, requests, arrivals] = isBrief ? [3000, 1500, 1000] : [10_000, 3000, 2000]
const organizations = 20
const env = { UNSAFE_DISABLE_PACING: 'true', SIM_SPEED: '0', SIM_AUTOLINK: '1', SIM_CONTROL: '1' }

const [{ rows, transaction }, { handleGatewayEvents }] = await Promise.all([
  import('@msgctl/server/platform/db/db'),
  import('@msgctl/server/process/gateway-events'),
])
const main = new URL('../../packages/server/dist/main.js', import.meta.url)
/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
/**
 * Of campaigns and webhooks they are what the benches `campaign` and `webhooks` show.
 * @type {Costs}
 */
const costs = {
  accept: {},
  campaign: { postgres: 0.09, api: 0.02 },
  send: {},
  receipt: {},
  receive: {},
  webhook: { postgres: 0.05, worker: 0.09 },
}

// Postgres itself counts the statements of all processes: those that clients send, BEGIN and COMMIT among them.
await withService(env, scaleOut, { settings: { shared_preload_libraries: 'pg_stat_statements' } })
await withService(env, measureCosts, { gateway: emptyNetwork })
reportSizes(costs)

/**
 * Runs 1, 2 and 4 workers over the simulated network, which writes to the same Postgres, and one API process.
 * @param {Harness} harness
 */
async function scaleOut(harness) {
  await rows(harness.db, 'create extension pg_stat_statements')
  const keys = (await organizationsWithKeys(harness, organizations)).map(({ apiKey }) => apiKey)
  const made = await linkedNumbers(harness, 200)
  await quiet(harness)
  await harness.worker.stop()
  const sent = []
  for (const count of processes) sent.push(await scaleWorkers(harness, made, count))
  recordWorkers(sent)
  costs.accept = await costOfAccepting(harness, keys)
}

/**
 * Records the messages a second and the statements for each, by the number of workers, and the knee.
 * @param {Run[][]} runs
 */
function recordWorkers(runs) {
  const rates = runs.map((run) => median(run.map(({ rate }) => rate)))
  for (const [n, count] of processes.entries()) {
    const name = `messages sent by ${count} worker(s) over the simulated network`
    record(name, nthOf(rates, n), { unit: 'a second', digits: 0 })
    record(`statements for each of the ${name}`, median(nthOf(runs, n).map(({ statements }) => statements)), {
      unit: '',
      digits: 2,
    })
  }
  let knee = 0
  while (knee + 1 < rates.length && nthOf(rates, knee + 1) >= nthOf(rates, knee) * 1.1) knee += 1
  record('workers at the knee: more of them bring less than a tenth more', nthOf(processes, knee), {
    unit: '',
    digits: 0,
  })
}

/**
 * Does `work`, which returns how many messages there were. Returns messages a second and statements for each.
 * @param {Harness} harness
 * @param {() => Promise<number>} work
 * @returns {Promise<Run>}
 */
async function measureRate({ db }, work) {
  const before = await countStatements(db)
  const began = performance.now()
  const count = await work()
  const seconds = (performance.now() - began) / 1000
  return { rate: count / seconds, statements: ((await countStatements(db)) - before) / count }
}

/**
 * Those of this process, which only waits, are left out.
 * @param {Db} db
 */
async function countStatements(db) {
  const [{ calls }] = /** @type {[{ calls: number }]} */ (
    await rows(
      db,
      `select coalesce(sum(calls), 0)::int as calls from pg_stat_statements where query not like '% as of_bench%'`,
    )
  )
  return calls
}

/** @param {Harness} harness @param {number} count @param {string} services */
async function startMany(harness, count, services) {
  const settings = { ...harness.environment, SERVICES: services, PORT: '0', LOG_LEVEL: 'info' }
  return Promise.all(Array.from({ length: count }, () => startProgram(main, settings)))
}

/** @param {Harness} harness @param {Numbers} made @param {number} count */
async function scaleWorkers(harness, made, count) {
  const programs = await startMany(harness, count, 'api,worker')
  try {
    const runs = []
    for (let round = 0; round <= rounds; round += 1) {
      await transaction(harness.db, (trx) => enqueue({ ...harness, db: trx }, made, texts))
      const run = await measureRate(harness, async () => {
        while (await isWaiting(harness.db)) await wait(50)
        return texts
      })
      if (round > 0) runs.push(run)
    }
    return runs
  } finally {
    await Promise.all(programs.map((program) => program.stop()))
  }
}

/** @param {Db} db */
async function isWaiting(db) {
  return (await rows(db, `select 1 as of_bench from messages where status in ('queued', 'sending') limit 1`)).length > 0
}

/**
 * Returns the CPU of a text that one API process accepts.
 * @param {Harness} harness
 * @param {string[]} keys
 */
async function costOfAccepting(harness, keys) {
  const programs = await startMany(harness, 1, 'api')
  const posts = {
    count: requests,
    request: (/** @type {number} */ n) => ({
      path: '/api/v1/alert/send',
      key: nthOf(keys, n),
      body: {
        phone: `1202556${String(n % 200).padStart(4, '0')}`,
        message: 'A text of ordinary length, as a shop would send it.',
      },
    }),
  }
  try {
    const { address } = nthOf(programs, 0)
    await postMany(address, posts)
    const measured = []
    for (let round = 0; round < Math.max(3, rounds); round += 1) {
      const before = cpuNow()
      await postMany(address, posts)
      measured.push(costOf(before, requests))
    }
    return { postgres: median(measured.map((cost) => cost.postgres)), api: median(measured.map((cost) => cost.api)) }
  } finally {
    await Promise.all(programs.map((program) => program.stop()))
  }
}

/** Returns the milliseconds of CPU used so far, by part. */
function cpuNow() {
  const now = cpuMsByPart()
  if (now === null) throw new Error('the CPU of processes is known on Linux only')
  return now
}

/**
 * Returns the milliseconds of CPU that each piece of work took since `before`. The caller of requests is this process.
 * @param {ReturnType<typeof cpuNow>} before
 * @param {number} count
 */
function costOf(before, count) {
  const now = cpuNow()
  return { postgres: (now.postgres - before.postgres) / count, api: (now.others - before.others) / count }
}

/**
 * Measures what leaves and arrives with the worker in this process, over a network that takes no time.
 * @param {Harness} harness
 */
async function measureCosts(harness) {
  const made = await linkedNumbers(harness, isBrief ? 300 : 1000)
  await quiet(harness)
  /**
   * @template T
   * @param {number} count
   * @param {{ prepare: () => Promise<T>, run: (prepared: T) => Promise<void> }} work
   */
  const cost = async (count, work) => {
    const all = []
    for (let round = 0; round <= rounds; round += 1) {
      const prepared = await work.prepare()
      const before = cpuNow()
      await work.run(prepared)
      const now = cpuNow()
      if (round > 0)
        all.push({ postgres: (now.postgres - before.postgres) / count, worker: (now.own - before.own) / count })
    }
    return { postgres: median(all.map((one) => one.postgres)), worker: median(all.map((one) => one.worker)) }
  }
  costs.send = await cost(texts, {
    prepare: () => transaction(harness.db, (trx) => enqueue({ ...harness, db: trx }, made, texts)),
    async run() {
      harness.services.wake.signal('lanes')
      while (await isWaiting(harness.db)) await wait(50)
    },
  })
  costs.receipt = await cost(arrivals, {
    prepare: () =>
      /** @type {Promise<{ containerId: string, networkId: string }[]>} */ (
        rows(
          harness.db,
          `select container_id, gateway_message_id as network_id from messages
            where status = 'sent' order by created_at desc limit :arrivals`,
          { arrivals },
        )
      ),
    async run(sent) {
      const { organizationId } = made
      /** @type {GatewayEvent[]} */
      const events = sent.map((one) => ({
        ...one,
        kind: 'message.status',
        organizationId,
        status: 'delivered',
        at: harness.services.clock.now(),
      }))
      for (let from = 0; from < events.length; from += 100)
        await handleGatewayEvents(harness.services, events.slice(from, from + 100))
    },
  })
  let people = 0
  costs.receive = await cost(arrivals, {
    prepare: async () => {},
    async run() {
      const { organizationId, ids } = made
      for (let from = 0; from < arrivals; from += 100) {
        const events = Array.from({ length: 100 }, (_, n) => {
          people += 1
          const number = { organizationId, containerId: nthOf(ids, from + n), at: harness.services.clock.now() }
          return receivedMessage(number, { n: people })
        })
        await handleGatewayEvents(harness.services, events)
      }
    },
  })
}
