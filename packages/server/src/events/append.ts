import type { EventData, EventKind } from '@msgctl/contract'
import type { Db } from '../db/db.ts'

/** An event that happened to an organization; its audience is decided here, when it happens. */
export type NewEvent = {
  [K in EventKind]: {
    readonly organizationId: string
    readonly event: K
    readonly data: EventData<K>
    /** The message it is about, for the message's timeline. */
    readonly messageId?: string
  }
}[EventKind]
