// What every benchmark stands on: a throw-away durable Postgres, a service in this process, and a count of its queries.
import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

export { record } from '../results/report.mjs'

/**
 * @import { Product } from '@msgctl/contract'
 * @import { Gateway } from '@msgctl/network/gateway'
 * @import { Db } from '@msgctl/server/platform/db/db'
 * @import { NewText } from '@msgctl/server/sending/messages/queue/enqueue'
 * @import { Services } from '@msgctl/server/services'
 * @import { Client, Statement } from 'pg'
 */

/**
 * A service that a benchmark measures.
 * @typedef {object} Harness
 * @property {Services} services
 * @property {{ stop: () => Promise<void> }} worker
 * @property {Db} db
 * @property {Record<string, string> & { DATABASE_URL: string }} environment
 */

/** @typedef {{ organizationId: string, ids: string[] }} Numbers The linked numbers of one organization. */

const server = new URL('../../../packages/server/', import.meta.url)

/** @type {typeof import('pg').default} */
const pg = createRequire(new URL('package.json', server))('pg')

/** Counts every statement that this process sends to Postgres, pools of agenda and signals included. */
export function countQueries() {
  const { query } = pg.Client.prototype
  let count = 0
  pg.Client.prototype.query = function counted(...args) {
    count += 1
    return query.apply(this, args)
  }
  return { count: () => count }
}

/**
 * Changes the text of statements that this process sends to Postgres, and counts those that were changed.
 * @param {(sql: string) => string} rewrite
 */
export function rewriteQueries(rewrite) {
  const { query } = pg.Client.prototype
  let count = 0
  /** @this {Client} @param {string | Statement} first @param {unknown[]} others */
  function rewritten(first, ...others) {
    const sql = typeof first === 'string' ? first : first?.text
    const changed = typeof sql === 'string' ? rewrite(sql) : sql
    if (changed === sql) return query.call(this, first, ...others)
    count += 1
    return query.call(this, typeof first === 'string' ? changed : { ...first, text: changed }, ...others)
  }
  pg.Client.prototype.query = rewritten
  function end() {
    pg.Client.prototype.query = query
  }
  return { count: () => count, end }
}

/**
 * Starts a throw-away Postgres with the tables of the service. A run of several benchmarks makes these once
 * (`BENCH_TEMPLATE`), because a copy takes a tenth of the time.
 * @param {string} folder
 * @param {Record<string, string>} settings
 */
async function startDatabase(folder, settings) {
  const { startEmbeddedPostgres } = await import('../../../packages/embedded-postgres/dist/index.js')
  const dataDir = path.join(folder, 'postgres')
  const { BENCH_TEMPLATE } = process.env
  // Postgres does not run as root, and has to enter the folder of its data.
  chmodSync(folder, 0o755)
  if (BENCH_TEMPLATE) execFileSync('cp', ['-a', BENCH_TEMPLATE, dataDir])
  const postgres = await startEmbeddedPostgres({ dataDir, settings })
  if (!BENCH_TEMPLATE) {
    const [{ migrate }, { connect }] = await Promise.all([
      import('@msgctl/server/platform/db/migrate'),
      import('@msgctl/server/platform/db/db'),
    ])
    const db = connect(postgres.url)
    await migrate(db)
    await db.destroy()
  }
  return postgres
}

/**
 * Makes what BENCH_TEMPLATE names, in a folder that exists. Returns its path.
 * @param {string} folder
 */
export async function makeTemplate(folder) {
  const postgres = await startDatabase(folder, {})
  await postgres.stop()
  return postgres.dataDir
}

/**
 * Runs `work` with a service on an empty database, and takes everything down after it. `environment` is what another
 * process needs to join it; `gateway` puts another chat network in the place of the simulated one; `settings` are those
 * of Postgres.
 * @param {Record<string, string>} env
 * @param {(harness: Harness) => Promise<unknown>} work
 * @param {{ gateway?: (simulator: Gateway) => Gateway, settings?: Record<string, string> }} [options]
 */
export async function withService(env, work, { gateway, settings = {} } = {}) {
  const [{ readConfig }, { startServices }, { startWorker }] = await Promise.all([
    import('@msgctl/server/process/config'),
    import('@msgctl/server/process/start-services'),
    import('@msgctl/server/process/worker'),
  ])
  const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-bench-'))
  const postgres = await startDatabase(folder, settings)
  try {
    const environment = {
      NODE_ENV: 'development',
      DATABASE_URL: postgres.url,
      SECRETS_KEYS: `1:${randomBytes(32).toString('base64')}`,
      LOG_LEVEL: 'error',
      UNSAFE_DISABLE_RATE_LIMIT: 'true',
      ...env,
    }
    const config = readConfig(environment)
    const running = await startServices(config, postgres.url)
    const services = gateway === undefined ? running : { ...running, gateway: gateway(running.gateway) }
    const worker = endedOnce(await startWorker(services, postgres.url))
    try {
      await work({ services, worker, db: services.db, environment })
    } finally {
      await worker.stop()
      await running.stop()
    }
  } finally {
    await postgres.stop()
    for (const place of [postgres.dataDir, folder]) rmSync(place, { recursive: true, force: true })
  }
}

/**
 * A benchmark may stop the worker before its end, which stops it too.
 * @param {Harness['worker']} worker
 */
function endedOnce(worker) {
  /** @type {Promise<void> | undefined} */
  let ended
  const stop = () => {
    ended ??= worker.stop()
    return ended
  }
  return { ...worker, stop }
}

/**
 * Makes an organization with `count` linked numbers and these products, and returns their ids.
 * @param {Pick<Harness, 'services' | 'db'>} harness
 * @param {number} count
 * @param {Product[]} [products]
 * @returns {Promise<Numbers>}
 */
export async function linkedNumbers({ services, db }, count, products = ['notify', 'developer', 'connect']) {
  const [{ foundOrganization }, { insertNumber }, { transaction, rows }] = await Promise.all([
    import('@msgctl/server/people/organizations/create'),
    import('@msgctl/server/numbers/records/store'),
    import('@msgctl/server/platform/db/db'),
  ])
  const organizationId = await transaction(db, async (trx) => {
    const owner = { name: 'Bench', email: `${randomUUID()}@example.com`, passwordHash: 'none' }
    const founding = { organizationName: 'Bench', products, granted: true, owner }
    const founded = await foundOrganization(trx, founding)
    if (founded === null) throw new Error('the e-mail address of a new organization is known')
    return founded.organizationId
  })
  const ids = Array.from({ length: count }, () => randomUUID())
  /** @param {string} id */
  const add = async (id) => {
    await insertNumber(db, { id, organizationId, gateway: 'simulator', label: 'Bench', instanceName: `number-${id}` })
    await services.gateway.start({ containerId: id, organizationId })
  }
  // The first becomes the default, which there can be only one of.
  for (let from = 0; from < count; from = from === 0 ? 1 : from + 8) {
    await Promise.all(ids.slice(from, from === 0 ? 1 : from + 8).map(add))
  }
  for (;;) {
    const [{ working }] = /** @type {[{ working: number }]} */ (
      await rows(
        db,
        `select count(*) as working from numbers where organization_id = :organizationId and status = 'WORKING'`,
        { organizationId },
      )
    )
    if (working === count) return { organizationId, ids }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/**
 * Makes the first key of an organization's account. Returns it.
 * @param {Pick<Harness, 'db'>} harness
 * @param {string} organizationId
 */
export async function makeKey({ db }, organizationId) {
  const { firstKey } = await import('@msgctl/server/api/access/key')
  const key = await firstKey(db, organizationId, null)
  if (key === null) throw new Error('the organization has a key already')
  return key.apiKey
}

/**
 * Makes `count` organizations with a linked number each. Returns of each its id, the id of its number and an API key.
 * @param {Harness} harness
 * @param {number} count
 */
export async function organizationsWithKeys(harness, count) {
  async function makeOne() {
    const { organizationId, ids } = await linkedNumbers(harness, 1)
    const apiKey = await makeKey(harness, organizationId)
    return { organizationId, containerId: nthOf(ids, 0), apiKey }
  }
  /** @type {Awaited<ReturnType<typeof makeOne>>[]} */
  const made = []
  while (made.length < count) {
    const group = Array.from({ length: Math.min(10, count - made.length) }, makeOne)
    made.push(...(await Promise.all(group)))
  }
  return made
}

/**
 * Waits until all events that the network emits for newly linked numbers are processed.
 * @param {Pick<Harness, 'db'>} harness
 */
export async function quiet({ db }) {
  for (;;) {
    const { rows } = await db.raw('select 1 from sim_events limit 1')
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/**
 * Puts `count` texts into the queue, spread over the numbers, in batches as the API would.
 * @param {Pick<Harness, 'services' | 'db'>} harness
 * @param {Numbers} numbers
 * @param {number} count
 */
export async function enqueue({ services, db }, { organizationId, ids }, count) {
  const [{ enqueueTexts }, { transaction }] = await Promise.all([
    import('@msgctl/server/sending/messages/queue/enqueue'),
    import('@msgctl/server/platform/db/db'),
  ])
  const size = 500
  for (let from = 0; from < count; from += size) {
    /** @type {NewText[]} */
    const texts = Array.from({ length: Math.min(size, count - from) }, (_, n) => ({
      organizationId,
      containerId: nthOf(ids, from + n),
      pinned: false,
      type: 'alert',
      recipient: `1202556${String((from + n) % 10_000).padStart(4, '0')}`,
      text: 'A text of ordinary length, as a shop would send it to a customer.',
      priority: 'normal',
      clientReference: null,
    }))
    await transaction(db, (trx) => enqueueTexts(trx, services.clock, texts))
  }
}

/**
 * Returns the nth of a list that is not empty; the first follows the last.
 * @template T
 * @param {T[]} list
 * @param {number} n
 */
export const nthOf = (list, n) => /** @type {T} */ (list[n % list.length])

/**
 * The simulated network with nothing behind its sends: what is measured is the service alone.
 * @param {Gateway} simulator
 * @returns {Gateway}
 */
export function emptyNetwork(simulator) {
  /** @type {Pick<Gateway, 'typing' | 'send'>} */
  const empty = {
    typing: async () => {},
    send: async (_session, to) => ({ ref: { networkId: randomUUID(), chat: to, raw: null }, status: 'sent' }),
  }
  return Object.assign(Object.create(simulator), empty)
}
