import type { EventKind, Product } from '@msgctl/contract'
import { type Db, preparedRows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** An event before it has a position. */
export interface EventRow {
  readonly id: string
  readonly organizationId: string
  readonly event: EventKind
  readonly data: object
  readonly messageId: string | null
  /** The only endpoint to deliver it to; null for every endpoint of the organization that receives its kind. */
  readonly endpointId: string | null
  /** Made by POST /me/webhook/test: delivered, but in no list and no stream. */
  readonly sample: boolean
  /** The products of which one must be active for the event to be stored. */
  readonly audience: readonly Product[]
}

/**
 * Stores events with their positions and deliveries, and those of the campaigns that the transaction completed
 * (function `append_events`). The deliveries are created there, so that an event and its deliveries are stored
 * together; from then on they belong to webhook/.
 */
export async function insertEvents(trx: Db, events: readonly EventRow[]): Promise<void> {
  const numbered = events.map((event, rank) => ({ ...event, rank }))
  await preparedRows(trx, 'select append_events(:events::jsonb)', { events: JSON.stringify(numbered, storable) })
  afterCommit(trx, 'events', 'deliveries')
}

/** Postgres rejects NUL and unpaired surrogates in jsonb. Text from outside must not make the transaction fail. */
function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/[\0\p{Surrogate}]/gu, '\ufffd') : value
}
