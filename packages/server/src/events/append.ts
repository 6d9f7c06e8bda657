import { type EventData, type EventKind, events as kinds } from '@msgctl/contract'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { insertEvents } from './store.ts'

/** An event of an organization. The products that it has when the event happens decide whether it is stored. */
export type NewEvent = {
  [K in EventKind]: {
    readonly organizationId: string
    readonly event: K
    readonly data: EventData<K>
    /** The message it is about, for the message's timeline. */
    readonly messageId?: string
  }
}[EventKind]

let contractDemanded = false

/** Makes {@link appendEvents} throw from now on for data that the contract does not allow. For tests. */
export function requireContractOfEvents(): void {
  contractDemanded = true
}

/**
 * Stores events in the transaction of their change, each with a delivery for every webhook endpoint that receives its
 * kind. An event that none of the organization's active products receives is not stored (specification, "Event kinds").
 * The events of one organization keep the given order.
 *
 * Must be the last statement of the transaction: it locks each organization's row of event positions until the commit,
 * in the order of organization ids.
 */
export async function appendEvents(trx: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  if (contractDemanded) for (const event of events) checkPayload(event)
  await insertEvents(
    trx,
    events.map(({ organizationId, event, data, messageId }) => ({
      id: newId(),
      organizationId,
      event,
      data,
      messageId: messageId ?? null,
      endpointId: null,
      sample: false,
      audience: kinds[event].audience,
    })),
  )
}

/**
 * Plans the delivery of a sample event to one endpoint, whatever kinds it has chosen. No list and no stream of events
 * contains it. Returns its id. Like {@link appendEvents}, it must be the last statement of its transaction.
 */
export async function appendSample<K extends EventKind>(
  trx: Db,
  { organizationId, endpointId }: { readonly organizationId: string; readonly endpointId: string },
  event: K,
  data: EventData<K>,
): Promise<string> {
  const id = newId()
  const { audience } = kinds[event]
  await insertEvents(trx, [{ id, organizationId, event, data, messageId: null, endpointId, sample: true, audience }])
  return id
}

function checkPayload({ event, data }: Pick<NewEvent, 'event' | 'data'>): void {
  const parsed = kinds[event].data.safeParse(data)
  if (!parsed.success) throw new Error(`The contract does not allow this data of ${event}: ${parsed.error.message}`)
}
