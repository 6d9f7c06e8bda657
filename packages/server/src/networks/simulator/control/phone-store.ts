import type { MessageStatus } from '@msgctl/contract'
import type { StoredContent } from '#networks/simulator/messages/plan.ts'
import { type Db, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** A message as the phone of a person shows it. */
export interface PhoneMessage extends Pick<Row<'sim_messages'>, 'containerId' | 'organizationId' | 'networkId' | 'at'> {
  readonly id: number
  /** in: the person wrote; out: the number wrote. */
  readonly direction: 'in' | 'out'
  readonly content: StoredContent
  readonly isRevoked: boolean
  /** What the service knows of a message of a number; null before it does. */
  readonly status: MessageStatus | null
  readonly isSeen: boolean
}

/** The messages between one person and the numbers of one organization, or of all. */
export interface PhoneScope {
  readonly organizationId: string | null
  /** All addresses of the person. */
  readonly chats: readonly string[]
}

/** SQL: the messages of a person that are on the phone by now; read through the index of each number. */
const onPhone = `
  from (select container_id as id from sim_sessions
         where :organizationId::uuid is null or organization_id = :organizationId) own
  join sim_messages s on s.container_id = own.id and s.chat = any(:chats::text[])
   and not s.failed and s.at <= (select service_now())
  left join messages m on s.direction = 'out' and m.container_id = s.container_id
   and m.gateway_message_id = s.network_id`

const columns = `s.id, s.container_id, s.organization_id,
  s.network_id, s.direction, s.content, s.at, s.revoked_at is not null as is_revoked, m.status,
  s.seen_at is not null as is_seen`

/** Returns the newest messages of a person after one of them, or of all, the oldest first. */
export async function listPhone(db: Db, scope: PhoneScope, after: number, limit: number): Promise<PhoneMessage[]> {
  const newest = await rows<PhoneMessage>(
    db,
    `select ${columns} ${onPhone}
      where :after = 0 or (s.at, s.id) > (select a.at, a.id from sim_messages a where a.id = :after)
      order by s.at desc, s.id desc limit :limit`,
    { ...scope, after, limit },
  )
  return newest.reverse()
}

/** Returns the messages of numbers that the person has not read as far as the service knows, the oldest first. */
export async function listUnread(db: Db, scope: PhoneScope, limit: number): Promise<PhoneMessage[]> {
  return rows<PhoneMessage>(
    db,
    `select ${columns} ${onPhone}
      where s.direction = 'out' and coalesce(m.status, 'sent') in ('sending', 'sent', 'delivered')
      order by s.at, s.id limit :limit`,
    { ...scope, limit },
  )
}

/** Returns the numbers that show the person that they type. */
export async function listTyping(db: Db, { organizationId, chats }: PhoneScope): Promise<string[]> {
  const found = await rows<{ containerId: string }>(
    db,
    `select t.container_id from sim_typing t
      where t.chat = any(:chats::text[]) and t.until > (select service_now())
        and (:organizationId::uuid is null or t.organization_id = :organizationId)
        and not exists (select from sim_messages s
                         where s.container_id = t.container_id and s.chat = t.chat and s.direction = 'out'
                           and s.at >= t.since)
      order by t.since, t.container_id`,
    { organizationId, chats },
  )
  return found.map(({ containerId }) => containerId)
}

/** Returns whether a phone was put on or off; undefined when it never was. */
export async function findPresence(db: Db, digits: string): Promise<boolean | undefined> {
  return (await db('sim_people').where({ digits }).first('online'))?.online
}
