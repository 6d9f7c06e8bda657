import { describe, expect, it } from 'vitest'
import { KeyCache, KeyCaches } from './key-cache.ts'
import { contactKind, kindNumber } from './key-kinds.ts'

describe('the cache of keys', () => {
  it('drops what was not used for longest, and nothing that is stored nowhere else', () => {
    const cache = new KeyCache(2, (name) => name === 'uncommitted')
    cache.set('uncommitted', 1)
    cache.set('a', 2)
    cache.set('b', 3)
    expect([cache.has('uncommitted'), cache.has('a'), cache.has('b')]).toEqual([true, false, true])
  })

  it('keeps the sessions while a phone shares the names, the pairs of addresses and the tokens of 5,000 people', () => {
    const cache = new KeyCaches(2000, () => false)
    const [session, pair, token] = [kindNumber('session'), kindNumber('lid-mapping'), kindNumber('tctoken')]
    for (let person = 0; person < 1000; person++) cache.set(`${session}/${person}`, person)
    for (let person = 0; person < 5000; person++) {
      for (const kind of [contactKind, pair, token]) cache.set(`${kind}/${person}`, person)
    }
    const kept = Array.from({ length: 1000 }, (_, person) => cache.get(`${session}/${person}`))
    expect(kept).toEqual(Array.from({ length: 1000 }, (_, person) => person))
    expect([cache.has(`${contactKind}/0`), cache.has(`${contactKind}/4999`)]).toEqual([false, true])
    cache.clear()
    expect(cache.has(`${session}/0`)).toBe(false)
  })
})
