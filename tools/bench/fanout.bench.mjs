// A hundred tails of the event stream, twenty of each organization: how many events a second reach them, and how late
// the last one has an event.
import { setMaxListeners } from 'node:events'
import { createRequire } from 'node:module'
import { record } from './results/report.mjs'
import { organizationsWithKeys, withService } from './support/harness.mjs'
import { startProgram } from './support/programs.mjs'

/**
 * @import { EventData } from '@msgctl/contract'
 * @import { NewEvent } from '@msgctl/server/events/append'
 * @import { Harness } from './support/harness.mjs'
 */

/** @typedef {{ events: number, ids: Set<string> }} Tail What one tail has received. */

/** @type {typeof import('../../packages/server/node_modules/undici/types/index.js')} */
const { request } = createRequire(new URL('../../packages/server/package.json', import.meta.url))('undici')
const organizations = 5
const tailsEach = 20
const eventsEach = 1000
const batch = 50

await withService({ SIM_SPEED: '0', SIM_AUTOLINK: '1' }, async (harness) => {
  const founded = await organizationsWithKeys(harness, organizations)
  const program = await startProgram(new URL('../../packages/server/dist/main.js', import.meta.url), {
    ...harness.environment,
    SERVICES: 'api',
    PORT: '0',
    LOG_LEVEL: 'info',
  })
  const leave = new AbortController()
  setMaxListeners(organizations * tailsEach, leave.signal)
  /** @type {Tail[]} */
  const tails = []
  try {
    for (const { apiKey } of founded) {
      for (let n = 0; n < tailsEach; n += 1) tails.push(await follow(program.address, apiKey, leave.signal))
    }
    // One event alone: the time it takes to reach every tail.
    const lone = performance.now()
    for (const one of founded) await append(harness, one, 1)
    await until(() => tails.every((tail) => tail.events >= 1))
    record('one event, at the last of 100 tails', performance.now() - lone, { unit: 'ms', atMost: 1000, digits: 0 })

    const began = performance.now()
    await Promise.all(
      founded.map(async (one) => {
        for (let done = 0; done < eventsEach; done += batch) await append(harness, one, batch)
      }),
    )
    await until(() => tails.every((tail) => tail.events >= 1 + eventsEach))
    const seconds = (performance.now() - began) / 1000
    record('events written to 100 tails', (organizations * tailsEach * eventsEach) / seconds, {
      unit: 'a second',
      atLeast: 10_000,
      digits: 0,
    })
    const wrong = tails.filter((tail) => tail.events !== 1 + eventsEach || tail.ids.size !== 1 + eventsEach)
    record('tails that missed an event or saw one twice', wrong.length, { unit: 'tails', atMost: 0, digits: 0 })
  } finally {
    leave.abort()
    await program.stop()
  }
})

/**
 * Opens one tail and counts what comes.
 * @param {string} address
 * @param {string} apiKey
 * @param {AbortSignal} signal
 */
async function follow(address, apiKey, signal) {
  const answer = await request(`${address}/api/v1/events/stream`, { headers: { 'x-api-key': apiKey }, signal })
  if (answer.statusCode !== 200) throw new Error(`the stream was answered ${answer.statusCode}`)
  /** @type {Tail} */
  const tail = { events: 0, ids: new Set() }
  let rest = ''
  answer.body.on('error', () => {})
  answer.body.setEncoding('utf8').on('data', (chunk) => {
    const frames = (rest + chunk).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const id = frame.match(/^id: (.+)$/m)?.[1]
      if (id === undefined || !frame.includes('\ndata: ')) continue
      tail.events += 1
      tail.ids.add(id)
    }
  })
  return tail
}

/** @param {Harness} harness @param {{ organizationId: string, containerId: string }} number @param {number} count */
async function append({ db, services }, { organizationId, containerId }, count) {
  const [{ appendEvents }, { transaction }] = await Promise.all([
    import('@msgctl/server/events/append'),
    import('@msgctl/server/platform/db/db'),
  ])

  /** @type {EventData<'session.recovered'>} */
  const data = {
    status: 'WORKING',
    recoveredAt: new Date().toISOString(),
    containerId,
    numberPhone: '12025550100',
    session: 'bench',
  }
  /** @type {NewEvent[]} */
  const events = Array.from({ length: count }, () => ({ organizationId, event: 'session.recovered', data }))
  await transaction(db, (trx) => appendEvents(trx, events))
  services.wake.signal('events')
}

/** @param {() => boolean} holds */
async function until(holds) {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
