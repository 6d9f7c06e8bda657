import { expect, it } from 'vitest'
import type { Db } from './db.ts'
import { withPoolQuota } from './pool-quota.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('gives the tasks of one name two in five connections, and never less than one', async () => {
  const begun: Record<string, number> = {}
  const start = (db: Db, name: string) =>
    void withPoolQuota(db, name, () => {
      begun[name] = (begun[name] ?? 0) + 1
      return new Promise(() => undefined)
    })
  const [large, small] = [20, 1].map((max) => ({ client: { pool: { max } } }) as unknown as Db)
  for (let n = 0; n < 15; n++) {
    if (large) start(large, 'one')
    if (small) start(small, 'of a small pool')
  }
  if (large) start(large, 'other')
  await settled()
  expect(begun).toEqual({ one: 8, other: 1, 'of a small pool': 1 })
})
