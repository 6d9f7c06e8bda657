import type { Abortable } from './clock.ts'

/**
 * Joins two signals: it is aborted as soon as one of them is. It holds both and adds its listeners to both, because
 * `AbortSignal.any` holds its sources weakly and loses an `AbortSignal.timeout` that nothing else refers to.
 */
export function eitherOf(one: Abortable | undefined, other: Abortable | undefined): Abortable | undefined {
  if (!one || !other || one === other) return one ?? other
  const both = [one, other]
  const first = () => both.find(({ aborted }) => aborted)
  return {
    get aborted() {
      return first() !== undefined
    },
    get reason() {
      return first()?.reason
    },
    addEventListener(type, listener) {
      for (const signal of both) signal.addEventListener(type, listener)
    },
    removeEventListener(type, listener) {
      for (const signal of both) signal.removeEventListener(type, listener)
    },
  }
}
