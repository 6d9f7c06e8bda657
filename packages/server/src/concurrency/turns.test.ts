import { describe, expect, it } from 'vitest'
import { semaphore } from './turns.ts'

/** Works that end when they are told to, and how many of them run. */
function works() {
  const ends: (() => void)[] = []
  return {
    ends,
    work: () => new Promise<number>((resolve) => ends.push(() => resolve(ends.length))),
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('taking turns', () => {
  it('runs so many at once, and the next in the order they came', async () => {
    const inTurn = semaphore({ limit: 2, maxQueued: 10, retryAfterSeconds: 5 })
    const { ends, work } = works()
    const all = Array.from({ length: 4 }, () => inTurn(work))
    await settled()
    expect(ends).toHaveLength(2)
    ends[0]?.()
    await settled()
    expect(ends).toHaveLength(3)
    for (let i = 1; i < 4; i++) {
      ends[i]?.()
      await settled()
    }
    await Promise.all(all)
  })

  it('sends away who comes when too many wait, and lets them in later', async () => {
    const inTurn = semaphore({ limit: 1, maxQueued: 1, retryAfterSeconds: 5 })
    const { ends, work } = works()
    const [first, second, third] = [inTurn(work), inTurn(work), inTurn(work)]
    await expect(third).rejects.toMatchObject({ code: 'SERVICE_BUSY', details: { retryAfterSeconds: 5 } })
    ends[0]?.()
    await first
    await settled()
    ends[1]?.()
    await second
    expect(await inTurn(async () => 'in')).toBe('in')
  })

  it('goes on after a work that failed', async () => {
    const inTurn = semaphore({ limit: 1, maxQueued: 1, retryAfterSeconds: 5 })
    const failing = inTurn(() => Promise.reject(new Error('it failed')))
    const after = inTurn(async () => 'after')
    await expect(failing).rejects.toThrow('it failed')
    expect(await after).toBe('after')
  })
})
