import type { GatewaySession } from '@msgctl/network/gateway'
import type { FaultSettings } from '#networks/simulator/faults.ts'
import type { StoredContent } from '#networks/simulator/messages/plan.ts'
import type { NewMessage } from '#networks/simulator/messages/store.ts'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** Puts a phone on or off. */
export async function savePresence(trx: Db, digits: string, online: boolean): Promise<void> {
  await trx('sim_people').insert({ digits, online }).onConflict('digits').merge()
}

/** Sets the faults and replaces all earlier ones. */
export async function saveFaults(db: Db, settings: FaultSettings): Promise<void> {
  await db('sim_faults').insert({ settings }).onConflict('onlyRow').merge(['settings'])
}

/** Orders that nothing fails any more. What had failed is forgotten too, so that the same faults come out the same. */
export async function deleteFaults(trx: Db): Promise<void> {
  await trx('sim_faults').delete()
  await trx('sim_fault_hits').delete()
}

/** Stores a message that was written on request. */
export async function addMessage(trx: Db, message: NewMessage): Promise<void> {
  await trx('sim_messages').insert({
    containerId: message.containerId,
    organizationId: message.organizationId,
    direction: message.direction,
    clientId: message.clientId,
    networkId: message.networkId,
    chat: message.chat,
    content: message.content,
    typed: message.typed,
    failed: message.failed,
    at: serviceNow(trx, message.afterMs),
  })
}

/** A message that a number sent, by the service's own id, the id it chose for the network, or the network's. */
export async function findSent(db: Db, id: string): Promise<(GatewaySession & { networkId: string }) | undefined> {
  const found = await rows<GatewaySession & { networkId: string }>(
    db,
    `select s.container_id, s.organization_id, s.network_id
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
export interface TranscriptRow
  extends Pick<Row<'sim_messages'>, 'clientId' | 'networkId' | 'containerId' | 'typed' | 'at'> {
  readonly id: number
  readonly to: string
  readonly content: StoredContent
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
  and (:containerId::uuid is null or container_id = :containerId)
  and (:chats::text[] is null or chat = any(:chats::text[]))`

/** What reached phones, in the order in which the network took it. */
export async function readTranscript(db: Db, page: TranscriptPage): Promise<TranscriptRow[]> {
  return rows<TranscriptRow>(
    db,
    `select id, client_id, network_id, container_id, chat as "to", content, typed, at
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
