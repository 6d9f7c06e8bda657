// What reading conversations costs with a hundred thousand chat messages at one number, and with a million at another.
import { randomUUID } from 'node:crypto'
import { linkedNumbers, load, record, withService } from './harness.mjs'
import { median } from './report.mjs'

const rounds = 25
const sizes = [
  { what: 'a hundred thousand', messages: 100_000, people: 8000, atMost: 50 },
  ...(process.env.BENCH_BRIEF ? [] : [{ what: 'a million', messages: 1_000_000, people: 50_000, atMost: 100 }]),
]

const searches = [
  ['a whole number', '+1 (404) 000-0077'],
  ['four digits', '0777'],
  ['two digits', '77'],
  ['a name of one person', 'Person 4321'],
  ['a name that everybody has', 'person'],
  ['one letter', 'q'],
  ['a text without matches', 'no such person'],
]

const [{ chatHandlers }, { contactHandlers }, { handleGatewayEvents }] = await Promise.all(
  ['chats/routes', 'contacts/routes', 'process/gateway-events'].map((name) => load(name)),
)

await withService({ SIM_AUTOLINK: '1', SIM_SPEED: '0' }, async (harness) => {
  const { db, services } = harness
  const rate = await receive(harness, await linkedNumbers(harness, 10))
  record('messages received, stored and reported by one process', rate, { unit: '/s', digits: 0 })
  for (const size of sizes) {
    const { organizationId, ids } = await linkedNumbers(harness, 1)
    const [containerId] = ids
    const began = performance.now()
    await fill(db, { organizationId, containerId, ...size })
    console.log(
      `     ${size.what} messages with ${size.people} people in ${((performance.now() - began) / 1000).toFixed(0)} s`,
    )
    const caller = { organizationId, containerId: null }
    const busy = '14040000000'
    const reads = [
      ['GET /chats', () => chatHandlers.list({ caller, query: { limit: 50 } }, services)],
      ['GET /chats?limit=200', () => chatHandlers.list({ caller, query: { limit: 200 } }, services)],
      ['a thread', () => chatHandlers.thread({ caller, params: { phone: busy }, query: { limit: 50 } }, services)],
      [
        'a thread of 500',
        () => chatHandlers.thread({ caller, params: { phone: busy }, query: { limit: 500 } }, services),
      ],
      ['GET /chats/unread', () => chatHandlers.unread({ caller, query: { limit: 100 } }, services)],
      ...searches.map(([what, search]) => [
        `GET /chats by ${what}`,
        () => chatHandlers.list({ caller, query: { limit: 50, search } }, services),
      ]),
      ...searches.map(([what, search]) => [
        `GET /contacts by ${what}`,
        () => contactHandlers.search({ caller, query: { limit: 10, search } }, services),
      ]),
      ['GET /contacts/count', () => contactHandlers.count({ caller }, services)],
    ]
    for (const [what, read] of reads)
      record(`${what}, ${size.what}`, await timed(read), { unit: 'ms', atMost: size.atMost })
  }
})

/** The middle of how long it takes, in milliseconds. */
async function timed(read) {
  const taken = []
  for (let round = -3; round < rounds; round += 1) {
    const began = performance.now()
    await read()
    if (round >= 0) taken.push(performance.now() - began)
  }
  return median(taken)
}

/** Hands over messages of many people to ten numbers, 500 at a time as a driver does. Returns messages a second. */
async function receive({ services }, { organizationId, ids }) {
  const arrivals = Array.from({ length: 10_000 }, (_, n) => ({
    kind: 'message.in',
    organizationId,
    containerId: ids[n % ids.length],
    at: services.clock.now(),
    message: {
      networkId: `in-${n}`,
      from: { kind: 'phone', digits: String(14_050_000_000 + (n % 997)) },
      senderName: `Person ${n % 997}`,
      type: 'chat',
      text: 'A question of ordinary length, as a customer would write it.',
    },
  }))
  const began = performance.now()
  for (let from = 0; from < arrivals.length; from += 500) {
    await handleGatewayEvents(services, arrivals.slice(from, from + 500))
  }
  return arrivals.length / ((performance.now() - began) / 1000)
}

/**
 * Conversations as they are after years: a few people wrote much and most wrote little, every fourth message was sent by
 * the service, and every fiftieth that came is unread. The first person has a thousandth of all.
 */
async function fill(db, { organizationId, containerId, messages, people }) {
  const values = { organizationId, containerId, messages, people, seed: randomUUID() }
  const run = (sql) =>
    db.transaction(async (trx) => {
      await trx.raw('set local statement_timeout = 0')
      await trx.raw(sql, values)
    })
  await run(`
    insert into contacts (id, organization_id, phone, network_name, known_to, created_at)
    select md5(:seed || 'p' || n)::uuid, :organizationId, '1404' || lpad(n::text, 7, '0'), 'Person ' || n, array[:containerId::uuid],
           service_now()
      from generate_series(0, :people::int - 1) n`)
  await db.raw('alter table messages disable trigger user')
  const written = `
    select n, md5(:seed || 'm' || n)::uuid as id, service_now() - n * interval '1 minute' as at, n % 4 = 0 as ours,
           case when n % 1000 = 0 then 0
                else floor(power(abs(hashint4(n::int)) / 2147483648.0, 3) * :people::int)::int % :people::int end as person
      from generate_series(1, :messages::int) n`
  await run(`
    insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                          network_client_id, gateway_message_id, due_at, queue_at, created_at, sent_at)
    select id, :organizationId, :containerId, 'alert', 'text', '1404' || lpad(person::text, 7, '0'),
           'An answer of ordinary length, as a shop would send it to a customer. ' || n, 'normal', 'read', id::text, id::text,
           at, at, at, at
      from (${written}) w where ours`)
  await db.raw('alter table messages enable trigger user')
  await run(`
    insert into chat_messages (id, organization_id, container_id, contact_id, direction, network_id, at, ours, type, text, unread)
    select id, :organizationId, :containerId, md5(:seed || 'p' || person)::uuid, case when ours then 'out' else 'in' end, id::text,
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

/** Runs one statement that may take as long as it likes. */
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
