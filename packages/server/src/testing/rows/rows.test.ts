import { afterEach, describe, expect, it } from 'vitest'
import { listKeyHashes } from '#api/access/key-store.ts'
import { hasRoom as hasDirectRoom } from '#networks/gateway/direct/store.ts'
import { hasRoom as hasWahaRoom } from '#networks/gateway/waha/host-store.ts'
import { newId } from '#platform/db/new-id.ts'
import { rowWatch } from '#platform/db/row-watch.ts'
import { readServiceTime } from '#process/check/clock-store.ts'
import { readHosting } from '#process/check/phones/pair-store.ts'
import { testDatabase } from '#testing/database.ts'
import { mismatchOf } from './mismatch.ts'
import type { ValueType } from './types.ts'
import { declaredRows, watchRows } from './watch.ts'

const { db } = await testDatabase()
const { begin } = rowWatch

afterEach(() => {
  Object.assign(rowWatch, { begin })
})

const none = { kinds: [], literals: [], items: [], objects: [] } satisfies ValueType
const types: ValueType[] = [
  { ...none, kinds: ['string'] },
  { ...none, kinds: ['number'] },
  { ...none, kinds: ['Date'] },
  { ...none, kinds: ['Date', 'null'] },
  { ...none, literals: ['in', 'out'] },
  { ...none, items: [1] },
  { ...none, objects: [{ members: { errorCode: [0, false], at: [1, true] } }] },
]

/** What is wrong with the result of a statement whose rows shall have one column, `dueAt`, of this type. */
async function judge(sql: string, type: number): Promise<string | undefined> {
  const row: ValueType = { ...none, objects: [{ members: { dueAt: [type, false] } }] }
  const { fields, rows } = await db.raw(sql)
  return mismatchOf({ types: [...types, row] }, types.length, fields, rows)
}

describe('rows', () => {
  it.each([
    ['another name', 'select now() as due', 2, 'dueAt is declared, but the columns are due'],
    ['another type', 'select now() as due_at', 0, 'dueAt is Date, but declared string'],
    ['another type, without a row', 'select now() as due_at limit 0', 1, 'dueAt is Date, but declared number'],
    ['a null', 'select null::timestamptz as due_at', 2, 'dueAt is null, but declared Date'],
    ['a value that no literal is', `select 'up' as due_at`, 4, 'dueAt is "up", but declared "in" | "out"'],
    [
      'items of another type',
      `select '{x}'::text[] as due_at`,
      5,
      'dueAt is an array of string, but declared (number)[]',
    ],
    ['JSON of another form', `select '{"at": 1}'::json as due_at`, 6, 'dueAt.errorCode is missing'],
    [
      'JSON of another type',
      `select '{"errorCode": 1}'::json as due_at`,
      6,
      'dueAt.errorCode is number, but declared string',
    ],
  ])('are refused with %s', async (_what, sql, type, found) => {
    expect(await judge(sql, type)).toBe(found)
  })

  it.each([
    ['a null that is declared', 'select null::timestamptz as due_at', 3],
    ['a literal', `select 'in' as due_at`, 4],
    ['a list', 'select array[1, 2] as due_at', 5],
    ['an object without what is optional', `select '{"errorCode": "x"}'::jsonb as due_at`, 6],
  ])('are accepted with %s', async (_what, sql, type) => {
    expect(await judge(sql, type)).toBeUndefined()
  })

  // Operators of several installations execute them, and hosts of real networks.
  it('are compared for the statements that no other test executes', async () => {
    expect(await listKeyHashes(db, newId())).toEqual([])
    expect(await readHosting(db, newId())).toBeUndefined()
    expect([await hasDirectRoom(db), await hasWahaRoom(db)]).toEqual([true, true])
  })

  it('are compared with the type that the call in the source declares', async () => {
    const file = 'packages/server/src/process/check/clock-store.ts'
    const watched = watchRows({
      types: [...types, { ...none, objects: [{ members: { now: [0, false] } }] }],
      sites: declaredRows().sites.map((site) => (site.file === file ? { ...site, type: types.length } : site)),
    })
    await readServiceTime(db)
    const place = `${file.replaceAll('.', '\\.')}:\\d+:\\d+`
    const text = new RegExp(`^Rows differ from their declared type:\n${place}: now is Date, but declared string$`)
    expect(() => watched.requireDeclared()).toThrow(text)
    watched.requireDeclared()
  })
})
