import type { GatewaySession } from '@msgctl/network/gateway'
import { type Db, rows } from '#platform/db/db.ts'

/** An indicator that is not ended disappears from the phone after this long. */
const shownSeconds = 15

/** Shows a person that a number types, or ends that. */
export async function saveTyping(db: Db, session: GatewaySession, chat: string, on: boolean): Promise<void> {
  const { containerId, organizationId } = session
  await rows(
    db,
    `with past as (
       delete from sim_typing
        where container_id = :containerId and chat <> :chat and until < (select service_now())
     )
     insert into sim_typing (container_id, chat, organization_id, since, until)
     select :containerId, :chat, :organizationId, now, now + :seconds * interval '1 second'
       from (select service_now() as now) c
     on conflict (container_id, chat) do update set since = excluded.since, until = excluded.until`,
    { containerId, organizationId, chat, seconds: on ? shownSeconds : 0 },
  )
}
