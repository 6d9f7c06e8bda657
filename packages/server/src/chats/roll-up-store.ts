import { type Db, rows } from '../db/db.ts'

/** Something that has to be brought into the chats: a message of ours, or a contact whose messages were deleted. */
export interface ChatChange {
  readonly organizationId: string
  readonly containerId: string
  readonly messageId: string | null
  readonly contactId: string | null
}

/** Takes changes in their order: of one number, waiting for others who do; or of all, leaving theirs to them. */
export async function takeChanges(trx: Db, containerId: string | null, limit: number): Promise<ChatChange[]> {
  const lock = containerId === null ? 'for update skip locked' : 'for update'
  const of = containerId === null ? 'true' : 'container_id = :containerId'
  return rows<ChatChange>(
    trx,
    `delete from chat_changes
      where id = any(array(select id from chat_changes where ${of} order by id limit :limit ${lock}))
     returning organization_id as "organizationId", container_id as "containerId", message_id as "messageId",
               contact_id as "contactId"`,
    containerId === null ? { limit } : { containerId, limit },
  )
}

/** Whether anything of a number still has to be brought into its chats. */
export async function hasChanges(db: Db, containerId: string): Promise<boolean> {
  const [found] = await rows<{ waiting: boolean }>(
    db,
    'select exists (select from chat_changes where container_id = :containerId) as waiting',
    { containerId },
  )
  return found?.waiting ?? false
}

/** A message that the service sent, as far as its chat needs to know. */
export interface SentRow {
  readonly id: string
  readonly organizationId: string
  readonly containerId: string
  readonly recipient: string
  readonly networkId: string | null
  readonly sentAt: Date
  readonly deleted: boolean
}

/** The messages behind these ids, but for those that were deleted for good. */
export async function findSent(trx: Db, ids: readonly string[]): Promise<SentRow[]> {
  return rows<SentRow>(
    trx,
    `select id, organization_id as "organizationId", container_id as "containerId", recipient,
            gateway_message_id as "networkId", sent_at as "sentAt", deleted_at is not null as deleted
       from messages where id = any(:ids::uuid[]) and sent_at is not null and container_id is not null order by id`,
    { ids },
  )
}

/** Stores the places of our own messages in their conversations; what the network echoed of them gives way. */
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
    `insert into chat_messages (id, organization_id, container_id, contact_id, direction, network_id, at, ours, type, text)
     select g.id, g."organizationId", g."containerId", g."contactId", 'out', g."networkId", g."sentAt", true, '', ''
       from jsonb_to_recordset(:given::jsonb) as g(id uuid, "organizationId" uuid, "containerId" uuid, "contactId" uuid,
            "networkId" text, "sentAt" timestamptz)
      order by g."containerId", g."networkId"
     on conflict do nothing`,
    { given: JSON.stringify(sent) },
  )
}
