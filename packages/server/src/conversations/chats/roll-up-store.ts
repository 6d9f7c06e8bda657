import { type Db, rows } from '#platform/db/db.ts'

/** A change to roll up into the chats: a message that the service sent, or a contact whose messages were deleted. */
export interface ChatChange {
  readonly organizationId: string
  readonly containerId: string
  readonly messageId: string | null
  readonly contactId: string | null
}

/** SQL condition: whether there are changes to roll up. */
export const hasChatChanges = 'exists (select from chat_changes)'

/**
 * Deletes and returns changes in their order: of one number, waiting for concurrent roll-ups; or of all numbers,
 * skipping the changes of concurrent roll-ups.
 */
export async function takeChanges(trx: Db, containerId: string | null, limit: number): Promise<ChatChange[]> {
  if (containerId === null) {
    return rows<ChatChange>(
      trx,
      `delete from chat_changes
        where id = any(array(select id from chat_changes order by id limit :limit for update skip locked))
       returning organization_id, container_id, message_id, contact_id`,
      { limit },
    )
  }
  return rows<ChatChange>(
    trx,
    `delete from chat_changes
      where id = any(array(select id from chat_changes where container_id = :containerId order by id limit :limit
            for update))
     returning organization_id, container_id, message_id, contact_id`,
    { containerId, limit },
  )
}

/** Returns whether a number has changes that are not rolled up. */
export async function hasChanges(db: Db, containerId: string): Promise<boolean> {
  const [found] = await rows<{ waiting: boolean }>(
    db,
    'select exists (select from chat_changes where container_id = :containerId) as waiting',
    { containerId },
  )
  return found?.waiting ?? false
}

/** A message that the service sent, with the columns that a chat needs. */
export interface SentRow {
  readonly id: string
  readonly organizationId: string
  readonly containerId: string
  readonly recipient: string
  readonly networkId: string | null
  readonly sentAt: Date
  readonly deleted: boolean
}

/** Returns the messages of these ids, except those that were deleted from the table. */
export async function findSent(trx: Db, ids: readonly string[]): Promise<SentRow[]> {
  return rows<SentRow>(
    trx,
    `select id, organization_id, container_id, recipient,
            gateway_message_id as network_id, sent_at, deleted_at is not null as deleted
       from messages where id = any(:ids::uuid[]) and sent_at is not null and container_id is not null order by id`,
    { ids },
  )
}

/** Adds the service's own messages to their chats, and deletes their echoes from the network. */
export async function insertOwn(trx: Db, sent: readonly (SentRow & { readonly contactId: string })[]): Promise<void> {
  if (sent.length === 0) return
  await rows(
    trx,
    `delete from chat_messages m using unnest(:containers::uuid[], :networkIds::text[]) as g(container_id, network_id)
      where m.container_id = g.container_id and m.network_id = g.network_id and not m.ours`,
    { containers: sent.map(({ containerId }) => containerId), networkIds: sent.map(({ networkId }) => networkId) },
  )
  await rows(
    trx,
    `insert into chat_messages (id, organization_id, container_id, contact_id, direction, network_id, at, ours, type,
       text)
     select g.id, g."organizationId", g."containerId", g."contactId", 'out', g."networkId", g."sentAt", true, '', ''
       from jsonb_to_recordset(:given::jsonb) as g(id uuid, "organizationId" uuid, "containerId" uuid, "contactId" uuid,
            "networkId" text, "sentAt" timestamptz)
      order by g."containerId", g."networkId"
     on conflict do nothing`,
    { given: JSON.stringify(sent) },
  )
}
