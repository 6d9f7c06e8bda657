import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** A person who wrote to a number: the digits or the hidden id. */
export interface Writer {
  readonly organizationId: string
  readonly containerId: string
  readonly address: string
}

/** A held message to a person who wrote. */
export interface HeldReply {
  readonly id: string
  readonly containerId: string
}

/** Returns the held messages of each number to those who wrote to it, by either of their addresses. */
export async function findHeldReplies(db: Db, writers: readonly Writer[]): Promise<HeldReply[]> {
  return rows<HeldReply>(
    db,
    `select m.id, m.container_id
       from (select distinct * from unnest(:organizationIds::uuid[], :containerIds::uuid[], :addresses::text[])
               as given(organization_id, container_id, address)) writer
      cross join lateral (
              (select phone, lid from contacts where organization_id = writer.organization_id
                  and phone = writer.address)
              union all
              (select phone, lid from contacts where organization_id = writer.organization_id and lid = writer.address)
              limit 1) person
      cross join lateral unnest(array[person.phone, person.lid]) as known(recipient)
       join messages m on m.organization_id = writer.organization_id and m.container_id = writer.container_id
             and m.status = 'queued' and m.guard_rule is not null and m.recipient = known.recipient
      where m.due_at > (select service_now())`,
    {
      organizationIds: writers.map((writer) => writer.organizationId),
      containerIds: writers.map((writer) => writer.containerId),
      addresses: writers.map((writer) => writer.address),
    },
  )
}

/** Lets held messages be judged again now. Works in a transaction, and locks the lanes first, as a claim does. */
export async function releaseHeld(trx: Db, held: readonly HeldReply[]): Promise<void> {
  const containerIds = [...new Set(held.map(({ containerId }) => containerId))]
  await rows(
    trx,
    `update lanes set next_claim_at = least(next_claim_at, (select service_now()))
      where container_id in (select container_id from lanes where container_id = any(:containerIds::uuid[])
                              order by container_id for update)`,
    { containerIds },
  )
  await rows(
    trx,
    `update messages set due_at = (select service_now()), queue_at = created_at
      where id = any(:ids::uuid[]) and status = 'queued' and guard_rule is not null
        and due_at > (select service_now())`,
    { ids: held.map(({ id }) => id) },
  )
  afterCommit(trx, 'lanes')
}
