import type { Clock } from '#platform/db/clock.ts'

const dayMs = 86_400_000

/** Moves the clock to the next noon, UTC, so that no day begins while a test counts what is left of one. */
export async function advanceToNoon(clock: Clock): Promise<void> {
  const now = clock.now().getTime()
  await clock.advance(((dayMs * 1.5 - (now % dayMs)) % dayMs) / 1000)
}
