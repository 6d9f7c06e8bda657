import type { MessageStatus } from '@msgctl/contract'
import { contains } from '../contacts/store.ts'
import { type Db, rows } from '../db/db.ts'
import { isSeen } from './records/message-store.ts'

/** A visible message of a chat. `ownKind`, `ownContent` and `ownStatus` are null unless the service sent it. */
export interface SeenMessage {
  readonly id: string
  readonly direction: 'in' | 'out'
  readonly at: Date
  readonly type: string
  readonly text: string
  readonly attachment: string | null
  readonly ownKind: string | null
  readonly ownContent: string | null
  readonly ownStatus: MessageStatus | null
}

interface PersonColumns {
  readonly phone: string | null
  readonly lid: string | null
  readonly savedName: string | null
  readonly networkName: string | null
}

/** A chat with its last message. */
export type ChatRow = SeenMessage & PersonColumns & { readonly containerId: string; readonly unread: number }

/** The number whose chat is read. */
export interface NumberScope {
  readonly organizationId: string
  readonly containerId: string
}

/** The numbers whose chats are read together. */
export interface NumbersScope {
  readonly organizationId: string
  readonly containerIds: readonly string[]
}

const seenColumns = `m.id, m.direction, m.at, m.type, m.text, m.attachment, own.kind as "ownKind", own.content as "ownContent",
  own.status as "ownStatus"`
const personColumns = `c.phone, c.lid, c.saved_name as "savedName", c.network_name as "networkName"`
const seenMessages = `chat_messages m left join messages own on m.ours and own.organization_id = :organizationId and own.id = m.id`

/** SQL: the chats of `page` with their last visible message, newest first. */
const withLastMessage = `
  select ${personColumns}, page.container_id as "containerId", page.unread, last.*
    from page join contacts c on c.organization_id = :organizationId and c.id = page.contact_id
   cross join lateral (
     select ${seenColumns} from ${seenMessages}
      where m.container_id = page.container_id and m.contact_id = page.contact_id and ${isSeen}
      order by m.at desc, m.id desc limit 1) last
   order by last.at desc, page.contact_id desc`

/** SQL: the newest chats of each number, merged. */
function newestChats(limit: string): string {
  return `
    select h.* from unnest(:containerIds::uuid[]) number (id) cross join lateral (
      select h.container_id, h.contact_id, h.unread, h.last_at from chats h
       where h.container_id = number.id and h.organization_id = :organizationId
       order by h.last_at desc, h.contact_id desc limit ${limit}) h
     order by h.last_at desc, h.contact_id desc limit ${limit}`
}

/** Returns the chats of numbers, newest first. */
export async function listChats(db: Db, scope: NumbersScope, limit: number): Promise<ChatRow[]> {
  return rows<ChatRow>(db, `with page as materialized (${newestChats(':limit')}) ${withLastMessage}`, {
    ...scope,
    limit,
  })
}

/** The parts to search for in names and in numbers. */
export interface ChatSearch {
  readonly name: string
  readonly number: string
  readonly limit: number
}

const matches = '(c.search_text like lower(:name) or c.search_text like :number)'

function patterns({ name, number, limit }: ChatSearch) {
  return { name: contains(name), number: contains(number), limit }
}

/** Returns the matches among the newest `among` chats. */
export async function searchNewest(
  db: Db,
  scope: NumbersScope,
  search: ChatSearch & { readonly among: number },
): Promise<ChatRow[]> {
  return rows<ChatRow>(
    db,
    `with newest as materialized (${newestChats(':among')}), page as materialized (
       select newest.* from newest join contacts c on c.organization_id = :organizationId and c.id = newest.contact_id
        where ${matches} order by newest.last_at desc, newest.contact_id desc limit :limit
     ) ${withLastMessage}`,
    { ...scope, ...patterns(search), among: search.among },
  )
}

/** Returns the matches among all chats, found through the index of contacts. */
export async function searchAll(db: Db, scope: NumbersScope, search: ChatSearch): Promise<ChatRow[]> {
  return rows<ChatRow>(
    db,
    `with found as materialized (
       select c.id from contacts c where c.organization_id = :organizationId and ${matches}
     ), page as materialized (
       select h.container_id, h.contact_id, h.unread from found
         join chats h on h.contact_id = found.id and h.container_id = any(:containerIds::uuid[])
          and h.organization_id = :organizationId
        order by h.last_at desc, h.contact_id desc limit :limit
     ) ${withLastMessage}`,
    { ...scope, ...patterns(search) },
  )
}

/** Returns the last messages of one chat, the oldest first. */
export async function readThread(db: Db, scope: NumberScope, contactId: string, limit: number): Promise<SeenMessage[]> {
  const newest = await rows<SeenMessage>(
    db,
    `select ${seenColumns} from ${seenMessages}
      where m.container_id = :containerId and m.organization_id = :organizationId and m.contact_id = :contactId and ${isSeen}
      order by m.at desc, m.id desc limit :limit`,
    { ...scope, contactId, limit },
  )
  return newest.reverse()
}
