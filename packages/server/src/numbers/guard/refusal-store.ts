import { type Db, rows } from '#platform/db/db.ts'

/** A message that the network refused because of its recipient. */
export interface RefusedMessage {
  readonly organizationId: string
  readonly containerId: string
  readonly messageId: string
}

/**
 * Records that the network refused the recipient of a message, and returns how many people it refused to the number
 * within the last hour. Messages that the guard rules do not count are not counted here either.
 */
export async function noteRefusedPerson(db: Db, message: RefusedMessage): Promise<number> {
  const [{ people } = { people: 0 }] = await rows<{ people: number }>(
    db,
    `with noted as (
       update guard_sends set refused_at = (select service_now())
        where organization_id = :organizationId and container_id = :containerId and message_id = :messageId
          and at > (select service_now()) - interval '1 hour'
       returning recipient)
     select count(distinct recipient) as people from (
       select recipient from noted union all
       select recipient from guard_sends
        where organization_id = :organizationId and container_id = :containerId
          and refused_at > (select service_now()) - interval '1 hour') refused`,
    { ...message },
  )
  return people
}

/** Lets a number begin no conversations until a time; an earlier time than the stored one changes nothing. */
export async function pauseNewChats(
  db: Db,
  { organizationId, containerId }: Pick<RefusedMessage, 'organizationId' | 'containerId'>,
  until: Date,
): Promise<void> {
  await rows(
    db,
    `insert into number_guards (container_id, organization_id, paused_until)
     select id, organization_id, :until from numbers where id = :containerId and organization_id = :organizationId
     on conflict (container_id) do update
        set paused_until = greatest(number_guards.paused_until, excluded.paused_until)`,
    { organizationId, containerId, until },
  )
}

/** Lets these numbers begin conversations again. */
export async function endPauses(trx: Db, containerIds: readonly string[]): Promise<void> {
  if (containerIds.length === 0) return
  await rows(trx, 'update number_guards set paused_until = null where container_id = any(:containerIds::uuid[])', {
    containerIds,
  })
}
