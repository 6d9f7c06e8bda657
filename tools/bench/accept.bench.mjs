// How many texts a second are accepted over HTTP, against the least that any service must do and against one made of
// parts; and what more API processes bring.
import { randomUUID } from 'node:crypto'
import { measureRounds, median, medianRatio, ratios } from './results/report.mjs'
import { cpuMs } from './support/cpu.mjs'
import { nthOf, organizationsWithKeys, record, withService } from './support/harness.mjs'
import { postMany } from './support/load.mjs'
import { canRunPeers, pgBoss, recordWithoutPeers } from './support/peers.mjs'
import { startProgram } from './support/programs.mjs'

/** @import { Measure } from './results/report.mjs' */

/**
 * Callers, and the numbers that they send from, each of an organization of its own.
 * @typedef {{ callers: number, numbers: number }} Load
 */

/**
 * One that accepts texts at these addresses; `most` are the texts that it gets in a round.
 * @typedef {{ addresses: string[], path: string, load?: Load, newKey?: () => string, most?: number }} Contestant
 */

const few = { callers: 64, numbers: 40 }
const many = { callers: 256, numbers: 400 }
const isBrief = process.env.BENCH_BRIEF !== undefined
/** In a round; the peer, whose rate does not depend on it, gets fewer. */
const [requests, fewer] = isBrief ? [1500, 400] : [2500, 700]
/**
 * V8 compiles what a request passes through only after thousands of them, and there is more of that in a service than
 * in the floor.
 */
const warmUp = isBrief ? 8000 : 15_000
/**
 * The speed of a machine that others use too changes within seconds: many short rounds agree better than few long ones.
 */
const [rounds, roundsOfProcesses] = isBrief ? [11, 5] : [21, 15]
/** Texts that each contestant gets before a round, because the first one would otherwise be slower after other work. */
const toAwaken = 300
const people = 200
const floor = 'the floor (node:http and one insert)'
const peer = `Fastify and ${pgBoss}`
const withKeys = 'ours with an Idempotency-Key each'
/** The statements of the service with the least around them: what is left to win. */
const byHand = 'the same statements by hand'
const env = { SIM_SPEED: '0', SIM_AUTOLINK: '1' }
/**
 * What so many API processes accept at least of what one does. Few callers make small batches in each of them.
 * @type {{ load: Load, processes: number, ofOne?: number }[]}
 */
const spread = [
  { load: few, processes: 1 },
  { load: few, processes: 2 },
  { load: few, processes: 4 },
  { load: many, processes: 1 },
  { load: many, processes: 2, ofOne: 1.2 },
  { load: many, processes: 4, ofOne: 1 },
]
const main = '../../packages/server/dist/main.js'
/** @type {string[]} */
const keys = []

await withService(env, async (harness) => {
  keys.push(...(await organizationsWithKeys(harness, many.numbers)).map(({ apiKey }) => apiKey))
  // Only accepting is measured: no worker drains the queue.
  await harness.worker.stop()
  const settings = { ...harness.environment, SERVICES: 'api', PORT: '0', LOG_LEVEL: 'info' }
  const others = ['accept/floor.mjs', 'accept/limit.mjs', ...(canRunPeers ? ['accept/peer.mjs'] : [])]
  const files = [main, main, main, main, ...others]
  const programs = await Promise.all(files.map((file) => startProgram(new URL(file, import.meta.url), settings)))
  try {
    const addresses = programs.map(({ address }) => address)
    const services = addresses.splice(0, 4)
    await compareWithOthers(services.slice(0, 1), addresses)
    // Each process compiles its code by itself.
    for (const address of services.slice(1)) await post(ours([address]), warmUp)
    await compareProcesses(services)
  } finally {
    await Promise.all(programs.map((program) => program.stop()))
  }
})

/**
 * Compares an API process with the floor, and with the peer where that can run.
 * @param {string[]} service
 * @param {string[]} theirs
 */
async function compareWithOthers(service, [ofFloor = '', ofLimit = '', ofPeer]) {
  // By hand, no recipient is checked that is not known.
  await post(ours(service), people)
  /** @type {Map<string, { ms: number, texts: number }>} */
  const cpu = new Map()
  /** @type {(entry: [string, Contestant]) => [string, Measure]} */
  const measured = ([name, contestant]) => {
    const { most = requests } = contestant
    const used = { ms: 0, texts: 0 }
    cpu.set(name, used)
    /** @type {Measure} */
    const measure = async (round) => {
      const count = round < 0 && most === requests ? warmUp : most
      const before = cpuMs()
      const rate = await post(contestant, count)
      if (before !== null && round >= 0) {
        used.ms += (cpuMs() ?? before) - before
        used.texts += count
      }
      return rate
    }
    return [name, measure]
  }
  // The floor is measured between the two that are compared with it.
  /** @type {Record<string, Contestant>} */
  const contestants = {
    ours: ours(service),
    [floor]: { addresses: [ofFloor], path: '/alert/send' },
    [withKeys]: { ...ours(service), newKey: () => randomUUID() },
    ...(!isBrief && { [byHand]: { addresses: [ofLimit], path: '/alert/send' } }),
    ...(ofPeer !== undefined && { [peer]: { addresses: [ofPeer], path: '/alert/send', most: fewer } }),
  }
  const awaken = async () => {
    for (const contestant of Object.values(contestants)) await post(contestant, toAwaken)
  }
  const measures = Object.fromEntries(Object.entries(contestants).map(measured))
  const { ours: own = [], [withKeys]: keyed = [], ...others } = await measureRounds(measures, rounds, { awaken })
  ratios('texts accepted', { ours: own, ...others }, { unit: 'a second', targets: { [floor]: 0.8, [peer]: 1 } })
  if (ofPeer === undefined) recordWithoutPeers(`texts accepted, against ${peer}`)
  record('texts accepted with an Idempotency-Key each, against the floor', medianRatio(keyed, others[floor] ?? []), {
    unit: 'x',
    digits: 3,
    atLeast: 0.66,
  })
  // On a machine that does other work too, this distinguishes the contestants better than the rate.
  for (const [name, { ms, texts }] of cpu) {
    if (texts > 0) record(`CPU of ${name}, Postgres and callers included`, ms / texts, { unit: 'ms a text', digits: 2 })
  }
}

/** @param {string[]} services */
async function compareProcesses(services) {
  const contestants = spread.map(({ load, processes, ofOne }) => ({
    name: `texts accepted by ${processes} API process(es), ${load.callers} callers and ${load.numbers} numbers`,
    one: spread.findIndex((other) => other.load === load),
    processes,
    ofOne,
    contestant: { ...ours(services.slice(0, processes)), load },
  }))
  const awaken = async () => {
    for (const { contestant } of contestants) await post(contestant, toAwaken)
  }
  const measures = contestants.map(
    ({ name, contestant }) => /** @type {const} */ ([name, () => post(contestant, requests)]),
  )
  const found = await measureRounds(Object.fromEntries(measures), roundsOfProcesses, { awaken })
  const rates = Object.values(found)
  for (const [n, { name, one, processes, ofOne }] of contestants.entries()) {
    record(name, median(nthOf(rates, n)), { unit: 'a second', digits: 0 })
    if (processes > 1) {
      record(`${name}, against one`, medianRatio(nthOf(rates, n), nthOf(rates, one)), {
        unit: 'x',
        digits: 3,
        ...(ofOne !== undefined && { atLeast: ofOne }),
      })
    }
  }
}

/** @param {string[]} addresses */
function ours(addresses) {
  return { addresses, path: '/api/v1/alert/send' }
}

/** @param {Contestant} contestant @param {number} count */
function post({ addresses, load = few, path, newKey }, count) {
  return postMany(addresses, {
    count,
    connections: load.callers,
    request: (n) => ({
      path,
      idempotencyKey: newKey?.(),
      key: nthOf(keys, n % load.numbers),
      body: {
        phone: `1202556${String(n % people).padStart(4, '0')}`,
        message: 'A text of ordinary length, as a shop would send it to a customer.',
      },
    }),
  })
}
