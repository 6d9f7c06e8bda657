/** The longest that one pause may close a lane. A network that asks for more is tried again after this. */
const longestPause = "interval '1 hour'"
/** A gate never lies further ahead: a pause, and what the pace adds to it. */
const furthestGate = "interval '1 hour 2 minutes'"

/** Returns SQL of the end of a pause, at most an hour from now; null stays null. */
export function boundedPause(until: string): string {
  return `case when ${until} is not null then least(${until}, (select service_now()) + ${longestPause}) end`
}

/**
 * Returns SQL of a gate as a claim reads it. A gate further ahead than any pause was written by a wrong clock. It
 * counts as open: otherwise its number would be silent until that time.
 */
export function standingGate(gate: string): string {
  return (
    `case when ${gate} <= (select service_now()) + ${furthestGate} then ` +
    `greatest(${gate}, 'epoch') else 'epoch' end`
  )
}
