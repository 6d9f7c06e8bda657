/** The lines of the commands that show what happens. */
export const observingLines: readonly string[] = [
  'msgctl top --once',
  'msgctl open --print',
  'msgctl messages queue # queued',
  'msgctl stats',
  'msgctl limits',
  'msgctl events tail --limit 1 --after $event',
  'msgctl events list --after $event',
  'msgctl events replay $event # hook',
  'msgctl tail events --limit 1 --after $event',
]
