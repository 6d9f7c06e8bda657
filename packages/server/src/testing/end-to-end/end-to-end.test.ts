import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endToEndFlows } from './end-to-end.ts'

describe('walks for a while', () => {
  it('leaves none under way when the time is over, and begins no other', async () => {
    let begun = 0
    let ended = 0
    const walk = async () => {
      begun += 1
      const over = performance.now() + 20
      while (performance.now() < over) await new Promise((resolve) => setImmediate(resolve))
      ended += 1
    }
    await fc.assert(fc.asyncProperty(fc.nat(), endToEndFlows(10, walk)), { numRuns: 1000 })
    expect({ begun, ended }).toEqual({ begun: 1, ended: 1 })
  })

  it('fails as the walk does', async () => {
    const walk = async (n: number) => expect(n).toBeLessThan(0)
    await expect(fc.assert(fc.asyncProperty(fc.nat(), endToEndFlows(60_000, walk)))).rejects.toThrow('Counterexample')
  })
})
