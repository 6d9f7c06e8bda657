/**
 * A property that begins no further run once `milliseconds` have passed since its first. fast-check's own
 * `interruptAfterTimeLimit` drops the run that is under way, which then goes on beside the tests that follow
 * and whose failure nobody sees.
 */
export function endToEndFlows<T>(milliseconds: number, walk: (path: T) => Promise<void>): (path: T) => Promise<void> {
  let end: number | undefined
  return async (path) => {
    end ??= performance.now() + milliseconds
    if (performance.now() < end) await walk(path)
  }
}
