import { messageStatuses, messageTypes } from '@msgctl/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Db, rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { testDatabase } from '#testing/database.ts'
import { storeMessages } from '#testing/stored-messages.ts'
import { countByType, countRecent, rollUpCounts } from './counter-store.ts'
import { everyMessage, listAfter, listFrom } from './list-store.ts'
import { searchHistory } from './search.ts'
import { copyTexts } from './text-store.ts'

const { db } = await testDatabase()
const large = newId()

beforeAll(async () => {
  for (const [n, status] of messageStatuses.entries()) {
    for (const [t, type] of messageTypes.entries()) {
      const count = Math.ceil(10_000 / (1 + n * 3 + t))
      await storeMessages(db, large, {
        type,
        status,
        count,
        spacingMs: 60_000,
        ageMs: 3_600_000,
        content: `${status} {n}`,
      })
    }
  }
  await copyTexts(db)
  // Small organizations around a large one; all statistics are there, as they are in a service that has run for a
  // while. Together they are so many that no filter of the large one asks for a share of the table worth reading it
  // whole.
  for (let n = 0; n < 30; n += 1) await storeMessages(db, newId(), { count: 4000, spacingMs: 1000, ageMs: 3_600_000 })
  await rollUpCounts(db, 1000)
  await db.raw('analyze')
})

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

/** Runs `runQueries` and returns the tables that their plans scan whole. */
async function readWhole(runQueries: (db: Db) => Promise<unknown>): Promise<{ statements: number; tables: string[] }> {
  const tables: string[] = []
  let statements = 0
  const walk = (node: PlanNode) => {
    if (node['Node Type'] === 'Seq Scan') tables.push(node['Relation Name'] ?? '')
    for (const below of node.Plans ?? []) walk(below)
  }
  const explaining = (on: Db): Db =>
    new Proxy(on, {
      get(target, name) {
        if (name === 'transaction')
          return (run: (trx: Db) => Promise<unknown>, config: never) =>
            target.transaction((trx) => run(explaining(trx)), config)
        if (name !== 'raw') return Reflect.get(target, name)
        return async (sql: string, bindings: never) => {
          const [explained] = (await target.raw(`explain (format json) ${sql}`, bindings)).rows
          statements += 1
          walk(explained['QUERY PLAN'][0].Plan)
          return target.raw(sql, bindings)
        }
      },
    })
  await runQueries(explaining(db))
  return { statements, tables }
}

const place = { createdAt: '2020-01-01T00:00:00.000Z', id: newId() }

describe('no query of the history reads the whole table of messages', () => {
  const filters = [null, ...messageTypes].flatMap((type) =>
    [null, ...messageStatuses].map((status) => ({ ...everyMessage(large), type, status })),
  )
  it.each(filters)('list of type $type and status $status', async (filter) => {
    for (const runQueries of [
      (plan: Db) => listFrom(plan, filter, { limit: 51, offset: 0 }),
      (plan: Db) => listFrom(plan, filter, { limit: 51, offset: 5000 }),
      (plan: Db) => listAfter(plan, filter, { limit: 51, place }),
      (plan: Db) => searchHistory(plan, filter, { text: 'nothing', place: null, limit: 100 }),
      (plan: Db) => searchHistory(plan, filter, { text: 'read 77', place: null, limit: 100 }),
      (plan: Db) => searchHistory(plan, filter, { text: 'zz', place, limit: 100 }),
    ]) {
      const { statements, tables } = await readWhole(runQueries)
      expect(statements).toBeGreaterThan(0)
      expect(tables).not.toContain('messages')
    }
  })

  it('counts', async () => {
    const { statements, tables } = await readWhole((plan) =>
      Promise.all([countByType(plan, large), countRecent(plan, large)]),
    )
    expect(statements).toBe(2)
    expect(tables).not.toContain('messages')
  })

  it('would notice one that does', async () => {
    const { tables } = await readWhole((plan) => rows(plan, `select 1 from messages where content = 'x'`))
    expect(tables).toEqual(['messages'])
  })
})
