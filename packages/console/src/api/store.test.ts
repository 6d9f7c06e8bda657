import { describe, expect, it, vi } from 'vitest'
import { createStore, follow } from './store.ts'

describe('following a store', () => {
  it('notices a change between the read and the subscription', () => {
    const store = createStore<string | null>(null)
    const seen = store.get()
    store.set('the first overview')
    const listener = vi.fn()
    follow(store, seen, listener)
    expect(listener).toHaveBeenCalledOnce()
  })

  it('reports later changes only, where nothing has changed', () => {
    const store = createStore(1)
    const listener = vi.fn()
    const end = follow(store, store.get(), listener)
    expect(listener).not.toHaveBeenCalled()
    store.set(2)
    store.set(2)
    end()
    store.set(3)
    expect(listener).toHaveBeenCalledOnce()
  })
})
