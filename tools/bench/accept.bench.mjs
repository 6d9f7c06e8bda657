// How many texts a second are accepted over HTTP, against the least that any service must do and against one made of
// parts.
import { randomUUID } from 'node:crypto'
import { measureRounds, medianRatio, ratios } from './results/report.mjs'
import { cpuMs } from './support/cpu.mjs'
import { linkedNumbers, makeKey, nthOf, record, withService } from './support/harness.mjs'
import { postMany } from './support/load.mjs'
import { startProgram } from './support/programs.mjs'

/** @import { Measure } from './results/report.mjs' */

const organizations = 20
/** In a round; the peer, whose rate does not depend on it, gets fewer. */
const requests = 2500
const fewer = 700
/**
 * V8 compiles what a request passes through only after thousands of them, and there is more of that in a service than
 * in the floor.
 */
const warmUp = 15_000
/**
 * The speed of a machine that others use too changes within seconds: many short rounds agree better than few long ones.
 */
const rounds = 21
/** Texts that each contestant gets before a round, because the first one would otherwise be slower after other work. */
const toAwaken = 300
const people = 200
const floor = 'the floor (node:http and one insert)'
const peer = 'Fastify and pg-boss'
const withKeys = 'ours with an Idempotency-Key each'
const env = { SIM_SPEED: '0', SIM_AUTOLINK: '1' }

/**
 * One that accepts texts; `most` are the texts that it gets in a round.
 * @typedef {{ address: string, path?: string, newKey?: () => string, most?: number }} Contestant
 */

await withService(env, async (harness) => {
  /** @type {string[]} */
  const keys = []
  for (let n = 0; n < organizations; n += 1) {
    const { organizationId } = await linkedNumbers(harness, 1)
    keys.push(await makeKey(harness, organizationId))
  }
  // Only accepting is measured: no worker drains the queue.
  await harness.worker.stop()
  const settings = { ...harness.environment, SERVICES: 'api', PORT: '0', LOG_LEVEL: 'info' }
  const programs = {
    ours: await startProgram(new URL('../../packages/server/dist/main.js', import.meta.url), settings),
    [floor]: await startProgram(new URL('accept/floor.mjs', import.meta.url), settings),
    [peer]: await startProgram(new URL('accept/peer.mjs', import.meta.url), settings),
  }
  /** @type {Record<string, { ms: number, texts: number }>} */
  const cpu = {}
  /** @param {Contestant} contestant @param {number} count */
  const post = ({ address, path = '/alert/send', newKey }, count) =>
    postMany(address, {
      count,
      request: (n) => ({
        path,
        idempotencyKey: newKey?.(),
        key: nthOf(keys, n),
        body: {
          phone: `1202556${String(n % people).padStart(4, '0')}`,
          message: 'A text of ordinary length, as a shop would send it to a customer.',
        },
      }),
    })
  /** @type {(entry: [string, Contestant]) => [string, Measure]} */
  const measured = ([name, contestant]) => {
    const { most = requests } = contestant
    const used = { ms: 0, texts: 0 }
    cpu[name] = used
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
  try {
    const { ours } = programs
    const path = '/api/v1/alert/send'
    // The floor is measured between the two that are compared with it.
    const contestants = {
      ours: { address: ours.address, path },
      [floor]: programs[floor],
      [withKeys]: { address: ours.address, path, newKey: () => randomUUID() },
      [peer]: { ...programs[peer], most: fewer },
    }
    const awaken = async () => {
      for (const contestant of Object.values(contestants)) await post(contestant, toAwaken)
    }
    const measures = Object.fromEntries(Object.entries(contestants).map(measured))
    const found = await measureRounds(/** @type {Record<keyof typeof contestants, Measure>} */ (measures), rounds, {
      awaken,
    })
    ratios('texts accepted', found, {
      unit: 'a second',
      targets: { [floor]: 0.75, [peer]: 1 },
    })
    const keyed = medianRatio(found[withKeys], found[floor])
    record('texts accepted with an Idempotency-Key each, against the floor', keyed, {
      unit: 'x',
      digits: 3,
      atLeast: 0.65,
    })
    // On a machine that does other work too, this distinguishes the contestants better than the rate.
    for (const [name, { ms, texts }] of Object.entries(cpu)) {
      if (texts > 0)
        record(`CPU of ${name}, Postgres and callers included`, ms / texts, { unit: 'ms a text', digits: 2 })
    }
  } finally {
    await Promise.all(Object.values(programs).map((program) => program.stop()))
  }
})
