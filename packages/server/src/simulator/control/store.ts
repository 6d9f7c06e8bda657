import { type Db, rows } from '../../db/db.ts'
import type { GatewaySession } from '../../gateway/gateway.ts'
import type { FaultSettings } from '../faults.ts'
import type { StoredContent } from '../messages/content.ts'
import type { NewMessage } from '../messages/store.ts'

/** Puts a phone on or off. */
export async function savePresence(trx: Db, digits: string, online: boolean): Promise<void> {
  await rows(
    trx,
    `insert into sim_people (digits, online) values (:digits, :online)
     on conflict (digits) do update set online = excluded.online`,
    { digits, online },
  )
}

/** Sets the faults and replaces all earlier ones. */
export async function saveFaults(db: Db, settings: FaultSettings): Promise<void> {
  await rows(
    db,
    `insert into sim_faults (settings) values (:settings::jsonb) on conflict (only_row) do update set settings = excluded.settings`,
    { settings },
  )
}

/** Orders that nothing fails any more. What had failed is forgotten too, so that the same faults come out the same. */
export async function deleteFaults(trx: Db): Promise<void> {
  await rows(trx, 'delete from sim_faults')
  await rows(trx, 'delete from sim_fault_hits')
}

/** Stores a message that was written on request. */
export async function addMessage(trx: Db, message: NewMessage): Promise<void> {
  await rows(
    trx,
    `insert into sim_messages
       (container_id, organization_id, direction, client_id, network_id, chat, content, typed, failed, at)
     values (:containerId, :organizationId, :direction, :clientId, :networkId, :chat, :content::jsonb, :typed, :failed,
             (select service_now()) + :afterMs * interval '1 millisecond')`,
    { ...message },
  )
}

/** A message that a number sent, by the service's own id, the id it chose for the network, or the network's. */
export async function findSent(db: Db, id: string): Promise<(GatewaySession & { networkId: string }) | undefined> {
  const found = await rows<GatewaySession & { networkId: string }>(
    db,
    `select s.container_id as "containerId", s.organization_id as "organizationId", s.network_id as "networkId"
       from sim_messages s
      where s.direction = 'out' and (s.client_id = :id or s.network_id = :id
         or (s.container_id, s.network_id) in
            (select m.container_id, m.gateway_message_id from messages m where m.id::text = :id))
      limit 1`,
    { id },
  )
  return found[0]
}

/** A message as it reached a phone. */
export interface TranscriptRow {
  readonly id: number
  readonly clientId: string
  readonly networkId: string
  readonly containerId: string
  readonly to: string
  readonly content: StoredContent
  readonly typed: boolean
  readonly at: Date
}

/** Which messages, and where the page begins. */
export interface TranscriptPage {
  readonly containerId: string | null
  /** All addresses of one person, or null for everybody. */
  readonly chats: readonly string[] | null
  /** The id of the last message of the page before. */
  readonly after: number
  readonly limit: number
}

const reached = `direction = 'out' and not failed
  and (:containerId::uuid is null or container_id = :containerId) and (:chats::text[] is null or chat = any(:chats::text[]))`

/** What reached phones, in the order in which the network took it. */
export async function readTranscript(db: Db, page: TranscriptPage): Promise<TranscriptRow[]> {
  return rows<TranscriptRow>(
    db,
    `select id, client_id as "clientId", network_id as "networkId", container_id as "containerId", chat as "to", content,
            typed, at
       from sim_messages where ${reached} and id > :after order by id limit :limit`,
    { ...page },
  )
}

/** How many messages reached phones, on all pages. */
export async function countTranscript(db: Db, page: Pick<TranscriptPage, 'containerId' | 'chats'>): Promise<number> {
  const found = await rows<{ total: number }>(db, `select count(*) as total from sim_messages where ${reached}`, {
    containerId: page.containerId,
    chats: page.chats,
  })
  return found[0]?.total ?? 0
}
