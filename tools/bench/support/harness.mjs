// What every benchmark stands on: a throw-away durable Postgres, a service in this process, and a count of its queries.
import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

export { record } from '../results/report.mjs'

const server = new URL('../../../packages/server/', import.meta.url)

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

/** Changes the text of statements that this process sends to Postgres, and counts those that were changed. */
export function rewriteQueries(rewrite) {
  const { query } = pg.Client.prototype
  let count = 0
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
 * Starts a throw-away Postgres with the tables of the service. A run of several benchmarks makes these once (`BENCH_TEMPLATE`), because a
 * copy takes a tenth of the time.
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

/** Makes what BENCH_TEMPLATE names, in a folder that exists. Returns its path. */
export async function makeTemplate(folder) {
  const postgres = await startDatabase(folder, {})
  await postgres.stop()
  return postgres.dataDir
}

/**
 * Runs `work` with a service on an empty database, and takes everything down after it. `environment` is what another process needs to
 * join it; `gateway` puts another chat network in the place of the simulated one; `settings` are those of Postgres.
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
      NODE_ENV: 'bench',
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

/** A benchmark may stop the worker before its end, which stops it too. */
function endedOnce(worker) {
  let ended
  const stop = () => {
    ended ??= worker.stop()
    return ended
  }
  return { ...worker, stop }
}

/** Makes an organization with `count` linked numbers and these products, and returns their ids. */
export async function linkedNumbers({ services, db }, count, products = ['notify', 'developer', 'connect']) {
  const [{ foundOrganization }, { insertNumber }, { transaction, rows }] = await Promise.all([
    import('@msgctl/server/people/organizations/create'),
    import('@msgctl/server/numbers/records/store'),
    import('@msgctl/server/platform/db/db'),
  ])
  const organizationId = await transaction(db, async (trx) => {
    const owner = { name: 'Bench', email: `${randomUUID()}@example.com`, passwordHash: 'none' }
    const founding = { organizationName: 'Bench', products, granted: true, owner }
    return (await foundOrganization(trx, founding)).organizationId
  })
  const ids = Array.from({ length: count }, () => randomUUID())
  const add = async (id) => {
    await insertNumber(db, { id, organizationId, gateway: 'simulator', label: 'Bench', instanceName: `number-${id}` })
    await services.gateway.start({ containerId: id, organizationId })
  }
  // The first becomes the default, which there can be only one of.
  for (let from = 0; from < count; from = from === 0 ? 1 : from + 8) {
    await Promise.all(ids.slice(from, from === 0 ? 1 : from + 8).map(add))
  }
  for (;;) {
    const [{ working }] = await rows(
      db,
      `select count(*) as working from numbers where organization_id = :organizationId and status = 'WORKING'`,
      { organizationId },
    )
    if (working === count) return { organizationId, ids }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Makes `count` organizations with a linked number each. Returns of each its id, the id of its number and an API key. */
export async function organizationsWithKeys(harness, count) {
  const { firstKey } = await import('@msgctl/server/api/access/key')
  async function makeOne() {
    const { organizationId, ids } = await linkedNumbers(harness, 1)
    const { apiKey } = await firstKey(harness.db, organizationId, null)
    return { organizationId, containerId: ids[0], apiKey }
  }
  const made = []
  while (made.length < count) {
    const group = Array.from({ length: Math.min(10, count - made.length) }, makeOne)
    made.push(...(await Promise.all(group)))
  }
  return made
}

/** Waits until all events that the network emits for newly linked numbers are processed. */
export async function quiet({ db }) {
  for (;;) {
    const { rows } = await db.raw('select 1 from sim_events limit 1')
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Puts `count` texts into the queue, spread over the numbers, in batches as the API would. */
export async function enqueue({ services, db }, { organizationId, ids }, count) {
  const [{ enqueueTexts }, { transaction }] = await Promise.all([
    import('@msgctl/server/sending/messages/queue/enqueue'),
    import('@msgctl/server/platform/db/db'),
  ])
  const size = 500
  for (let from = 0; from < count; from += size) {
    const texts = Array.from({ length: Math.min(size, count - from) }, (_, n) => ({
      organizationId,
      containerId: ids[(from + n) % ids.length],
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

/** The simulated network with nothing behind its sends: what is measured is the service alone. */
export function emptyNetwork(simulator) {
  return Object.assign(Object.create(simulator), {
    typing: async () => {},
    send: async (_session, to) => ({ ref: { networkId: randomUUID(), chat: to, raw: null }, status: 'sent' }),
  })
}
