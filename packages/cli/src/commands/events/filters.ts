import type { EventKind } from '@msgctl/contract'
import type { Column } from '../../output/columns.ts'
import { kindsFrom } from './kinds.ts'

/** What of an event people see in a list. */
export const eventColumns: readonly Column[] = [
  { field: 'timestamp', title: 'When' },
  { field: 'event', title: 'Event' },
  { field: 'data.recipient', title: 'To' },
  { field: 'data.sender', title: 'From' },
  { field: 'data.messageId', title: 'Message' },
  { field: 'id', title: 'Event id' },
]

/** The options that choose events. */
export interface EventFilters {
  readonly types?: string
  readonly after?: string
}

/** The same as the service takes them. Throws a usage failure for a kind that there is none of. */
export function toEventInput({ types, after }: EventFilters): { types?: EventKind[]; after?: string } {
  return { ...(types !== undefined && { types: kindsFrom(types) }), ...(after !== undefined && { after }) }
}
