import type { MessageStatus } from '@msgctl/contract'
import { type Db, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'
import type { NumberScope } from './list-store.ts'

/** A message from the number that the network has not taken. */
export interface UnsentMessage extends Pick<Row<'messages'>, 'id' | 'kind' | 'content' | 'error'> {
  readonly status: MessageStatus
  readonly at: Date
}

/**
 * Returns the latest messages of a number to one person that were not sent in the last seven days, the oldest first.
 */
export async function listUnsent(
  db: Db,
  scope: NumberScope,
  addresses: readonly string[],
  limit: number,
): Promise<UnsentMessage[]> {
  const newest = await rows<UnsentMessage>(
    db,
    `select m.id, m.kind, m.content, m.status, m.error, m.created_at as at
       from messages m
      where m.organization_id = :organizationId and m.recipient = any(:addresses::text[])
        and m.container_id = :containerId and m.sent_at is null and m.deleted_at is null
        and m.created_at > (select service_now()) - interval '7 days'
      order by m.created_at desc, m.id desc limit :limit`,
    { ...scope, addresses, limit },
  )
  return newest.reverse()
}

/** A chat by its number and the address of the person. */
export interface ChatAddress {
  readonly containerId: string
  readonly address: string
}

/** Returns the number and the address of a chat. */
export function toChatAddress(chat: { containerId: string; phone: string | null; lid: string | null }): ChatAddress {
  return { containerId: chat.containerId, address: chat.phone ?? chat.lid ?? '' }
}

/** Returns the key under which {@link findNewestUnsent} has a chat. */
export function addressKey({ containerId, address }: ChatAddress): string {
  return `${containerId} ${address}`
}

/** Returns the status of the newest message of each chat if it was not sent, by {@link addressKey}. */
export async function findNewestUnsent(
  db: Db,
  organizationId: string,
  chats: readonly ChatAddress[],
): Promise<ReadonlyMap<string, MessageStatus>> {
  const found = await rows<ChatAddress & { status: MessageStatus }>(
    db,
    `select c.container_id, c.address, newest.status
       from unnest(:containerIds::uuid[], :addresses::text[]) as c(container_id, address)
      cross join lateral (
        select m.status, m.sent_at from messages m
         where m.organization_id = :organizationId and m.recipient = c.address and m.container_id = c.container_id
         order by m.created_at desc limit 1) newest
      where newest.sent_at is null`,
    {
      organizationId,
      containerIds: chats.map(({ containerId }) => containerId),
      addresses: chats.map(({ address }) => address),
    },
  )
  return new Map(found.map((one) => [addressKey(one), one.status]))
}
