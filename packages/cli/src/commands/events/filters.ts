import type { EventKind } from '@msgctl/contract'
import type { Column } from '../../output/columns.ts'
import { kindsFrom } from './kinds.ts'

/** The columns of an event. */
export const eventColumns: readonly Column[] = [
  { field: 'timestamp', title: 'When' },
  { field: 'event', title: 'Event' },
  { field: 'data.recipient', title: 'To' },
  { field: 'data.sender', title: 'From' },
  { field: 'data.messageId', title: 'Message' },
  { field: 'id', title: 'Event id' },
]

/** The options that select events. */
export interface EventFilters {
  readonly types?: string
  readonly after?: string
}

/** Converts the options to the input of the API. Throws a usage error for an unknown kind. */
export function toEventInput({ types, after }: EventFilters): { types?: EventKind[]; after?: string } {
  return { ...(types !== undefined && { types: kindsFrom(types) }), ...(after !== undefined && { after }) }
}
