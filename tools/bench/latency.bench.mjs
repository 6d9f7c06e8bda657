// How long a text takes from POST /alert/send to the network, to a webhook and to a tail of the events, with API and
// worker in one process and apart; beside queues whose jobs do nothing.
import { connections, openPeer, openReceiver, openService, wait } from './latency/contestants.mjs'
import { now } from './latency/times.mjs'
import { record } from './results/report.mjs'
import { canRunPeers, graphileWorker, pgBoss, recordWithoutPeers } from './support/peers.mjs'

/** @import { Contestant, Priority, Service } from './latency/contestants.mjs' */

const isBrief = process.env.BENCH_BRIEF !== undefined
/** How long each part of the measurement is, for one contestant. */
const seconds = isBrief ? { idle: 6, steady: 2.5, most: 1 } : { idle: 40, steady: 15, most: 6 }
/** It checks every recipient, and most of the code is compiled. */
const warmUp = { rate: 150, seconds: isBrief ? 1.5 : 6 }
const usual = 100
const forms = [
  { form: 'one process', apart: false },
  { form: 'API and worker apart', apart: true },
]
/** Milliseconds that a median may take at most, and a 99th percentile. */
const medians = {
  'API and worker apart, one a second: answer to network': 10,
  'one process, one a second: POST to tail': 50,
  'API and worker apart, one a second: POST to tail': 50,
}
const percentiles = {
  'one process, high priority with pace, 100 a second: answer to network': 60,
  'API and worker apart, high priority with pace, 100 a second: answer to network': 60,
}

const receiver = await openReceiver()
try {
  await measure(false, withoutPace)
  await measure(true, withPace)
} finally {
  receiver.stop()
}

/**
 * Starts the service in both forms, and compares them.
 * @param {boolean} paced
 * @param {(services: Service[]) => Promise<void>} work
 */
async function measure(paced, work) {
  const services = await Promise.all(forms.map(({ form, apart }) => openService(form, { apart, paced, receiver })))
  try {
    await work(services)
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
}

/** @param {Service[]} services */
async function withoutPace(services) {
  const peers = await openPeers(services[0]?.databaseUrl ?? '')
  /** @type {Contestant[]} */
  const all = [...services, ...peers]
  try {
    for (const { add, take } of all) {
      await steady(warmUp.rate, warmUp.seconds, add)
      await take()
    }
    await idle(all)
    await recordAll(all, 'one a second')
    for (const { add } of all) await steady(usual, seconds.steady, add)
    await recordAll(all, `${usual} a second`)
    let rate = 0
    for (const service of services) {
      rate = (await mostOf(service)) * 0.7
      await steady(rate, seconds.steady, service.add)
      await recordAll([service], '70 % of the most')
    }
    for (const { add } of peers) await steady(rate, seconds.steady / 2, add)
    await recordAll(peers, '70 % of our most')
  } finally {
    for (const { stop } of peers) await stop()
  }
}

/**
 * High priority is sent without typing, the other only after it, which is most of its time.
 * @param {Service[]} services
 */
async function withPace(services) {
  for (const { add, take } of services) {
    await steady(warmUp.rate, warmUp.seconds, () => add('high'))
    await take()
  }
  for (const priority of /** @type {Priority[]} */ (['high', 'normal'])) {
    for (const service of services) {
      // What is typed waits some seconds more.
      await steady(usual, priority === 'high' ? seconds.steady : seconds.steady / 2, () => service.add(priority))
      await recordAll([service], `${priority} priority with pace, ${usual} a second`)
    }
  }
}

/** @param {string} databaseUrl */
async function openPeers(databaseUrl) {
  if (!canRunPeers) {
    for (const name of [graphileWorker, pgBoss]) recordWithoutPeers(`${name}: added to begun`)
    return []
  }
  return [
    await openPeer('graphile-worker', graphileWorker, databaseUrl),
    await openPeer('pg-boss', pgBoss, databaseUrl),
  ]
}

/**
 * Adds to each once a second, to one after the other and not always in the same moments.
 * @param {Contestant[]} contestants
 */
async function idle(contestants) {
  const each = 1000 / contestants.length
  for (let second = 0; second < seconds.idle; second += 1) {
    for (const { add } of contestants) {
      const began = now()
      await add()
      await wait(Math.max(0, each + (Math.random() - 0.5) * 60 - (now() - began)))
    }
  }
}

/**
 * Calls `add` so many times a second, by the clock: what is late delays nothing behind it.
 * @param {number} rate
 * @param {number} forSeconds
 * @param {() => Promise<void>} add
 */
async function steady(rate, forSeconds, add) {
  const began = now()
  const total = Math.round(rate * forSeconds)
  /** @type {Promise<void>[]} */
  const running = []
  while (running.length < total) {
    const due = Math.min(total, Math.floor(((now() - began) / 1000) * rate) + 1)
    while (running.length < due) running.push(add())
    await wait(1)
  }
  await Promise.all(running)
}

/**
 * Returns how many texts a second the network is handed, with events, webhooks and a tail, when callers post one after
 * the other on all connections.
 * @param {Service} service
 */
async function mostOf({ name, add, readHanded, take }) {
  let isOver = false
  const posting = Array.from({ length: connections }, async () => {
    while (!isOver) await add()
  })
  await wait(1000)
  await readHanded()
  const began = now()
  await wait(seconds.most * 1000)
  const rate = (await readHanded()) / ((now() - began) / 1000)
  isOver = true
  await Promise.all(posting)
  await take()
  record(`${name}: the most that reach network, webhook and tail`, rate, { unit: 'a second', digits: 0 })
  return rate
}

/** @param {Contestant[]} contestants @param {string} load */
async function recordAll(contestants, load) {
  for (const { name, take } of contestants) {
    for (const [what, times] of Object.entries(await take())) recordTimes(`${name}, ${load}: ${what}`, times)
  }
}

/**
 * Records the median with the percentiles that so many times can show.
 * @param {string} what
 * @param {number[]} times
 */
function recordTimes(what, times) {
  const sorted = times.toSorted((a, b) => a - b)
  /** @param {number} share */
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const count = sorted.length
  const others = count < 100 ? `most ${at(1).toFixed(1)}` : `p95 ${at(0.95).toFixed(1)}, p99 ${at(0.99).toFixed(1)}`
  record(what, at(0.5), { unit: `ms (${others}, of ${count})`, ...boundOf(medians, what) })
  if (what in percentiles) {
    record(`${what}, p99`, at(0.99), { unit: `ms (of ${count})`, ...boundOf(percentiles, what) })
  }
}

/** @param {Record<string, number>} bounds @param {string} what */
function boundOf(bounds, what) {
  const atMost = bounds[what]
  return atMost === undefined ? {} : { atMost }
}
