import { describe, expect, it } from 'vitest'
import { KeyCache } from './key-cache.ts'

describe('the cache of keys', () => {
  it('drops what was not used for longest, and nothing that is stored nowhere else', () => {
    const cache = new KeyCache(2, (name) => name === 'uncommitted')
    cache.set('uncommitted', 1)
    cache.set('a', 2)
    cache.set('b', 3)
    expect([cache.has('uncommitted'), cache.has('a'), cache.has('b')]).toEqual([true, false, true])
  })
})
