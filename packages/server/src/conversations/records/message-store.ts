import type { Json } from '@msgctl/network/gateway'
import { type Db, rows } from '#platform/db/db.ts'

/** A message of a chat that the service did not send itself. */
export interface NewChatMessage {
  readonly id: string
  readonly organizationId: string
  readonly containerId: string
  /** Null for a message of a group. */
  readonly contactId: string | null
  readonly direction: 'in' | 'out'
  readonly networkId: string
  readonly at: Date
  /** Read from the network's history, not reported as new. */
  readonly imported: boolean
  readonly type: string
  readonly text: string
  readonly attachment: string | null
  readonly unread: boolean
  /** What the driver needs to fetch its file; null without one. */
  readonly networkRef: Json
  /** Type, name and size of its file; null without one. */
  readonly file: { readonly mimetype: string; readonly filename?: string; readonly sizeBytes: number } | null
}

/**
 * Stores messages, each once by its number and network id. Returns the ids of the new ones. A message that was
 * imported from the history counts as new when the network reports it; it keeps its first id. So does one that could
 * not be read, when it comes again and can be.
 */
export async function insertChatMessages(
  trx: Db,
  messages: readonly NewChatMessage[],
): Promise<{ id: string; containerId: string; networkId: string }[]> {
  if (messages.length === 0) return []
  return rows(
    trx,
    `insert into chat_messages as kept (id, organization_id, container_id, contact_id, direction, network_id, at,
                                          imported,
                                        type, text, attachment, unread, network_ref, file)
     select g.id, g."organizationId", g."containerId", g."contactId", g.direction, g."networkId", g.at, g.imported,
            g.type, g.text,
            g.attachment, g.unread, nullif(g."networkRef", 'null'::jsonb), nullif(g.file, 'null'::jsonb)
       from jsonb_to_recordset(:given::jsonb) as g(id uuid, "organizationId" uuid, "containerId" uuid, "contactId" uuid,
            direction text, "networkId" text, at timestamptz, imported boolean, type text, text text, attachment text,
            unread boolean, "networkRef" jsonb, file jsonb)
      order by g."containerId", g."networkId"
     on conflict (container_id, network_id) do update
        set imported = false, type = excluded.type, text = excluded.text, attachment = excluded.attachment,
            unread = excluded.unread, network_ref = excluded.network_ref, file = excluded.file
      where not kept.ours and not excluded.imported
        and (kept.imported
             or kept.type = 'unsupported' and excluded.type <> 'unsupported' and kept.revoked_at is null
                and kept.contact_id is not distinct from excluded.contact_id)
     returning id, container_id, network_id`,
    { given: JSON.stringify(messages) },
  )
}

/** A message that was added to a chat; `unread` is 1 for an unread one, otherwise 0. */
export interface ChatTouch {
  readonly organizationId: string
  readonly containerId: string
  readonly contactId: string
  readonly at: Date
  readonly unread: number
}

/** Creates or updates the chats of new messages. */
export async function touchChats(trx: Db, touches: readonly ChatTouch[]): Promise<void> {
  if (touches.length === 0) return
  await rows(
    trx,
    `insert into chats as kept (container_id, contact_id, organization_id, last_at, unread)
     select g."containerId", g."contactId", min(g."organizationId"::text)::uuid, max(g.at), sum(g.unread)
       from jsonb_to_recordset(:given::jsonb) as g("containerId" uuid, "contactId" uuid, "organizationId" uuid,
            at timestamptz, unread int)
      group by 1, 2 order by 1, 2
     on conflict (container_id, contact_id) do update
        set last_at = greatest(kept.last_at, excluded.last_at), unread = kept.unread + excluded.unread`,
    { given: JSON.stringify(touches) },
  )
}

/** One chat: a number and a contact. */
export interface ChatKey {
  readonly containerId: string
  readonly contactId: string
}

/** SQL: whether a message `m` is visible. `own` is its row in messages if the service sent it. */
export const isSeen = `m.revoked_at is null and (not m.ours or (own.id is not null and own.deleted_at is null))`

/**
 * Updates the time of the last message of chats in which messages were revoked or deleted, and deletes chats that are
 * empty now. `read` is the number of unread messages among the deleted ones.
 */
export async function recountChats(
  trx: Db,
  organizationId: string,
  chats: readonly (ChatKey & { readonly read: number })[],
): Promise<void> {
  if (chats.length === 0) return
  await rows(
    trx,
    `with wanted as (
       select container_id, contact_id, sum(read)::int as read
         from unnest(:containers::uuid[], :contacts::uuid[], :reads::int[]) as w(container_id, contact_id, read)
           group by 1, 2
     ), locked as materialized (
       select h.container_id, h.contact_id, wanted.read from chats h join wanted using (container_id, contact_id)
        where h.organization_id = :organizationId order by 1, 2 for update of h
     ), recounted as (
       select locked.*, last.at from locked left join lateral (
         select m.at from chat_messages m left join messages own on m.ours and own.id = m.id
          where m.container_id = locked.container_id and m.contact_id = locked.contact_id and ${isSeen}
          order by m.at desc, m.id desc limit 1) last on true
     ), ended as (
       delete from chats h using recounted
        where h.container_id = recounted.container_id and h.contact_id = recounted.contact_id and recounted.at is null
     )
     update chats h set last_at = recounted.at, unread = greatest(0, h.unread - recounted.read)
       from recounted where h.container_id = recounted.container_id and h.contact_id = recounted.contact_id
         and recounted.at is not null`,
    {
      organizationId,
      containers: chats.map(({ containerId }) => containerId),
      contacts: chats.map(({ contactId }) => contactId),
      reads: chats.map(({ read }) => read),
    },
  )
}
