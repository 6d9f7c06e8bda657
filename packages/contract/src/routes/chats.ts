import * as z from 'zod'
import { endpoints } from '../endpoints.ts'
import { ok } from '../model/envelope.ts'
import {
  at,
  containerId,
  containerIdOrAll,
  count,
  limitQuery,
  person,
  phone,
  queryInteger,
  search,
  uuid,
} from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { messageStatuses } from '../model/states.ts'
import { type Covers, route } from '../route.ts'

const access = { feature: 'inbox', keys: 'any' } as const
const params = z.object({ phone: phone.describe('Digits, with or without +, or the `@lid` id, URL-encoded.') })
const marked = count('Messages marked read.')
const personName = z.string().nullable().describe('Saved or network name; null when unknown.')

const chat = z
  .object({
    containerId: z.uuid().describe('The number that has this chat.'),
    phone: person,
    lid: z.string().optional().describe('The network id, when both are known.'),
    name: personName,
    lastMessage: z.string().describe('Text of the last message; empty for a file without a caption.'),
    lastDirection: z.enum(['in', 'out']).describe('in: they wrote; out: the number wrote.'),
    lastAt: at('When the last message was written.'),
    unread: count('Received messages that are not marked read.'),
    lastAttachment: z.string().optional().describe('The label of the file in the last message.'),
    unsent: z
      .enum(messageStatuses)
      .optional()
      .describe('Status of the newest message to the person, if it was not sent: queued, sending or failed.'),
  })
  .meta({ id: 'Chat', description: 'The last message of the chat with one contact.' })

const threadMessage = z
  .object({
    id: z.uuid().describe('The message.'),
    direction: z.enum(['in', 'out']).describe('in: they wrote; out: the number wrote.'),
    text: z.string().describe('The text; empty for a file without a caption.'),
    at: at('When it was written.'),
    status: z.enum(messageStatuses).optional().describe('Delivery status, on out messages.'),
    type: z.string().optional().describe('Kind of message, e.g. chat, on in messages.'),
  })
  .meta({ id: 'ChatMessage', description: 'One message of a chat, sent or received.' })

const unsentMessage = z
  .object({
    id: z.uuid().describe('The message.'),
    text: z.string().describe('The text; empty for a file without a caption.'),
    at: at('When it was accepted.'),
    status: z.enum(messageStatuses).describe('queued, sending or failed.'),
    error: z.string().nullable().describe('Why it failed.'),
  })
  .meta({ id: 'UnsentMessage', description: 'A message to a contact that was not sent.' })

const unreadMessage = z
  .object({
    id: z.uuid().describe('The message, for /chats/unread/ack.'),
    containerId: z.uuid().describe('The number that received it.'),
    phone: person,
    name: personName,
    text: z.string().describe('The text; empty for a file without a caption.'),
    type: z.string().describe('Kind of message, e.g. chat.'),
    at: at('When it was written.'),
  })
  .meta({ id: 'UnreadMessage', description: 'A received message that is not marked read.' })

/** Values above 200 count as 200, values above 500 are refused (specification, "Chats and contacts"). */
const chatLimit = queryInteger(1, limits.chats.accepted)
  .transform((limit) => Math.min(limit, limits.chats.max))
  .default(limits.chats.default)
  .describe('Chats at most, up to 200; values up to 500 are accepted and give 200.')

export const chats = {
  /** Lists the chats of a number or of all numbers, newest first. Empty without a number. Needs Connect. At most 200. */
  list: route(endpoints.chats.list, {
    summary: 'List chats, newest first',
    access,
    query: z.object({
      limit: chatLimit,
      search: search('Part of a number or name.'),
      containerId: containerIdOrAll,
    }),
    status: 200,
    response: ok({ chats: z.array(chat).describe('The chats, newest first.') }),
    errors: ['NOT_FOUND'],
  }),

  /**
   * Lists received messages of a number or of all numbers that are not marked read, oldest first, and marks none. Needs
   * Connect. At most 500.
   */
  unread: route(endpoints.chats.unread, {
    summary: 'List unread messages',
    access,
    query: z.object({ limit: limitQuery(limits.unread), containerId: containerIdOrAll }),
    status: 200,
    response: ok({ messages: z.array(unreadMessage).describe('The messages, oldest first.') }),
    errors: ['NOT_FOUND'],
  }),

  /** Marks up to 500 received messages as read. The contact sees no read receipts. Needs Connect. */
  ack: route(endpoints.chats.ack, {
    summary: 'Mark messages read',
    access,
    body: z.object({
      ids: z.array(uuid).min(1).max(limits.acknowledge).describe('1 to 500 ids of received messages.'),
    }),
    status: 200,
    response: ok({ marked }),
    errors: [],
  }),

  /** Reads the chat with one person, oldest message first. Needs Connect. At most 500 messages, the latest ones. */
  thread: route(endpoints.chats.thread, {
    summary: 'Read one chat',
    access,
    params,
    query: z.object({ limit: limitQuery(limits.thread), containerId }),
    status: 200,
    response: ok({
      phone: person,
      name: personName,
      messages: z.array(threadMessage).describe('The messages, oldest first.'),
      unsent: z
        .array(unsentMessage)
        .optional()
        .describe('Messages of the last 7 days that were not sent, oldest first; absent without any.'),
    }),
    errors: ['NOT_FOUND'],
  }),

  /** Marks all messages received from one person read, in the service only. Needs Connect. */
  read: route(endpoints.chats.read, {
    summary: 'Mark one chat read',
    access,
    params,
    status: 200,
    response: ok({ marked }),
    errors: [],
  }),
} satisfies Covers<typeof endpoints.chats>
