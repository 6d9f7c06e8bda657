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

/** Returns the value of a store and renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, render] = useState({})
  useEffect(() => store.subscribe(() => render({})), [store])
  return store.get()
}
