import fc from 'fast-check'
import { expect, it } from 'vitest'
import { leastOfWindows } from './shingles.ts'

/** The same, with each window read by itself. */
function leastOfEach(hashes: readonly number[], length: number): Set<number> {
  const windows = Array.from({ length: Math.max(1, hashes.length - length + 1) }, (_, from) =>
    hashes.slice(from, from + length),
  )
  return new Set(windows.map((one) => Math.min(...one)))
}

it('chooses the least hash of each window', () => {
  const hashes = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(hashes, (some) => {
      expect(leastOfWindows(some)).toEqual(leastOfEach(some, 16))
    }),
  )
})
