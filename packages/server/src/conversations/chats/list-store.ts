import type { ChatShow, MessageStatus } from '@msgctl/contract'
import { contains } from '#conversations/contacts/store.ts'
import { isSeen } from '#conversations/records/message-store.ts'
import { type Db, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** The file of a received message, as its sender named it. */
export interface StoredFile {
  readonly mimetype: string
  readonly filename?: string
  readonly sizeBytes: number
}

/** A visible message of a chat. `ownKind`, `ownContent` and `ownStatus` are null unless the service sent it. */
export interface SeenMessage extends Pick<Row<'chat_messages'>, 'id' | 'at' | 'type' | 'text' | 'attachment'> {
  readonly direction: 'in' | 'out'
  readonly file: StoredFile | null
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
export type ChatRow = SeenMessage &
  PersonColumns &
  ChatPlace & { readonly containerId: string; readonly unread: number }

/** Where a page begins: after the chat of this contact, in the order newest first. */
export interface ChatPlace {
  /** The time of its last message in microseconds since 1970. */
  readonly lastMicros: number
  readonly contactId: string
}

/** Which chats a page has. */
export interface ChatPage {
  readonly show: ChatShow
  readonly place: ChatPlace | null
  readonly limit: number
}

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

const seenColumns = `m.id, m.direction, m.at, m.type, m.text, m.attachment, m.file, own.kind as own_kind,
  own.content as own_content, own.status as own_status`
const personColumns = `c.phone, c.lid, c.saved_name, c.network_name`
const seenMessages =
  'chat_messages m left join messages own on m.ours and own.organization_id = :organizationId and own.id = m.id'

/** SQL: the chats of `page` with their last visible message, newest first. */
const withLastMessage = `
  select ${personColumns}, page.container_id, page.contact_id, page.unread,
         (extract(epoch from page.last_at) * 1000000)::int8 as last_micros, last.*
    from page join contacts c on c.organization_id = :organizationId and c.id = page.contact_id
   cross join lateral (
     select ${seenColumns} from ${seenMessages}
      where m.container_id = page.container_id and m.contact_id = page.contact_id and ${isSeen}
      order by m.at desc, m.id desc limit 1) last
   order by page.last_at desc, page.contact_id desc`

/** SQL: whether a chat with this time and contact comes after the place. Without one the bound is beyond all. */
function afterPlace(at: string, contact: string): string {
  return `(${at}, ${contact}) < (
    coalesce(timestamptz 'epoch' + :lastMicros::int8 * interval '1 microsecond', 'infinity'),
    coalesce(:contactId::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))`
}

const lastDirection = `(
  select m.direction from ${seenMessages}
   where m.container_id = h.container_id and m.contact_id = h.contact_id and ${isSeen}
   order by m.at desc, m.id desc limit 1)`

/** SQL: whether chat `h` is shown. */
const isShown: Readonly<Record<ChatShow, string>> = {
  all: 'true',
  unread: 'h.unread > 0',
  to_answer: `${lastDirection} = 'in'`,
}

/** SQL: the newest chats of each number, merged. */
function newestChats(show: ChatShow, limit: string): string {
  return `
    select h.* from unnest(:containerIds::uuid[]) number (id) cross join lateral (
      select h.container_id, h.contact_id, h.unread, h.last_at from chats h
       where h.container_id = number.id and h.organization_id = :organizationId and ${isShown[show]}
         and ${afterPlace('h.last_at', 'h.contact_id')}
       order by h.last_at desc, h.contact_id desc limit ${limit}) h
     order by h.last_at desc, h.contact_id desc limit ${limit}`
}

/** The received messages of one number that are read at most to find the chats to answer. */
const receivedAtMost = 20_000

/**
 * SQL: the newest chats of each number whose last message was received. They are found through the received messages: a
 * campaign begins so many chats that reading these one by one would take too long.
 */
const chatsToAnswer = `
  select h.container_id, h.contact_id, h.unread, h.last_at
    from unnest(:containerIds::uuid[]) number (id) cross join lateral (
      select r.container_id, r.contact_id from (
        select m.id, m.container_id, m.contact_id, m.at, m.revoked_at from chat_messages m
         where m.container_id = number.id and m.organization_id = :organizationId
           and m.direction = 'in' and m.contact_id is not null
           and m.at <= coalesce(timestamptz 'epoch' + :lastMicros::int8 * interval '1 microsecond', 'infinity')
         order by m.at desc, m.id desc limit ${receivedAtMost}) r
       where r.revoked_at is null and ${afterPlace('r.at', 'r.contact_id')}
         and not exists (
           select from ${seenMessages}
            where m.container_id = r.container_id and m.contact_id = r.contact_id and (m.at, m.id) > (r.at, r.id)
              and ${isSeen})
       order by r.at desc, r.contact_id desc limit :limit) r
    join chats h on h.container_id = r.container_id and h.contact_id = r.contact_id
   order by h.last_at desc, h.contact_id desc limit :limit`

function placeOf({ place, limit }: ChatPage) {
  return { lastMicros: place?.lastMicros ?? null, contactId: place?.contactId ?? null, limit }
}

/** Returns the chats of numbers, newest first. */
export async function listChats(db: Db, scope: NumbersScope, page: ChatPage): Promise<ChatRow[]> {
  const chats = page.show === 'to_answer' ? chatsToAnswer : newestChats(page.show, ':limit')
  return rows<ChatRow>(db, `with page as materialized (${chats}) ${withLastMessage}`, { ...scope, ...placeOf(page) })
}

/** The parts to search for in names and in numbers. */
export interface ChatSearch extends ChatPage {
  readonly name: string
  readonly number: string
}

const matches = '(c.search_text like lower(:name) or c.search_text like :number)'

function patterns({ name, number, ...page }: ChatSearch) {
  return { name: contains(name), number: contains(number), ...placeOf(page) }
}

/** Returns the matches among the newest `among` chats. */
export async function searchNewest(
  db: Db,
  scope: NumbersScope,
  search: ChatSearch & { readonly among: number },
): Promise<ChatRow[]> {
  return rows<ChatRow>(
    db,
    `with newest as materialized (${newestChats('all', ':among')}), page as materialized (
       select h.* from newest h join contacts c on c.organization_id = :organizationId and c.id = h.contact_id
        where ${matches} and ${isShown[search.show]} order by h.last_at desc, h.contact_id desc limit :limit
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
       select h.container_id, h.contact_id, h.unread, h.last_at from found
         join chats h on h.contact_id = found.id and h.container_id = any(:containerIds::uuid[])
          and h.organization_id = :organizationId
        where ${isShown[search.show]} and ${afterPlace('h.last_at', 'h.contact_id')}
        order by h.last_at desc, h.contact_id desc limit :limit
     ) ${withLastMessage}`,
    { ...scope, ...patterns(search) },
  )
}

/** Returns the last messages of one chat, or the last before one of its messages, the oldest first. */
export async function readThread(
  db: Db,
  scope: NumberScope,
  contactId: string,
  { limit, before }: { readonly limit: number; readonly before: string | null },
): Promise<SeenMessage[]> {
  const newest = await rows<SeenMessage>(
    db,
    `select ${seenColumns} from ${seenMessages}
      where m.container_id = :containerId and m.organization_id = :organizationId and m.contact_id = :contactId
        and ${isSeen}
        and (:before::uuid is null or (m.at, m.id) < (
          select b.at, b.id from chat_messages b
           where b.id = :before and b.container_id = :containerId and b.contact_id = :contactId))
      order by m.at desc, m.id desc limit :limit`,
    { ...scope, contactId, limit, before },
  )
  return newest.reverse()
}
