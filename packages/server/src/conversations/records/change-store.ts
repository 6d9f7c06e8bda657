import type { Json } from '@msgctl/network/gateway'
import { type Db, rows } from '#platform/db/db.ts'
import type { ChatKey } from './message-store.ts'

/** An edit or a deletion of a message, made on a phone. */
export interface MessageChange {
  readonly containerId: string
  readonly networkId: string
  readonly kind: 'edited' | 'revoked'
  /** The new text of an edited message. */
  readonly text: string | null
  /** The addresses of who made it: digits and hidden ids. None: the account of the number. Null: not known. */
  readonly authors: readonly string[] | null
  readonly at: Date
}

/** A chat in which messages were revoked; `read` counts the unread ones among them. */
export interface RevokedInChat extends ChatKey {
  readonly organizationId: string
  readonly read: number
}

/** A file that replaces the one of a received message. */
interface BetterFile {
  readonly containerId: string
  readonly networkId: string
  /** Who sent it: digits or a hidden id. */
  readonly address: string
  readonly file: { readonly mimetype: string; readonly filename?: string; readonly sizeBytes: number }
  /** What the driver needs to fetch the file. */
  readonly networkRef: Json
}

/** SQL condition: whether the author of a change `g` wrote the message `m`. That of a group names no author. */
const isByItsAuthor = `(g.authors is null
  or (m.direction = 'out' and cardinality(g.authors) = 0)
  or (m.direction = 'in' and cardinality(g.authors) > 0 and (m.contact_id is null or exists (
        select from contacts c where c.organization_id = m.organization_id and c.id = m.contact_id
           and (c.phone = any(g.authors) or c.lid = any(g.authors))))))`

/** Replaces the files of photos and videos by better ones of the same person. Others are ignored. */
export async function replaceFiles(trx: Db, files: readonly BetterFile[]): Promise<void> {
  await rows(
    trx,
    `update chat_messages m set file = g.file, network_ref = g."networkRef"
       from jsonb_to_recordset(:given::jsonb) as g("containerId" uuid, "networkId" text, address text, file jsonb,
           "networkRef" jsonb), contacts c
      where m.container_id = g."containerId" and m.network_id = g."networkId" and m.direction = 'in' and not m.ours
        and m.type in ('image', 'video') and m.revoked_at is null
        and c.organization_id = m.organization_id and c.id = m.contact_id and g.address in (c.phone, c.lid)`,
    { given: JSON.stringify(files) },
  )
}

/** Applies the edits among `changes` to messages that the service did not send. The latest edit wins. */
export async function editChatMessages(trx: Db, changes: readonly MessageChange[]): Promise<void> {
  await rows(
    trx,
    `update chat_messages m set text = g.text, edited_at = g.at
       from jsonb_to_recordset(:given::jsonb) as g("containerId" uuid, "networkId" text, kind text, text text,
           authors text[], at timestamptz)
      where g.kind = 'edited' and m.container_id = g."containerId" and m.network_id = g."networkId" and not m.ours
        and coalesce(m.edited_at < g.at, true) and ${isByItsAuthor}`,
    { given: JSON.stringify(changes) },
  )
}

/**
 * Applies the deletions among `changes` to messages that the service did not send. Returns the chats of these messages.
 */
export async function revokeChatMessages(trx: Db, changes: readonly MessageChange[]): Promise<RevokedInChat[]> {
  return rows<RevokedInChat>(
    trx,
    `with locked as (
       select m.id, m.unread, g.at from chat_messages m
         join jsonb_to_recordset(:given::jsonb) as g("containerId" uuid, "networkId" text, kind text, authors text[],
             at timestamptz)
           on g.kind = 'revoked' and m.container_id = g."containerId" and m.network_id = g."networkId"
        where not m.ours and m.revoked_at is null and ${isByItsAuthor} order by m.id for update of m
     )
     update chat_messages m set revoked_at = locked.at, unread = false from locked where m.id = locked.id
     returning m.organization_id, m.container_id, m.contact_id,
               locked.unread::int as read`,
    { given: JSON.stringify(changes) },
  )
}
