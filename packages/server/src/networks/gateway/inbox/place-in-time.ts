const secondMs = 1000
/** The network delivers live messages within this time; what comes later was waiting for the number to be online. */
const liveWithinMs = 60_000
/** An event that is older than the last one by more than this arrived out of order and keeps its own time. */
const orderedWithinMs = 10_000

/**
 * Returns the time of an event in the order of arrival, in milliseconds of the network's clock. The network gives whole
 * seconds: what arrives live is placed inside its second by its arrival, and never at or before what came before it, so
 * that STOP and START of one second are applied in their order. What waited keeps its second, and a time with
 * milliseconds is kept.
 */
export function placeInTime(event: {
  /** The network's time. */
  readonly atMs: number
  /** When it arrived here. */
  readonly arrivedMs: number
  /** The time of the event before, after it was placed; null for the first. */
  readonly lastMs: number | null
}): number {
  const { lastMs } = event
  const placedMs = insideSecond(event.atMs, event.arrivedMs)
  if (lastMs === null || placedMs > lastMs || lastMs - placedMs > orderedWithinMs) return placedMs
  return lastMs + 1
}

function insideSecond(atMs: number, arrivedMs: number): number {
  if (atMs % secondMs !== 0) return atMs
  if (arrivedMs - atMs > liveWithinMs) return atMs
  return Math.min(Math.max(arrivedMs, atMs), atMs + secondMs - 1)
}
