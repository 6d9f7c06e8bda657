import { describe, expect, it } from 'vitest'
import type { Db } from './db.ts'
import { withPoolQuota } from './pool-quota.ts'

const db = { client: { pool: { max: 20 } } } as unknown as Db
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Works that end when they are told to, in the order in which they began. */
function works(name: string, count: number) {
  const ends: ((error?: Error) => void)[] = []
  const all = Array.from({ length: count }, (_, n) =>
    withPoolQuota(
      db,
      name,
      () => new Promise<number>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve(n)))),
    ),
  )
  return { ends, all: Promise.allSettled(all) }
}

describe('works of one name', () => {
  it('take two in five connections, the others in the order they came, also after one that failed', async () => {
    const { ends, all } = works('a', 15)
    await settled()
    expect(ends).toHaveLength(8)
    ends[0]?.()
    ends[1]?.(new Error('it failed'))
    await settled()
    expect(ends).toHaveLength(10)
    for (let n = 2; n < 15; n++) {
      ends[n]?.()
      await settled()
    }
    const told = (await all).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'))
    expect(told).toEqual([0, 'failed', 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
  })

  it('do not hold up those of another', async () => {
    const one = works('one', 9)
    const other = works('other', 1)
    await settled()
    expect([one.ends.length, other.ends.length]).toEqual([8, 1])
    for (const { ends } of [one, other]) for (const end of ends) end()
    await settled()
    one.ends[8]?.()
    await Promise.all([one.all, other.all])
  })
})
