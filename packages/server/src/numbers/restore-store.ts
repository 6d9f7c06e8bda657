import { type Db, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** A number whose queue is held until its organization releases it. */
export interface HeldQueue extends Pick<Row<'numbers'>, 'organizationId' | 'label' | 'phoneNumber' | 'instanceName'> {
  readonly organization: string
  readonly containerId: string
  /** How many messages wait in it. */
  readonly messages: number
  /** When the oldest of them was accepted. */
  readonly oldestAt: Date
  readonly heldAt: Date
}

/** Holds the queue of every number on which messages wait, of all organizations. Returns them by organization. */
export async function holdWaitingQueues(trx: Db): Promise<HeldQueue[]> {
  return rows<HeldQueue>(
    trx,
    `with waiting as (
       select organization_id, container_id, count(*)::int as messages, min(created_at) as oldest_at
         from messages where status = 'queued' group by 1, 2
     ), held as (
       update numbers n set queue_held_at = (select service_now())
         from waiting w where n.organization_id = w.organization_id and n.id = w.container_id
       returning n.organization_id, n.id, n.label, n.phone_number, n.instance_name, n.queue_held_at, w.messages,
                 w.oldest_at
     )
     select held.organization_id, o.name as organization, held.id as container_id, held.label, held.phone_number,
            held.instance_name, held.messages, held.oldest_at, held.queue_held_at as held_at
       from held join organizations o on o.id = held.organization_id
      order by o.name, held.organization_id, held.label, held.id`,
  )
}
