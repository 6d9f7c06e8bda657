// What more processes bring at one Postgres, what a text costs each part, and what installations of up to a million numbers need.
import { cpuMsByPart } from './cpu.mjs'
import { emptyNetwork, enqueue, linkedNumbers, load, quiet, record, withService } from './harness.mjs'
import { postMany } from './load.mjs'
import { startProgram } from './programs.mjs'
import { median } from './report.mjs'
import { needsOf, playHour } from './simulation.mjs'

const processes = process.env.BENCH_BRIEF ? [1, 2] : [1, 2, 4]
const rounds = process.env.BENCH_BRIEF ? 1 : 3
const [texts, requests, arrivals] = [10_000, 3000, 2000]
const organizations = 20
/** A Postgres with this many cores is a usual machine. */
const coresOfPostgres = 16
const env = { UNSAFE_DISABLE_PACING: 'true', SIM_SPEED: '0', SIM_AUTOLINK: '1', SIM_CONTROL: '1' }

const [{ rows, transaction }, { handleGatewayEvents }, { firstKey }] = await Promise.all(
  ['db/db', 'process/gateway-events', 'access/key'].map((name) => load(name)),
)
const main = new URL('../../packages/server/dist/main.js', import.meta.url)
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
/** Of campaigns and webhooks they are what the benches `campaign` and `webhooks` show. */
const costs = {
  accept: {},
  campaign: { postgres: 0.09, api: 0.02 },
  send: {},
  receipt: {},
  receive: {},
  webhook: { postgres: 0.05, worker: 0.09 },
}

await withService(env, scaleOut)
await withService(env, measureCosts, { gateway: emptyNetwork })
reportSizes()

/** Runs 1, 2 and 4 processes of each kind, over the simulated network, which writes to the same Postgres. */
async function scaleOut(harness) {
  const keys = []
  for (let n = 0; n < organizations; n += 1) {
    const { organizationId } = await linkedNumbers(harness, 1)
    keys.push((await firstKey(harness.db, organizationId, null)).apiKey)
  }
  const made = await linkedNumbers(harness, 200)
  await quiet(harness)
  await harness.worker.stop()
  for (const count of processes) await scaleWorkers(harness, made, count)
  for (const count of processes) await scaleApi(harness, keys, count)
}

async function startMany(harness, count, services) {
  const settings = { ...harness.environment, SERVICES: services, PORT: '0', LOG_LEVEL: 'info' }
  return Promise.all(Array.from({ length: count }, () => startProgram(main, settings)))
}

async function scaleWorkers(harness, made, count) {
  const programs = await startMany(harness, count, 'api,worker')
  try {
    const rates = []
    for (let round = 0; round <= rounds; round += 1) {
      await transaction(harness.db, (trx) => enqueue({ ...harness, db: trx }, made, texts))
      const began = performance.now()
      while (await isWaiting(harness.db)) await wait(50)
      if (round > 0) rates.push(texts / ((performance.now() - began) / 1000))
    }
    record(`messages sent by ${count} worker(s) over the simulated network`, median(rates), {
      unit: 'a second',
      digits: 0,
    })
  } finally {
    await Promise.all(programs.map((program) => program.stop()))
  }
}

async function isWaiting(db) {
  return (await rows(db, `select 1 as one from messages where status in ('queued', 'sending') limit 1`)).length > 0
}

async function scaleApi(harness, keys, count) {
  const programs = await startMany(harness, count, 'api')
  try {
    const rates = []
    // Each process compiles its code by itself, so each is warmed up alike.
    for (const { address } of programs) await postMany(address, requestsTo(keys, 1))
    for (let round = 0; round < rounds; round += 1) {
      const before = cpuMsByPart()
      const began = performance.now()
      await Promise.all(programs.map(({ address }) => postMany(address, requestsTo(keys, count))))
      const seconds = (performance.now() - began) / 1000
      const sent = Math.floor(requests / count) * count
      rates.push(sent / seconds)
      if (count === 1) costs.accept = costOf(before, sent)
    }
    record(`texts accepted by ${count} API process(es)`, median(rates), { unit: 'a second', digits: 0 })
  } finally {
    await Promise.all(programs.map((program) => program.stop()))
  }
}

function requestsTo(keys, count) {
  return {
    count: Math.floor(requests / count),
    connections: 64 / count,
    request: (n) => ({
      path: '/api/v1/alert/send',
      key: keys[n % keys.length],
      body: {
        phone: `1202556${String(n % 200).padStart(4, '0')}`,
        message: 'A text of ordinary length, as a shop would send it.',
      },
    }),
  }
}

/** Returns the milliseconds of CPU that each piece of work took since `before`. The caller of requests is this process. */
function costOf(before, count) {
  const now = cpuMsByPart()
  if (before === null || now === null) throw new Error('the CPU of processes is known on Linux only')
  return { postgres: (now.postgres - before.postgres) / count, api: (now.others - before.others) / count }
}

/** Measures what leaves and arrives with the worker in this process, over a network that takes no time. */
async function measureCosts(harness) {
  const made = await linkedNumbers(harness, 1000)
  await quiet(harness)
  const cost = async (count, work) => {
    const all = []
    for (let round = 0; round <= rounds; round += 1) {
      const prepared = await work.prepare?.()
      const before = cpuMsByPart()
      await work.run(prepared)
      const now = cpuMsByPart()
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
      rows(
        harness.db,
        `select container_id as "containerId", gateway_message_id as "networkId" from messages
          where status = 'sent' order by created_at desc limit :arrivals`,
        { arrivals },
      ),
    async run(sent) {
      const { organizationId } = made
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
    async run() {
      const { organizationId, ids } = made
      for (let from = 0; from < arrivals; from += 100) {
        const events = Array.from({ length: 100 }, (_, n) => {
          people += 1
          return {
            kind: 'message.in',
            organizationId,
            containerId: ids[(from + n) % ids.length],
            at: harness.services.clock.now(),
            message: {
              networkId: `in-${people}`,
              from: { kind: 'phone', digits: String(14_050_000_000 + people) },
              senderName: 'Person',
              type: 'chat',
              text: 'A question of ordinary length, as a customer would write it.',
              raw: null,
            },
          }
        })
        await handleGatewayEvents(harness.services, events)
      }
    },
  })
}

function reportSizes() {
  const parts = { accept: 'accepted', send: 'sent', receipt: 'delivered', receive: 'received' }
  for (const [name, verb] of Object.entries(parts)) {
    for (const [part, figure] of Object.entries(costs[name])) {
      record(`CPU of ${part} for a text that is ${verb}`, figure, { unit: 'ms', digits: 3 })
    }
  }
  for (const numbers of [1000, 10_000, 100_000, 1_000_000]) {
    const needs = needsOf(playHour(numbers), costs)
    const installations = Math.ceil(needs.postgresCores / coresOfPostgres)
    const name = `${numbers.toLocaleString('en-US')} numbers in their busiest hour`
    record(`${name}: texts leave`, needs.leavingEachSecond, { unit: 'a second', digits: 0 })
    record(`${name}: Postgres, each with ${coresOfPostgres} cores`, installations, { unit: '', digits: 0 })
    record(`${name}: cores of Postgres`, needs.postgresCores, { unit: 'cores', digits: 1 })
    record(`${name}: API processes, each a core`, Math.ceil(needs.apiCores), { unit: '', digits: 0 })
    record(`${name}: workers, each a core`, Math.ceil(needs.workerCores), { unit: '', digits: 0 })
  }
}
