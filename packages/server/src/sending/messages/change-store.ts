import { messageErrorCodes } from '@msgctl/contract'
import { type EventSubject, eventSubjectColumns } from '#events/message-event.ts'
import { type Db, rows } from '#platform/db/db.ts'

/** Writes the text that a message has on the network now. */
export async function writeEdited(
  db: Db,
  organizationId: string,
  messageId: string,
  { content, at }: { readonly content: string; readonly at: Date },
): Promise<void> {
  await db('messages').where({ organizationId, id: messageId }).update({ content, editedAt: at })
}

/** Writes that a message was deleted for everyone, and returns when: the time of the first deletion stays. */
export async function writeDeleted(db: Db, organizationId: string, messageId: string, at: Date): Promise<Date> {
  const [written] = await rows<{ deletedAt: Date }>(
    db,
    `update messages set deleted_at = coalesce(deleted_at, :at)
      where organization_id = :organizationId and id = :messageId returning deleted_at`,
    { organizationId, messageId, at },
  )
  return written?.deletedAt ?? at
}

/**
 * Fails a queued message with CANCELLED, and returns the subject of its event. Changes nothing once a worker has
 * claimed the message, nor while the network may have it from an earlier attempt.
 */
export async function cancelQueued(
  trx: Db,
  organizationId: string,
  messageId: string,
  at: Date,
): Promise<EventSubject | undefined> {
  const [subject] = await rows<EventSubject>(
    trx,
    `with cancelled as (
       update messages set status = 'failed', error = :error, error_code = 'CANCELLED', failed_at = :at
        where organization_id = :organizationId and id = :messageId and status = 'queued'
          and outcome_unknown_since is null
       returning *
     )
     select ${eventSubjectColumns} from cancelled m left join numbers n on n.id = m.container_id`,
    { organizationId, messageId, at, error: messageErrorCodes.CANCELLED },
  )
  return subject
}

/** An edit or a deletion on a phone; `text` is the new text of an edited message. */
export interface NetworkChange {
  readonly containerId: string
  readonly networkId: string
  readonly kind: 'edited' | 'revoked'
  readonly text: string | null
  /** The addresses of who made it. None: the account of the number. Null: not known. */
  readonly authors: readonly string[] | null
  readonly at: Date
}

/**
 * Applies changes made on a phone to messages that the service sent. The echo of a change made through the API is older
 * than the time written with it, and changes nothing. The text of a one-time code never changes: it is never shown.
 */
export async function applyNetworkChanges(trx: Db, changes: readonly NetworkChange[]): Promise<void> {
  await rows(
    trx,
    `with locked as (
       select m.id, m.deleted_at, g.kind, g.text, g.at,
              g.kind = 'edited' and m.type <> 'otp' and m.kind in ('text', 'link', 'image', 'video', 'file')
                and g.text <> m.content and coalesce(m.edited_at < g.at, true) as may_edit
         from messages m
         join jsonb_to_recordset(:changes::jsonb)
                as g("containerId" uuid, "networkId" text, kind text, text text, authors text[],
                   at timestamptz)
           on m.container_id = g."containerId" and m.gateway_message_id = g."networkId"
          and coalesce(cardinality(g.authors) = 0, true)
        order by m.id for update of m
     ), change as (
       select id, max(at) filter (where kind = 'revoked' and deleted_at is null) as deleted_at,
              max(at) filter (where may_edit) as edited_at, max(text) filter (where may_edit) as text
         from locked group by id
     )
     update messages m
        set deleted_at = coalesce(change.deleted_at, m.deleted_at), content = coalesce(change.text, m.content),
            edited_at = coalesce(change.edited_at, m.edited_at)
       from change
      where m.id = change.id and (change.deleted_at is not null or change.edited_at is not null)`,
    { changes: JSON.stringify(changes) },
  )
}
