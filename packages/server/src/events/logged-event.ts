import type { LoggedEvent } from '@msgctl/contract'
import type { LoggedRow } from './log-store.ts'

/** Returns an event as the log and the streams show it. Its data was validated when it was appended. */
export function toLoggedEvent({ id, event, data, happenedAt }: LoggedRow): LoggedEvent {
  return { id, event, data, timestamp: happenedAt.toISOString() } as LoggedEvent
}
