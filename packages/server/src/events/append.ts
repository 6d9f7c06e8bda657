import { type EventData, type EventKind, events as kinds, unlockedBy } from '@msgctl/contract'
import { v7 as newId } from 'uuid'
import type { Db } from '../db/db.ts'
import { insertEvents } from './store.ts'

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

let contractDemanded = false

/** From now on {@link appendEvents} throws for a payload that the contract does not allow. Tests switch it on. */
export function requireContractOfEvents(): void {
  contractDemanded = true
}

/**
 * Records what happened, in the transaction of the change itself: the event, and its delivery where the organization
 * has a webhook URL. An event that none of the organization's active products may get is not stored (specification,
 * "Event kinds"). Within one organization the events keep the given order.
 *
 * It must be the last statement of the transaction: it takes each organization's place in the event log, in order of
 * organization id, and holds it until the commit. Signal `events` and `deliveries` after the commit.
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
      audience: kinds[event].audience,
    })),
  )
}

/**
 * Records a sample event of any kind for an organization that may use webhooks, whatever kinds its products would get.
 * Like {@link appendEvents} it is the last statement of its transaction. Answers the id of the event.
 */
export async function appendSample<K extends EventKind>(
  trx: Db,
  organizationId: string,
  event: K,
  data: EventData<K>,
): Promise<string> {
  const id = newId()
  const audience = unlockedBy.webhooks.anyOf
  await insertEvents(trx, [{ id, organizationId, event, data, messageId: null, audience }])
  return id
}

function checkPayload({ event, data }: Pick<NewEvent, 'event' | 'data'>): void {
  const parsed = kinds[event].data.safeParse(data)
  if (!parsed.success) throw new Error(`The contract does not allow this data of ${event}: ${parsed.error.message}`)
}
