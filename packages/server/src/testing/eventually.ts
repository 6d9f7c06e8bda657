const everyMs = 10
const withinMs = 15_000

/**
 * Polls `ask` until `enough` accepts its result, and returns that result. Only for what another part of the service does
 * by itself; a rule of time is tested by moving the clock. Fails with the last result after 15 s.
 */
export async function eventually<T>(ask: () => Promise<T>, enough: (answer: T) => boolean): Promise<T> {
  for (const until = performance.now() + withinMs; ; ) {
    const answer = await ask()
    if (enough(answer)) return answer
    if (performance.now() > until) throw new Error(`it did not come about; last seen: ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
