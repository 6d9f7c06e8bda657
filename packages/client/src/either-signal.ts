import type { Abortable } from './clock.ts'

/**
 * Joins two signals: the result is aborted as soon as one of them is. It keeps references to both. `AbortSignal.any`
 * would hold them weakly and lose an `AbortSignal.timeout` without other references.
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
