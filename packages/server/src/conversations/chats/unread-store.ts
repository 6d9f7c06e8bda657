import type { GatewaySession } from '@msgctl/network/gateway'
import { type Db, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'
import type { NumbersScope, StoredFile } from './list-store.ts'

/** A received message that is not marked read, with its author. */
export interface UnreadRow extends Pick<Row<'chat_messages'>, 'id' | 'containerId' | 'text' | 'type' | 'at'> {
  readonly phone: string | null
  readonly lid: string | null
  readonly savedName: string | null
  readonly networkName: string | null
  readonly file: StoredFile | null
}

/** Returns received messages that are not marked read, oldest first. */
export async function listUnread(db: Db, scope: NumbersScope, limit: number): Promise<UnreadRow[]> {
  return rows<UnreadRow>(
    db,
    `select m.id, m.container_id, c.phone, c.lid, c.saved_name, c.network_name, m.text, m.type, m.file, m.at
       from (select m.* from unnest(:containerIds::uuid[]) number (id) cross join lateral (
               select * from chat_messages m
                where m.container_id = number.id and m.organization_id = :organizationId and m.unread
                order by m.at, m.id limit :limit) m
              order by m.at, m.id limit :limit) m
       join contacts c on c.organization_id = :organizationId and c.id = m.contact_id
      order by m.at, m.id`,
    { ...scope, limit },
  )
}

/** The messages that a caller may mark: of the organization, or of one of its numbers. */
export interface MarkScope {
  readonly organizationId: string
  readonly containerId: string | null
}

const mine = `m.organization_id = :organizationId and (:containerId::uuid is null or m.container_id = :containerId)`

/** SQL: marks the messages that `condition` selects, and subtracts them from the unread counts of their chats. */
function markStatement(condition: string): string {
  return `
    with chosen as materialized (
      select m.id from chat_messages m where m.unread and ${mine} and ${condition} order by m.id for update
    ), marked as (
      update chat_messages m set unread = false from chosen where m.id = chosen.id
      returning m.container_id, m.contact_id, m.network_id, m.at
    ), counted as (
      select container_id, contact_id, count(*)::int as messages,
             (array_agg(network_id order by at desc))[1:200] as network_ids
        from marked group by 1, 2
    ), locked as materialized (
      select h.container_id, h.contact_id, counted.messages from chats h join counted using (container_id, contact_id)
       where h.organization_id = :organizationId order by 1, 2 for update of h
    ), updated as (
      update chats h set unread = greatest(0, h.unread - locked.messages)
        from locked where h.container_id = locked.container_id and h.contact_id = locked.contact_id
    )
    select counted.messages, coalesce(c.phone, c.lid) as address, counted.network_ids,
           case when n.status = 'WORKING' then jsonb_build_object('containerId', n.id, 'organizationId',
               n.organization_id,
                                                                   'gateway', n.gateway) end as session
      from counted
      left join contacts c on c.organization_id = :organizationId and c.id = counted.contact_id
      left join numbers n on n.organization_id = :organizationId and n.id = counted.container_id`
}

/** The messages of one chat that were marked read. */
export interface Marked {
  readonly messages: number
  /** The network's ids of the last 200 of them, newest first. */
  readonly networkIds: readonly string[]
  /** Digits of the person, or the hidden id. */
  readonly address: string | null
  /** The number, while it is connected. */
  readonly session: GatewaySession | null
}

/** Marks messages read by their ids. Returns those that were unread, by chat. */
export function markIdsRead(trx: Db, scope: MarkScope, ids: readonly string[]): Promise<Marked[]> {
  return rows<Marked>(trx, markStatement('m.id = any(:ids::uuid[])'), { ...scope, ids })
}

/** Marks all messages of one contact read. Returns those that were unread, by chat. */
export function markContactRead(trx: Db, scope: MarkScope, contactId: string): Promise<Marked[]> {
  return rows<Marked>(trx, markStatement('m.contact_id = :contactId'), { ...scope, contactId })
}
