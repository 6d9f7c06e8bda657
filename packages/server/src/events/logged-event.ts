import type { LoggedEvent } from '@msgctl/contract'
import type { LoggedRow } from './log-store.ts'

/** An event as the log and the stream show it. What is stored was held against the contract when it was appended. */
export function toLoggedEvent({ id, event, data, happenedAt }: LoggedRow): LoggedEvent {
  return { id, event, data, timestamp: happenedAt.toISOString() } as LoggedEvent
}
