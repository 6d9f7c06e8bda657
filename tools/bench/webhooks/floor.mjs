// The least that durable deliveries cost: each is a row, claimed with a lease and written when it is delivered, both in
// batches. No order, no second attempt, no limit for each receiver, no log.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { nthOf } from '../support/harness.mjs'
import { bodiesOf, connections, postsPerSecond } from './post.mjs'

/** @import { Pool } from 'pg' */

const batch = 500
/** How long a result waits for others where a batch is not full. */
const waitMs = 10
const nil = '00000000-0000-0000-0000-000000000000'

const claim = {
  name: 'claim',
  text: `update floor_deliveries set lease_token = $2, lease_until = now() + interval '30 s'
          where id = any(array(select id from floor_deliveries
                                where status = 'pending' and id > $1 and (lease_until is null or lease_until < now())
                                order by id limit ${batch} for update skip locked))
         returning id, body::text as body`,
}
const finish = {
  name: 'finish',
  text: `update floor_deliveries d
            set status = 'delivered', attempts = d.attempts + 1, last_status = o.status, finished_at = now(),
                lease_token = null, lease_until = null
           from unnest($1::uuid[], $2::int[]) as o(id, status)
          where d.id = o.id and d.lease_token = $3`,
}

/** @typedef {{ id: string, body: string }} Delivery */

/**
 * Makes the table, and returns a function that delivers `count` to these addresses and returns how many a second.
 * @param {string} connectionString
 * @param {number} count
 */
export async function openFloor(connectionString, count) {
  const pool = new pg.Pool({ connectionString, max: 10 })
  pool.on('error', () => {})
  await pool.query(
    `create table floor_deliveries (
       id uuid primary key, body jsonb not null, status text not null, attempts int not null, last_status int,
       lease_token uuid, lease_until timestamptz, finished_at timestamptz) with (fillfactor = 50)`,
  )
  await pool.query(`create index on floor_deliveries (id) where status = 'pending'`)
  return {
    /** @param {string[]} urls */
    async measure(urls) {
      await store(pool, count)
      const rate = await postsPerSecond(count, (post) => deliver(pool, urls, post))
      const { rows } = await pool.query(`select 1 from floor_deliveries where status <> 'delivered' limit 1`)
      if (rows.length > 0) throw new Error('the floor left deliveries')
      return rate
    },
    stop: () => pool.end(),
  }
}

/** @param {Pool} pool @param {number} count */
async function store(pool, count) {
  const bodies = bodiesOf(count)
  await pool.query('truncate floor_deliveries')
  await pool.query({
    text: `insert into floor_deliveries (id, body, status, attempts)
           select id, body, 'pending', 0 from unnest($1::uuid[], $2::jsonb[]) as t(id, body)`,
    // In the order of their ids, as they would be with ids of our own.
    values: [bodies.map((_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`), bodies],
  })
  await pool.query('vacuum analyze floor_deliveries')
}

/**
 * @param {Pool} pool
 * @param {string[]} urls
 * @param {(url: string, body: string) => Promise<number>} post
 */
async function deliver(pool, urls, post) {
  const token = randomUUID()
  /** @type {Delivery[]} */
  const waiting = []
  /** @type {{ id: string, status: number }[]} */
  const done = []
  /** The id of the last claimed one; null when all are claimed. */
  let last = /** @type {string | null} */ (nil)
  /** @type {Promise<void> | undefined} */
  let filling
  /** @type {Promise<void> | undefined} */
  let writing
  let posted = 0

  async function fill() {
    const { rows } = await pool.query({ ...claim, values: [last, token] })
    const claimed = /** @type {Delivery[]} */ (rows)
    waiting.push(...claimed)
    const ids = claimed.map(({ id }) => id).sort()
    last = ids.at(-1) ?? null
    filling = undefined
  }

  async function write() {
    while (done.length > 0) {
      const some = done.splice(0, batch)
      await pool.query({ ...finish, values: [some.map(({ id }) => id), some.map(({ status }) => status), token] })
      if (done.length < batch) await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
    writing = undefined
  }

  async function keepPosting() {
    for (;;) {
      if (waiting.length < batch && last !== null) filling ??= fill()
      const next = waiting.shift()
      if (next === undefined) {
        if (last === null) return
        await filling
        continue
      }
      const status = await post(nthOf(urls, posted++), next.body)
      done.push({ id: next.id, status })
      writing ??= write()
    }
  }

  await Promise.all(Array.from({ length: connections }, keepPosting))
  await writing
}
