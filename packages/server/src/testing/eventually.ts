const everyMs = 10
/** Ends a test that hangs, also on a machine that is busy with other work. */
const hangsAfterMs = 45_000

/**
 * Polls `read` until `enough` accepts its result, and returns that result. Only for what another part of the service
 * does by itself; a rule of time is tested by moving the clock. Fails with the last result after `withinMs` (default:
 * 45 s).
 */
export async function eventually<T>(
  read: () => Promise<T>,
  enough: (result: T) => boolean,
  withinMs = hangsAfterMs,
): Promise<T> {
  for (const until = performance.now() + withinMs; ; ) {
    const result = await read()
    if (enough(result)) return result
    if (performance.now() > until) throw new Error(`it did not come about; last seen: ${JSON.stringify(result)}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
