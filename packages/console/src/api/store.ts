import { useEffect, useState } from 'preact/hooks'

/** A value outside of components, with listeners. */
export interface Store<T> {
  get(): T
  set(next: T): void
  subscribe(listener: () => void): () => void
}

/** Creates a store that holds `value`. Listeners run only when the value changes. */
export function createStore<T>(value: T): Store<T> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Calls `listener` when a store changes, and at once if it has changed since `seen` was read from it: a component reads
 * while it renders and subscribes only after the browser has painted. Returns a function that ends it.
 */
export function follow<T>(store: Store<T>, seen: T, listener: () => void): () => void {
  const end = store.subscribe(listener)
  if (!Object.is(store.get(), seen)) listener()
  return end
}

/** Returns the value of a store and renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, render] = useState({})
  const value = store.get()
  useEffect(() => follow(store, value, () => render({})), [store])
  return value
}
