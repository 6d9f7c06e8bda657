/**
 * Returns a property that begins no further run once `milliseconds` have passed since its first. fast-check's own
 * `interruptAfterTimeLimit` abandons the current run: it continues beside the next tests, and its failure is lost.
 */
export function endToEndFlows<T>(milliseconds: number, walk: (path: T) => Promise<void>): (path: T) => Promise<void> {
  let end: number | undefined
  return async (path) => {
    end ??= performance.now() + milliseconds
    if (performance.now() < end) await walk(path)
  }
}
