// What a long history costs its readers: ten thousand messages against a million, each list, the counts, and searching.
import { randomUUID } from 'node:crypto'
import { load, mark, withService } from './ground.mjs'

const short = 10_000
const long = 1_000_000
const neighbours = 100
const rounds = 15

const [{ listMessages }, { messageHandlers }, { packHistories }, { foldCounts }] = await Promise.all(
  ['list', 'routes', 'packing', 'counter-store'].map((name) => load(`messages/${name}`)),
)

const searches = [
  ['a phone number', { search: '+1 (202) 555-0199' }],
  ['four digits of one', { search: '0199' }],
  ['an order', { search: 'order 777123' }],
  ['what nothing holds', { search: 'no such thing' }],
  ['what everything holds', { search: 'e' }],
  ['one letter that nothing holds', { search: 'ß' }],
  ['two letters that nothing holds', { search: 'qz' }],
  ['two digits', { search: '77' }],
  ['a word of every fourth message', { search: 'shopping' }],
  ['two usual words', { search: 'table coffee' }],
  ['two usual words that never meet', { search: 'ready customer' }],
  ['a word among read messages', { search: 'invoice', status: 'read' }],
  ['a word among failed messages', { search: 'invoice', status: 'failed' }],
  ['punctuation', { search: '!' }],
]

await withService({}, async ({ db, services }) => {
  const [small, large] = [randomUUID(), randomUUID()]
  const histories = [[small, short], [large, long], ...Array.from({ length: neighbours }, () => [randomUUID(), 1000])]
  const began = performance.now()
  await withoutIndexes(db, 'messages', () => fill(db, histories))
  while ((await foldCounts(db, 10_000)) > 0);
  await patiently(db, 'vacuum analyze messages')
  console.log(`     filled with ${long + short + neighbours * 1000} messages in ${seconds(began)} s`)
  const packing = performance.now()
  await withoutIndexes(db, 'message_packs', () => packAll(services))
  await patiently(db, 'vacuum analyze message_packs')
  console.log(`     packed for searching in ${seconds(packing)} s`)

  for (const [what, ask] of reads(services)) {
    const [few, many] = await times(ask, small, large)
    mark(`${what}: ${many.toFixed(1)} ms with a million, against ${few.toFixed(1)} ms`, many / few, {
      unit: 'x',
      atMost: 2,
    })
  }
  for (const [what, query] of searches) {
    const [few, many] = await times((id) => list(services, id, query), small, large)
    mark(`search for ${what} (${few.toFixed(1)} ms with ten thousand)`, many, { unit: 'ms', atMost: 150 })
  }
})

function list(services, organizationId, query) {
  return listMessages(services, organizationId, { page: 1, limit: 50, ...query })
}

function reads(services) {
  const cursors = new Map()
  /** The place in the middle of a history, where a reader who follows cursors goes on. */
  const middle = async (id, count) => {
    if (!cursors.has(id)) cursors.set(id, (await list(services, id, { page: count / 100 })).nextCursor)
    return cursors.get(id)
  }
  const filters = [
    {},
    { type: 'otp' },
    { status: 'read' },
    { status: 'failed' },
    { status: 'queued' },
    { type: 'alert', status: 'delivered' },
    { page: 18 },
  ]
  return [
    ['GET /stats', (organizationId) => messageHandlers.stats({ caller: { organizationId } }, services)],
    ...filters.map((query) => [`GET /messages ${JSON.stringify(query)}`, (id) => list(services, id, query)]),
    ['the page in the middle', (id, count) => list(services, id, { page: count / 100 })],
    ['the last page', (id, count) => list(services, id, { page: count / 50 })],
    ['behind a cursor', async (id, count) => list(services, id, { cursor: await middle(id, count) })],
    [
      'read ones behind a cursor',
      async (id, count) => list(services, id, { status: 'read', cursor: await middle(id, count) }),
    ],
  ]
}

/** The medians for the small and the large history, asked in turn so that a busy machine hits both alike. */
async function times(ask, small, large) {
  const taken = [[], []]
  for (let round = -2; round < rounds; round += 1) {
    for (const [n, [id, count]] of [
      [small, short],
      [large, long],
    ].entries()) {
      const began = performance.now()
      await ask(id, count)
      if (round >= 0) taken[n].push(performance.now() - began)
    }
  }
  return taken.map((all) => all.sort((a, b) => a - b)[Math.floor(rounds / 2)])
}

/** Indexes are made anew after a fill: one by one they cost several times as much. */
async function withoutIndexes(db, table, work) {
  const { rows } = await db.raw(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
       from pg_index where indrelid = ?::regclass and not indisunique`,
    [table],
  )
  for (const { name } of rows) await db.raw(`drop index ${name}`)
  await work()
  for (const { definition } of rows) await patiently(db, definition)
}

/** Thirty days of messages for each organization, by one statement each. */
async function fill(db, histories) {
  // The copy of what changed is for messages that come late among packed ones; here nothing is packed.
  await db.raw('alter table messages disable trigger messages_pack_added')
  const words =
    'order table ready delivery tomorrow thank you coffee invoice payment doctor please confirm code bring at'
  const wordOf = (seed) => `(string_to_array('${words}', ' '))[1 + (h >> ${seed}) % 16] || (h >> ${seed}) % 97`
  for (const [organizationId, count] of histories) {
    await patiently(
      db,
      `insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                             network_client_id, due_at, queue_at, created_at)
       select gen_random_uuid(), $1::uuid, $1::uuid,
              case when h % 50 = 0 then 'otp' when h % 3 = 0 then 'bulk' else 'alert' end, 'text',
              '1' || 2000000000 + h % 7999999999,
              case when h % 4 = 0 then 'Hello, your order ' || n || ' is ready. Thank you for shopping with us!'
                   else ${[3, 8, 13, 18, 23, 28, 33].map(wordOf).join(` || ' ' || `)} end,
              'normal',
              case when h % 1000 = 1 then 'failed' when h % 10 < 6 then 'read' when h % 10 < 9 then 'delivered' else 'sent' end,
              n::text, at, at, at
         from (select n, hashint8extended(n, 0) & 1152921504606846975 as h,
                      (select service_now()) - n * (interval '30 days' / $2::int) as at
                 from generate_series(1, $2::int) n) made`,
      [organizationId, count],
    )
  }
  await db.raw('alter table messages enable trigger messages_pack_added')
}

/** A run of the job ends after half a minute, so it runs until it has nothing to do. */
async function packAll(services) {
  for (let before = ''; ; ) {
    await packHistories(services)
    const { rows } = await services.db.raw('select coalesce(sum(packed), 0) as packed from message_packing')
    if (rows[0].packed === before) return
    before = rows[0].packed
  }
}

/** Runs a statement that may take longer than the service allows. */
async function patiently(db, sql, values = []) {
  const connection = await db.client.acquireConnection()
  try {
    await connection.query('set statement_timeout = 0')
    await connection.query(sql, values)
    await connection.query('reset statement_timeout')
  } finally {
    await db.client.releaseConnection(connection)
  }
}

function seconds(began) {
  return ((performance.now() - began) / 1000).toFixed(0)
}
