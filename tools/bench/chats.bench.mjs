// What reading conversations costs with a hundred thousand chat messages at one number, and with a million at another.
import { randomUUID } from 'node:crypto'
import { median } from './results/report.mjs'
import { receivedMessage } from './scale/arrivals.mjs'
import { linkedNumbers, makeKey, nthOf, record, withService } from './support/harness.mjs'

/**
 * @import { Db } from '@msgctl/server/platform/db/db'
 * @import { Harness, Numbers } from './support/harness.mjs'
 */

/** @typedef {{ messages: number, people: number }} Amounts */

const rounds = 25
const sizes = [
  { what: 'a hundred thousand', messages: 100_000, people: 8000, atMost: 50 },
  ...(process.env.BENCH_BRIEF ? [] : [{ what: 'a million', messages: 1_000_000, people: 50_000, atMost: 100 }]),
]

/** @type {[what: string, text: string][]} */
const searches = [
  ['a whole number', '+1 (404) 000-0077'],
  ['four digits', '0777'],
  ['two digits', '77'],
  ['a name of one person', 'Person 4321'],
  ['a name that everybody has', 'person'],
  ['one letter', 'q'],
  ['a text without matches', 'no such person'],
]

const [{ createApp, listen }, { handlers }, { handleGatewayEvents }] = await Promise.all([
  import('@msgctl/server/process/app'),
  import('@msgctl/server/process/handlers'),
  import('@msgctl/server/process/gateway-events'),
])

/** @type {[what: string, path: string][]} */
const reads = [
  ['GET /chats', '/chats?limit=50'],
  ['GET /chats?limit=200', '/chats?limit=200'],
  ['a thread', '/chats/14040000000?limit=50'],
  ['a thread of 500', '/chats/14040000000?limit=500'],
  ['GET /chats/unread', '/chats/unread?limit=100'],
  ...searchesOf('/chats', '50'),
  ...searchesOf('/contacts', '10'),
  ['GET /contacts/count', '/contacts/count'],
]

await withService({ SIM_AUTOLINK: '1', SIM_SPEED: '0', PORT: '0' }, async (harness) => {
  const { services } = harness
  const rate = await receive(harness, await linkedNumbers(harness, 10))
  record('messages received, stored and reported by one process', rate, { unit: '/s', digits: 0 })
  const http = await listen(createApp(services, handlers), services.config)
  try {
    for (const size of sizes) await measure(harness, http.address, size)
  } finally {
    await http.stop()
  }
})

/**
 * Returns the searches of a route.
 * @param {string} route
 * @param {string} limit
 * @returns {[what: string, path: string][]}
 */
function searchesOf(route, limit) {
  return searches.map(([what, text]) => [
    `GET ${route} by ${what}`,
    `${route}?${new URLSearchParams({ limit, search: text })}`,
  ])
}

/**
 * Fills an organization and records how long each read takes. The reads go over HTTP: what the API promises outlives
 * how its handlers are called.
 * @param {Harness} harness
 * @param {string} address
 * @param {Amounts & { what: string, atMost: number }} size
 */
async function measure(harness, address, size) {
  const { db } = harness
  const { organizationId, ids } = await linkedNumbers(harness, 1)
  const apiKey = await makeKey(harness, organizationId)
  const began = performance.now()
  await fill(db, { organizationId, containerId: nthOf(ids, 0), ...size })
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`     ${size.what} messages with ${size.people} people in ${seconds} s`)
  for (const [what, path] of reads) {
    const middle = await timed(async () => {
      const response = await fetch(`${address}/api/v1${path}`, { headers: { 'x-api-key': apiKey } })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path} responded ${response.status}: ${text}`)
    })
    record(`${what}, ${size.what}`, middle, { unit: 'ms', atMost: size.atMost })
  }
}

/**
 * The middle of how long it takes, in milliseconds.
 * @param {() => Promise<void>} read
 */
async function timed(read) {
  /** @type {number[]} */
  const taken = []
  for (let round = -3; round < rounds; round += 1) {
    const began = performance.now()
    await read()
    if (round >= 0) taken.push(performance.now() - began)
  }
  return median(taken)
}

/**
 * Hands over messages of many people to ten numbers, 500 at a time as a driver does. Returns messages a second.
 * @param {Harness} harness
 * @param {Numbers} numbers
 */
async function receive({ services }, { organizationId, ids }) {
  const at = services.clock.now()
  const arrivals = Array.from({ length: 10_000 }, (_, n) => {
    const person = n % 997
    const number = { organizationId, containerId: nthOf(ids, n), at }
    return receivedMessage(number, { n, person, senderName: `Person ${person}` })
  })
  const began = performance.now()
  for (let from = 0; from < arrivals.length; from += 500) {
    await handleGatewayEvents(services, arrivals.slice(from, from + 500))
  }
  return arrivals.length / ((performance.now() - began) / 1000)
}

/**
 * Conversations as they are after years: a few people wrote much and most wrote little, every fourth message was sent
 * by the service, and every fiftieth that came is unread. The first person has a thousandth of all.
 * @param {Db} db
 * @param {Amounts & { organizationId: string, containerId: string }} history
 */
async function fill(db, { organizationId, containerId, messages, people }) {
  const values = { organizationId, containerId, messages, people, seed: randomUUID() }
  /** @param {string} sql */
  const run = (sql) =>
    db.transaction(async (trx) => {
      await trx.raw('set local statement_timeout = 0')
      await trx.raw(sql, values)
    })
  await run(`
    insert into contacts (id, organization_id, phone, network_name, known_to, created_at)
    select ${idOf("'p' || n")}, :organizationId, '1404' || lpad(n::text, 7, '0'), 'Person ' || n,
           array[:containerId::uuid],
           service_now()
      from generate_series(0, :people::int - 1) n`)
  await db.raw('alter table messages disable trigger user')
  const written = `
    select n, ${idOf("'m' || n")} as id, service_now() - n * interval '1 minute' as at, n % 4 = 0 as ours,
           case when n % 1000 = 0 then 0
                else floor(power(abs(hashint4(n::int)) / 2147483648.0, 3) * :people::int)::int % :people::int end as
                  person
      from generate_series(1, :messages::int) n`
  await run(`
    insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                          network_client_id, gateway_message_id, due_at, queue_at, created_at, sent_at)
    select id, :organizationId, :containerId, 'alert', 'text', '1404' || lpad(person::text, 7, '0'),
           'An answer of ordinary length, as a shop would send it to a customer. ' || n, 'normal', 'read', id::text,
           id::text,
           at, at, at, at
      from (${written}) w where ours`)
  await db.raw('alter table messages enable trigger user')
  await run(`
    insert into chat_messages (id, organization_id, container_id, contact_id, direction, network_id, at, ours, type,
        text, unread)
    select id, :organizationId, :containerId, ${idOf("'p' || person")}, case when ours then 'out'
      else 'in' end, id::text,
           at, ours, case when ours then '' else 'chat' end,
           case when ours then '' else 'A question of ordinary length, as a customer would write it. ' || n end,
           not ours and n % 50 = 1
      from (${written}) w`)
  await run(`
    insert into chats (container_id, contact_id, organization_id, last_at, unread)
    select container_id, contact_id, :organizationId::uuid, max(at), count(*) filter (where unread)
      from chat_messages where container_id = :containerId group by 1, 2`)
  for (const table of ['contacts', 'messages', 'chat_messages', 'chats']) await patiently(db, `vacuum analyze ${table}`)
}

/**
 * SQL of an id of version 4 that belongs to a name.
 * @param {string} name
 */
function idOf(name) {
  return `overlay(overlay(md5(:seed || ${name}) placing '4' from 13) placing '8' from 17)::uuid`
}

/**
 * Runs one statement that may take as long as it likes.
 * @param {Db} db
 * @param {string} sql
 */
async function patiently(db, sql) {
  const connection = await db.client.acquireConnection()
  try {
    await connection.query('set statement_timeout = 0')
    await connection.query(sql)
    await connection.query('reset statement_timeout')
  } finally {
    await db.client.releaseConnection(connection)
  }
}
