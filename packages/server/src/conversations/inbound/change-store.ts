import type { MessageChange } from '#conversations/records/change-store.ts'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'

/** SQL condition: whether there are changes whose message is not known. */
export const hasPendingChanges = 'exists (select from pending_changes)'

/** Stores changes until their message is known. Of two of one kind, the later one is kept. */
export async function insertPendingChanges(db: Db, changes: readonly MessageChange[]): Promise<void> {
  await rows(
    db,
    `insert into pending_changes as kept (container_id, network_id, kind, text, authors, at, received_at)
     select distinct on (g."containerId", g."networkId", g.kind)
            g."containerId", g."networkId", g.kind, g.text, g.authors, g.at,
            (select service_now())
       from jsonb_to_recordset(:given::jsonb) as g("containerId" uuid, "networkId" text, kind text, text text,
           authors text[], at timestamptz)
      order by g."containerId", g."networkId", g.kind, g.at desc
     on conflict (container_id, network_id, kind) do update
        set text = excluded.text, authors = excluded.authors, at = excluded.at where kept.at < excluded.at`,
    { given: JSON.stringify(changes) },
  )
}

/** Deletes and returns the changes whose message is known by now: those of `ids`, or all with null. */
export async function takePendingChanges(
  trx: Db,
  ids: readonly { readonly containerId: string; readonly networkId: string }[] | null,
): Promise<MessageChange[]> {
  return rows<MessageChange>(
    trx,
    `with waiting as materialized (
       select container_id, network_id, kind from pending_changes
        where :all or (container_id, network_id) in (select * from unnest(:containers::uuid[], :networkIds::text[]))
        order by container_id, network_id, kind for update
     ), known as (
       select w.* from waiting w join chat_messages m on m.container_id = w.container_id and m.network_id = w.network_id
       union
       select w.* from waiting w join messages m on m.container_id = w.container_id
         and m.gateway_message_id = w.network_id
     )
     delete from pending_changes e using known
      where e.container_id = known.container_id and e.network_id = known.network_id and e.kind = known.kind
     returning e.container_id, e.network_id, e.kind, e.text, e.authors, e.at`,
    {
      all: ids === null,
      containers: (ids ?? []).map(({ containerId }) => containerId),
      networkIds: (ids ?? []).map(({ networkId }) => networkId),
    },
  )
}

const hourMs = 60 * 60 * 1000

/** Deletes changes that have waited an hour for their message. */
export async function deleteStaleChanges(db: Db): Promise<void> {
  await db('pending_changes').where('receivedAt', '<', serviceNow(db, -hourMs)).delete()
}
