// Rows of a long history, loaded by SQL: messages of thirty days, spread evenly.

/** @import { Db } from '@msgctl/server/platform/db/db' */

const words = 'order table ready delivery tomorrow thank you coffee invoice payment doctor please confirm code bring at'
/** @param {number} seed */
const wordOf = (seed) => `(string_to_array('${words}', ' '))[1 + (h >> ${seed}) % 16] || (h >> ${seed}) % 97`
const partSize = 250_000

/** SQL of the text of message `n` with the hash `h`: every fourth is of one form, the others are of usual words. */
export const contentOf = `
  case when h % 4 = 0 then 'Hello, your order ' || n || ' is ready. Thank you for shopping with us!'
       else ${[3, 8, 13, 18, 23, 28, 33].map(wordOf).join(` || ' ' || `)} end`

/** Ids begin with their time, as the service makes them. */
const insertPart = `
  insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                        network_client_id, due_at, queue_at, created_at)
  select (encode(substr(int8send((extract(epoch from at) * 1000)::int8), 3),
        'hex') || '7000a' || substr(md5($1::text || n), 1, 15))::uuid,
         $1::uuid, $1::uuid,
         case when h % 50 = 0 then 'otp' when h % 3 = 0 then 'bulk' else 'alert' end, 'text',
         '1' || 2000000000 + h % 7999999999,
         ${contentOf},
         'normal',
         case when h % 1000 = 1 then 'failed' when h % 10 < 6 then 'read' when h % 10 < 9 then 'delivered'
           else 'sent' end,
         n::text, at, at, at
    from (select n, hashint8extended(n, 0) & 1152921504606846975 as h,
                 (select service_now()) - n * (interval '30 days' / $2::int) - $5::int * interval '1 day' as at
            from generate_series($3::int, $4::int) n) made`

/**
 * Rebuilds the indexes after a fill: updating them row by row costs several times as much.
 * @param {Db} db
 * @param {string} table
 * @param {() => Promise<unknown>} work
 */
export async function withoutIndexes(db, table, work) {
  /** @type {{ rows: { name: string, definition: string }[] }} */
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

/**
 * Does all of the works: one for each core that everybody may expect.
 * @param {(() => Promise<unknown>)[]} works
 */
export async function twoAtOnce(works) {
  const left = [...works]
  async function keepWorking() {
    for (let work = left.shift(); work !== undefined; work = left.shift()) await work()
  }
  await Promise.all([keepWorking(), keepWorking()])
}

/**
 * Inserts thirty days of messages for each organization, in parts; the newest are `age` days old.
 * @param {Db} db
 * @param {[organizationId: string, count: number][]} histories
 */
export async function fill(db, histories, age = 0) {
  const parts = histories.flatMap(([organizationId, count]) =>
    Array.from({ length: Math.ceil(count / partSize) }, (_, part) => ({ organizationId, count, part })),
  )
  await twoAtOnce(
    parts.map(({ organizationId, count, part }) => () => {
      const [from, to] = [part * partSize + 1, Math.min(count, (part + 1) * partSize)]
      return patiently(db, insertPart, [organizationId, count, from, to, age])
    }),
  )
}

/** The service gives up a statement without a response after 35 s. */
const longestMs = 3_600_000

/**
 * Runs a statement that may take longer than the service allows.
 * @param {Db} db
 * @param {string} sql
 * @param {unknown[]} [values]
 */
export async function patiently(db, sql, values = []) {
  const connection = await db.client.acquireConnection()
  try {
    await connection.query(`set statement_timeout = 0; set maintenance_work_mem = '512MB'`)
    await connection.query({ text: sql, values, query_timeout: longestMs })
    await connection.query('reset statement_timeout; reset maintenance_work_mem')
  } finally {
    await db.client.releaseConnection(connection)
  }
}
