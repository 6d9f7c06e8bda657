// Those whose latency is measured. Each adds one thing at a time, and returns the times of all that it added since it
// was asked last.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { openCaller } from '../support/caller.mjs'
import { nthOf } from '../support/harness.mjs'
import { openGraphileWorker, openPgBoss } from '../support/peers.mjs'
import { startProgram } from '../support/programs.mjs'
import { now } from './times.mjs'

/**
 * @import { AddressInfo } from 'node:net'
 * @import { RequestCaller } from '../support/caller.mjs'
 */

/** @typedef {Record<string, number[]>} Times Milliseconds by what they are the times of. */
/** @typedef {'high' | 'normal'} Priority */
/** @typedef {{ began: number, answered: number, name: string, messageId: string }} Text A text that was accepted. */

/** @typedef {Awaited<ReturnType<typeof openService>>} Service */

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {(priority?: Priority) => Promise<void>} add
 * @property {() => Promise<Times>} take
 * @property {() => Promise<void>} stop
 */

/** @type {typeof import('../../../packages/server/node_modules/undici/types/index.js')} */
const { request } = createRequire(new URL('../../../packages/server/package.json', import.meta.url))('undici')

/** Connections of callers; a text waits when all are under way, and its time has begun then. */
export const connections = 48
/** Few enough that the warm-up has checked all of them. */
const people = 200
const longestMs = 60_000

/** @param {number} ms */
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Opens a receiver of webhooks in this process. Returns its address and when it got which message. */
export async function openReceiver() {
  /** @type {Map<string, number>} */
  const received = new Map()
  const server = createServer((incoming, response) => {
    /** @type {Buffer[]} */
    const chunks = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => {
      const at = now()
      response.end()
      received.set(JSON.parse(String(Buffer.concat(chunks))).data.messageId, at)
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {AddressInfo} */ (server.address())
  return { url: `http://127.0.0.1:${port}/hook`, received, stop: () => server.closeAllConnections() }
}

/**
 * Starts a service: API and worker in one process, or each in its own.
 * @param {string} name
 * @param {{ apart: boolean, paced: boolean, receiver: Awaited<ReturnType<typeof openReceiver>> }} options
 */
export async function openService(name, { apart, paced, receiver }) {
  const program = await startProgram(new URL('service.mjs', import.meta.url), {
    API: apart ? 'apart' : 'here',
    PACING_OFF: String(!paced),
    WEBHOOK: receiver.url,
  })
  const [control, together = ''] = program.addresses
  /** @type {{ apiKey: string, ids: string[], environment: Record<string, string> & { DATABASE_URL: string } }} */
  const { apiKey, ids, environment } = JSON.parse(await read(`${control}/setup`))
  const settings = { ...environment, SERVICES: 'api', PORT: '0', LOG_LEVEL: 'info' }
  const main = new URL('../../../packages/server/dist/main.js', import.meta.url)
  const api = apart ? await startProgram(main, settings) : null
  const address = api?.address ?? together
  const tailed = await follow(address, apiKey)
  const free = await Promise.all(Array.from({ length: connections }, () => openCaller(address)))
  /** @type {((caller: RequestCaller) => void)[]} */
  const queue = []
  /** @type {Record<string, number>} */
  const handed = {}
  /** @type {Text[]} */
  const sent = []
  let count = 0

  /** @returns {Promise<RequestCaller>} */
  const nextFree = () => new Promise((resolve) => queue.push(resolve))

  /** Returns how many texts the network was handed since the last call. */
  async function readHanded() {
    const more = JSON.parse(await read(`${control}/times`))
    Object.assign(handed, more)
    return Object.keys(more).length
  }

  /** @param {Text} text */
  const hasArrived = ({ name, messageId }) =>
    name in handed && receiver.received.has(messageId) && tailed.has(messageId)

  return {
    name,
    databaseUrl: environment.DATABASE_URL,
    readHanded,
    /** @param {Priority} [priority] */
    async add(priority = 'normal') {
      const began = now()
      const n = count++
      const name = `t${n}`
      const caller = free.pop() ?? (await nextFree())
      const body = {
        phone: `1202556${String(n % people).padStart(4, '0')}`,
        message: `${name} A text of ordinary length, as a shop would send it to a customer.`,
        containerId: nthOf(ids, n),
        priority,
      }
      const { status, text } = await caller.post('/api/v1/alert/send', apiKey, body)
      const answered = now()
      const next = queue.shift()
      if (next) next(caller)
      else free.push(caller)
      if (status !== 201) throw new Error(`a text was answered ${status}: ${text}`)
      sent.push({ began, answered, name, messageId: JSON.parse(text).messageId })
    },
    /** Waits until all have arrived everywhere. */
    async take() {
      const end = now() + longestMs
      while (!sent.every(hasArrived)) {
        if (now() > end) throw new Error(`${sent.filter((one) => !hasArrived(one)).length} texts did not arrive`)
        await wait(100)
        await readHanded()
      }
      const texts = sent.splice(0)
      /** @param {(text: Text) => number} timeOf */
      const times = (timeOf) => texts.map(timeOf)
      /** @param {Text} text */
      const handedAt = ({ name }) => Number(handed[name])
      return {
        'answer to network': times((text) => handedAt(text) - text.answered),
        'POST to network': times((text) => handedAt(text) - text.began),
        'POST to webhook': times((text) => Number(receiver.received.get(text.messageId)) - text.began),
        'POST to tail': times((text) => Number(tailed.get(text.messageId)) - text.began),
      }
    },
    async stop() {
      for (const caller of free) caller.end()
      await api?.stop()
      await stopProgram(program, control)
    },
  }
}

/**
 * Follows the events of an organization. Returns when which message was first in one.
 * @param {string} address
 * @param {string} apiKey
 */
async function follow(address, apiKey) {
  /** @type {Map<string, number>} */
  const seen = new Map()
  const answer = await request(`${address}/api/v1/events/stream`, {
    headers: { 'x-api-key': apiKey },
    bodyTimeout: 0,
  })
  if (answer.statusCode !== 200) throw new Error(`the stream was answered ${answer.statusCode}`)
  let rest = ''
  answer.body.on('error', () => {})
  answer.body.setEncoding('utf8').on('data', (chunk) => {
    const at = now()
    const frames = (rest + chunk).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const id = /"messageId":"([^"]+)"/.exec(frame)?.[1]
      if (id !== undefined && !seen.has(id)) seen.set(id, at)
    }
  })
  return seen
}

/**
 * Starts a queue with a worker in a process of its own; jobs are added here, as the API of ours adds texts.
 * @param {'graphile-worker' | 'pg-boss'} kind
 * @param {string} name
 * @param {string} databaseUrl
 * @returns {Promise<Contestant>}
 */
export async function openPeer(kind, name, databaseUrl) {
  const program = await startProgram(new URL('peer.mjs', import.meta.url), { PEER: kind, DATABASE_URL: databaseUrl })
  const { addOne, release } = kind === 'pg-boss' ? await bossOf(databaseUrl) : await graphileOf(databaseUrl)
  /** @type {Record<string, number>} */
  const begun = {}
  /** @type {{ n: number, added: number }[]} */
  const jobs = []
  let count = 0
  return {
    name,
    async add() {
      const n = count++
      await addOne({ n })
      jobs.push({ n, added: now() })
    },
    async take() {
      const end = now() + longestMs
      while (!jobs.every(({ n }) => n in begun)) {
        if (now() > end) throw new Error(`${name} did not begin all jobs`)
        await wait(100)
        Object.assign(begun, JSON.parse(await read(`${program.address}/times`)))
      }
      return { 'added to begun': jobs.splice(0).map(({ n, added }) => Number(begun[n]) - added) }
    },
    async stop() {
      await release()
      await stopProgram(program, program.address)
    },
  }
}

/** @param {string} databaseUrl */
async function bossOf(databaseUrl) {
  const boss = await openPgBoss(databaseUrl)
  return {
    addOne: (/** @type {object} */ data) => boss.send('nothing', data),
    release: () => boss.stop({ graceful: false, close: true }),
  }
}

/** @param {string} databaseUrl */
async function graphileOf(databaseUrl) {
  const { jobs } = await openGraphileWorker(databaseUrl)
  return {
    addOne: (/** @type {object} */ payload) => jobs.addJob('nothing', payload),
    release: () => jobs.release(),
  }
}

/** @param {string} url */
async function read(url) {
  return (await fetch(url)).text()
}

/**
 * Lets a program end by itself, so that it stops what it started.
 * @param {Awaited<ReturnType<typeof startProgram>>} program
 * @param {string} control
 */
async function stopProgram(program, control) {
  await read(`${control}/stop`).catch(() => {})
  await program.stop()
}
