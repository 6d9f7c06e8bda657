/**
 * SQL: the lowest id of version 7 that was made a day after `moment` or later. Such an id begins with its time, so
 * everything older stands before it in the primary key. The day allows for clocks that differ; compare the time itself
 * too.
 */
export function firstIdAt(moment: string): string {
  return (
    `(lpad(to_hex((extract(epoch from ${moment} + interval '1 day') * 1000)::int8), 12, ` +
    `'0') || repeat('0', 20))::uuid`
  )
}
