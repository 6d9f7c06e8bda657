import type { ChatKey } from '../chats/message-store.ts'
import { type Db, rows } from '../db/db.ts'
import type { NetworkChange } from '../messages/change-store.ts'

/** Keeps changes until their message is known; of two of one kind the later one. */
export async function keepChanges(db: Db, changes: readonly NetworkChange[]): Promise<void> {
  await rows(
    db,
    `insert into pending_changes as kept (container_id, network_id, kind, text, at, received_at)
     select distinct on (g."containerId", g."networkId", g.kind)
            g."containerId", g."networkId", g.kind, g.text, g.at, (select service_now())
       from jsonb_to_recordset(:given::jsonb) as g("containerId" uuid, "networkId" text, kind text, text text, at timestamptz)
      order by g."containerId", g."networkId", g.kind, g.at desc
     on conflict (container_id, network_id, kind) do update
        set text = excluded.text, at = excluded.at where kept.at < excluded.at`,
    { given: JSON.stringify(changes) },
  )
}

/** Takes the changes of messages that are known by now: of these ids, or of all. */
export async function takeChanges(
  trx: Db,
  ids: readonly { readonly containerId: string; readonly networkId: string }[] | null,
): Promise<NetworkChange[]> {
  return rows<NetworkChange>(
    trx,
    `with waiting as materialized (
       select container_id, network_id, kind from pending_changes
        where :all or (container_id, network_id) in (select * from unnest(:containers::uuid[], :networkIds::text[]))
        order by container_id, network_id, kind for update
     ), known as (
       select w.* from waiting w join chat_messages m on m.container_id = w.container_id and m.network_id = w.network_id
       union
       select w.* from waiting w join messages m on m.container_id = w.container_id and m.gateway_message_id = w.network_id
     )
     delete from pending_changes e using known
      where e.container_id = known.container_id and e.network_id = known.network_id and e.kind = known.kind
     returning e.container_id as "containerId", e.network_id as "networkId", e.kind, e.text, e.at`,
    {
      all: ids === null,
      containers: (ids ?? []).map(({ containerId }) => containerId),
      networkIds: (ids ?? []).map(({ networkId }) => networkId),
    },
  )
}

const given = `jsonb_to_recordset(:given::jsonb) as g("containerId" uuid, "networkId" text, kind text, text text, at timestamptz)`

/** Applies changes to everything else in the chats; answers the conversations in which something was taken back. */
export async function changeChats(
  trx: Db,
  changes: readonly NetworkChange[],
): Promise<(ChatKey & { organizationId: string; read: number })[]> {
  await rows(
    trx,
    `update chat_messages m set text = g.text, edited_at = g.at
       from ${given}
      where g.kind = 'edited' and m.container_id = g."containerId" and m.network_id = g."networkId" and not m.ours
        and coalesce(m.edited_at < g.at, true)`,
    { given: JSON.stringify(changes) },
  )
  return rows(
    trx,
    `with locked as (
       select m.id, m.unread, g.at from chat_messages m
         join ${given} on g.kind = 'revoked' and m.container_id = g."containerId" and m.network_id = g."networkId"
        where not m.ours and m.revoked_at is null order by m.id for update of m
     )
     update chat_messages m set revoked_at = locked.at, unread = false from locked where m.id = locked.id
     returning m.organization_id as "organizationId", m.container_id as "containerId", m.contact_id as "contactId",
               locked.unread::int as read`,
    { given: JSON.stringify(changes) },
  )
}

/** Forgets changes that waited an hour for a message. */
export async function dropStaleChanges(db: Db): Promise<void> {
  await rows(db, `delete from pending_changes where received_at < (select service_now()) - interval '1 hour'`)
}
