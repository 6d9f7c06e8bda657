// What a long history costs its readers: ten thousand messages against a million and five, each list, the counts, and searching.
import { randomUUID } from 'node:crypto'
import { load, record, withService } from './harness.mjs'

const short = 10_000
const long = 1_000_000
const huge = 5_000_000
const neighbours = 100
const rounds = 15

const [{ listMessages }, { messageHandlers }, { copyTexts }, { rollUpCounts }] = await Promise.all(
  [
    'messages/history/list',
    'messages/history/routes',
    'messages/history/text-store',
    'messages/history/counter-store',
  ].map((name) => load(name)),
)

const words = 'order table ready delivery tomorrow thank you coffee invoice payment doctor please confirm code bring at'
const wordOf = (seed) => `(string_to_array('${words}', ' '))[1 + (h >> ${seed}) % 16] || (h >> ${seed}) % 97`
const partSize = 250_000

/** Ids begin with their time, as the service makes them. */
const insertPart = `
  insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                        network_client_id, due_at, queue_at, created_at)
  select (encode(substr(int8send((extract(epoch from at) * 1000)::int8), 3), 'hex') || '7000a' || substr(md5($1::text || n), 1, 15))::uuid,
         $1::uuid, $1::uuid,
         case when h % 50 = 0 then 'otp' when h % 3 = 0 then 'bulk' else 'alert' end, 'text',
         '1' || 2000000000 + h % 7999999999,
         case when h % 4 = 0 then 'Hello, your order ' || n || ' is ready. Thank you for shopping with us!'
              else ${[3, 8, 13, 18, 23, 28, 33].map(wordOf).join(` || ' ' || `)} end,
         'normal',
         case when h % 1000 = 1 then 'failed' when h % 10 < 6 then 'read' when h % 10 < 9 then 'delivered' else 'sent' end,
         n::text, at, at, at
    from (select n, hashint8extended(n, 0) & 1152921504606846975 as h,
                 (select service_now()) - n * (interval '30 days' / $2::int) as at
            from generate_series($3::int, $4::int) n) made`

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

await withService({}, async ({ db, services, worker }) => {
  // Its jobs would work on the history at the same time.
  await worker.stop()
  const sizes = { [randomUUID()]: short, [randomUUID()]: long }
  const [small, large] = Object.keys(sizes)
  const around = Object.fromEntries(Array.from({ length: neighbours }, () => [randomUUID(), 1000]))
  await grow(db, { ...sizes, ...around })
  const copying = performance.now()
  await withoutIndexes(db, 'message_texts', () => copyAll(db))
  await patiently(db, 'vacuum analyze message_texts')
  console.log(`     texts copied in ${seconds(copying)} s`)
  for (const [what, query] of searches) {
    const [few, many] = await times((id) => list(services, id, query), { [small]: short, [large]: long })
    record(`search for ${what} (${few.toFixed(1)} ms with ten thousand)`, many, { unit: 'ms', atMost: 300 })
  }

  // The readers below do not search: they need no texts.
  const largest = process.env.BENCH_BRIEF ? {} : { [randomUUID()]: huge }
  if (!process.env.BENCH_BRIEF) await grow(db, largest)
  for (const [what, read] of reads(services)) {
    const [few, ...others] = await times(read, { ...sizes, ...largest })
    for (const [n, many] of others.entries()) {
      const figures = `${many.toFixed(1)} ms with ${n === 0 ? 'a million' : 'five million'}, against ${few.toFixed(1)} ms`
      record(`${what}: ${figures}`, many / few, { unit: 'x', atMost: 2 })
    }
  }
})

/** Adds histories: the number of messages by the organization. */
async function grow(db, histories) {
  const began = performance.now()
  await withoutIndexes(db, 'messages', () => fill(db, Object.entries(histories)))
  while ((await rollUpCounts(db, 10_000)) > 0);
  await patiently(db, 'vacuum analyze messages')
  const count = Object.values(histories).reduce((sum, each) => sum + each, 0)
  console.log(`     filled with ${count} messages in ${seconds(began)} s`)
}

function list(services, organizationId, query) {
  return listMessages(services, organizationId, { page: 1, limit: 50, ...query })
}

function reads(services) {
  const cursors = new Map()
  /** Returns a cursor to the middle of a history, where a reader that follows cursors continues. */
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

/** The median for each of the histories, asked in turn so that a busy machine hits all alike. */
async function times(read, histories) {
  const taken = Object.entries(histories).map(([id, count]) => ({ id, count, all: [] }))
  for (let round = -2; round < rounds; round += 1) {
    for (const { id, count, all } of taken) {
      const began = performance.now()
      await read(id, count)
      if (round >= 0) all.push(performance.now() - began)
    }
  }
  return taken.map(({ all }) => all.sort((a, b) => a - b)[Math.floor(rounds / 2)])
}

/** Rebuilds the indexes after a fill: updating them row by row costs several times as much. */
async function withoutIndexes(db, table, work) {
  const { rows } = await db.raw(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
       from pg_index where indrelid = ?::regclass and not indisunique`,
    [table],
  )
  for (const { name } of rows) await db.raw(`drop index ${name}`)
  await work()
  await twoAtOnce(
    rows.map(
      ({ definition }) =>
        () =>
          patiently(db, definition),
    ),
  )
}

/** Does all of the works: one for each core that everybody may expect. */
async function twoAtOnce(works) {
  const left = [...works]
  async function keepWorking() {
    for (let work = left.shift(); work !== undefined; work = left.shift()) await work()
  }
  await Promise.all([keepWorking(), keepWorking()])
}

/** Thirty days of messages for each organization, in parts. */
async function fill(db, histories) {
  const parts = histories.flatMap(([organizationId, count]) =>
    Array.from({ length: Math.ceil(count / partSize) }, (_, part) => ({ organizationId, count, part })),
  )
  await twoAtOnce(
    parts.map(({ organizationId, count, part }) => () => {
      const [from, to] = [part * partSize + 1, Math.min(count, (part + 1) * partSize)]
      return patiently(db, insertPart, [organizationId, count, from, to])
    }),
  )
}

/** A run of the job ends after half a minute, so it runs until it has nothing left to do. */
async function copyAll(db) {
  for (;;) {
    await copyTexts(db)
    const { rows } = await db.raw('select exists (select from message_text_changes) as "isLeft"')
    if (!rows[0].isLeft) return
  }
}

/** Runs a statement that may take longer than the service allows. */
async function patiently(db, sql, values = []) {
  const connection = await db.client.acquireConnection()
  try {
    await connection.query(`set statement_timeout = 0; set maintenance_work_mem = '512MB'`)
    await connection.query(sql, values)
    await connection.query('reset statement_timeout; reset maintenance_work_mem')
  } finally {
    await db.client.releaseConnection(connection)
  }
}

function seconds(began) {
  return ((performance.now() - began) / 1000).toFixed(0)
}
