import type { GatewaySession } from '@msgctl/network/gateway'
import type { StoredContent } from '#networks/simulator/messages/plan.ts'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** One message of a conversation as the network keeps it. */
export interface StoredMessage
  extends Pick<Row<'sim_messages'>, 'networkId' | 'clientId' | 'chat' | 'at' | 'revokedAt'> {
  readonly direction: 'in' | 'out'
  readonly content: StoredContent
}

const columns = 'network_id, client_id, chat, direction, content, at, revoked_at'
const ofNumber = 'container_id = :containerId and organization_id = :organizationId'

function idOf(session: GatewaySession): { containerId: string; organizationId: string } {
  return { containerId: session.containerId, organizationId: session.organizationId }
}

/** Selects the messages of a number. */
function selectMessages(db: Db, { containerId, organizationId }: GatewaySession) {
  return db('sim_messages').where({ containerId, organizationId })
}

/** One message by its bare network id. */
export async function readMessage(
  db: Db,
  session: GatewaySession,
  networkId: string,
): Promise<StoredMessage | undefined> {
  const found = await rows<StoredMessage>(
    db,
    `select ${columns} from sim_messages where ${ofNumber} and network_id = :networkId`,
    { ...idOf(session), networkId },
  )
  return found[0]
}

/** Replaces the content of a message that was not revoked. Returns whether it did. */
export async function rewrite(
  db: Db,
  session: GatewaySession,
  networkId: string,
  content: StoredContent,
): Promise<boolean> {
  const changed = await selectMessages(db, session).where({ networkId }).whereNull('revokedAt').update({ content })
  return changed > 0
}

/** Takes a message back from everybody. */
export async function markRevoked(db: Db, session: GatewaySession, networkId: string): Promise<void> {
  await selectMessages(db, session)
    .where({ networkId })
    .whereNull('revokedAt')
    .update({ revokedAt: serviceNow(db) })
}

/** Notes that these messages of these addresses were seen. */
export async function markSeen(
  db: Db,
  session: GatewaySession,
  chats: readonly string[],
  networkIds: readonly string[],
): Promise<void> {
  await selectMessages(db, session)
    .where({ direction: 'in' })
    .whereIn('chat', chats)
    .whereIn('networkId', networkIds)
    .whereNull('seenAt')
    .update({ seenAt: serviceNow(db) })
}

/** The conversations of a number, the newest first. */
export async function listChats(
  db: Db,
  session: GatewaySession,
  limit: number,
): Promise<{ chat: string; lastAt: Date }[]> {
  return rows(
    db,
    `select chat, max(at) as last_at from sim_messages
      where container_id = :containerId and organization_id = :organizationId and at <= (select service_now())
      group by chat order by max(at) desc, chat limit :limit`,
    { ...idOf(session), limit },
  )
}

/** The last messages of one conversation, the oldest of them first. */
export async function listMessages(
  db: Db,
  session: GatewaySession,
  chats: readonly string[],
  limit: number,
): Promise<StoredMessage[]> {
  return rows(
    db,
    `select * from (
       select id, ${columns} from sim_messages
        where ${ofNumber} and chat = any(:chats::text[]) and at <= (select service_now()) and revoked_at is null
        order by at desc, id desc limit :limit) m
      order by at, id`,
    { ...idOf(session), chats, limit },
  )
}

const purgeBatch = 10_000

/** Deletes messages and undeliverable events older than `days`. Returns whether there may be more. */
export async function purge(db: Db, days: number): Promise<boolean> {
  // Ids grow with time, so reading the lowest ones is enough.
  const gone = await rows<{ id: number }>(
    db,
    `delete from sim_messages where id in (
       select id from (select id, at from sim_messages order by id limit :purgeBatch) oldest
        where at < (select service_now()) - :days * interval '1 day')
     returning id`,
    { days, purgeBatch },
  )
  await rows(
    db,
    `delete from sim_events where id in (
       select id from sim_events where waits_for is not null
         and due_at < (select service_now()) - :days * interval '1 day'
       limit :purgeBatch for update skip locked)`,
    { days, purgeBatch },
  )
  return gone.length === purgeBatch
}
