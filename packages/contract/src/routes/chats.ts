import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import { named, ok } from '../model/envelope.ts'
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
import { route } from '../route.ts'

const access = { feature: 'inbox', keys: 'any' } as const
const params = z.object({ phone: phone.describe('Digits, with or without +, or the `@lid` id, URL-encoded.') })
const marked = count('Messages marked read.')
const personName = z.string().nullable().describe('Saved or network name; null when unknown.')

const chat = named('Chat', 'The last message of the chat with one contact.', {
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

/** A file that someone sent. GET /chats/attachments/:id has its bytes under the id of the message. */
const attachment = named('Attachment', 'A received file. Download it by the id of its message.', {
  mimetype: z.string().describe('Type of the file, as the sender named it.'),
  filename: z.string().optional().describe('The name that the sender gave it.'),
  sizeBytes: count('Size in bytes, as the sender named it; 0 when it is not known.'),
})

const threadMessage = named('ChatMessage', 'One message of a chat, sent or received.', {
  id: z.uuid().describe('The message.'),
  direction: z.enum(['in', 'out']).describe('in: they wrote; out: the number wrote.'),
  text: z.string().describe('The text; empty for a file without a caption.'),
  at: at('When it was written.'),
  status: z.enum(messageStatuses).optional().describe('Delivery status, on out messages.'),
  type: z.string().optional().describe('Kind of message, e.g. chat, on in messages.'),
  attachment: attachment.optional().describe('The file that came with it, on in messages.'),
})

const unsentMessage = named('UnsentMessage', 'A message to a contact that was not sent.', {
  id: z.uuid().describe('The message.'),
  text: z.string().describe('The text; empty for a file without a caption.'),
  at: at('When it was accepted.'),
  status: z.enum(messageStatuses).describe('queued, sending or failed.'),
  error: z.string().nullable().describe('Why it failed.'),
})

const unreadMessage = named('UnreadMessage', 'A received message that is not marked read.', {
  id: z.uuid().describe('The message, for /chats/unread/ack.'),
  containerId: z.uuid().describe('The number that received it.'),
  phone: person,
  name: personName,
  text: z.string().describe('The text; empty for a file without a caption.'),
  type: z.string().describe('Kind of message, e.g. chat.'),
  at: at('When it was written.'),
  attachment: attachment.optional().describe('The file that came with it.'),
})

/** Which chats a list has. */
export const chatShows = ['all', 'unread', 'to_answer'] as const
export type ChatShow = (typeof chatShows)[number]

/** Values above 200 count as 200, values above 500 are refused (specification, "Chats and contacts"). */
const chatLimit = queryInteger(1, limits.chats.accepted)
  .transform((limit) => Math.min(limit, limits.chats.max))
  .default(limits.chats.default)
  .describe('Chats at most, up to 200; values up to 500 are accepted and give 200.')

export const chats = {
  /**
   * Lists the chats of a number or of all numbers, newest first: all of them, those with unread messages, or those
   * whose last message was received (`to_answer`, among the newest 20,000 received messages of each number). Empty
   * without a number. Needs Connect. At most 200; pass `nextCursor` as `cursor`, with the same filters, to continue.
   */
  list: route('GET /chats', {
    summary: 'List chats, newest first',
    access,
    query: z.object({
      limit: chatLimit,
      search: search('Part of a number or name.'),
      show: z.enum(chatShows).default('all').describe('all, unread, or to_answer: the last message was received.'),
      cursor: z.string().max(limits.cursor).optional().describe('The nextCursor of the previous page.'),
      containerId: containerIdOrAll,
    }),
    response: ok({
      chats: z.array(chat).describe('The chats, newest first.'),
      nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
    }),
    errors: ['NOT_FOUND'],
    example: {
      input: { limit: 20, search: 'Jane' },
      output: {
        chats: [
          {
            containerId: cast.support.containerId,
            phone: cast.jane.phone,
            name: cast.jane.name,
            lastMessage: cast.question.text,
            lastDirection: 'in',
            lastAt: cast.question.at,
            unread: 1,
          },
        ],
        nextCursor: null,
      },
    },
    msgctl: 'msgctl chats list --search Jane --limit 20',
  }),

  /**
   * Lists received messages of a number or of all numbers that are not marked read, oldest first, and marks none. Needs
   * Connect. At most 500.
   */
  unread: route('GET /chats/unread', {
    summary: 'List unread messages',
    access,
    query: z.object({ limit: limitQuery(limits.unread), containerId: containerIdOrAll }),
    response: ok({ messages: z.array(unreadMessage).describe('The messages, oldest first.') }),
    errors: ['NOT_FOUND'],
    example: {
      input: { limit: 20 },
      output: {
        messages: [
          {
            id: cast.question.id,
            containerId: cast.support.containerId,
            phone: cast.jane.phone,
            name: cast.jane.name,
            text: cast.question.text,
            type: 'chat',
            at: cast.question.at,
          },
        ],
      },
    },
    msgctl: 'msgctl chats unread --limit 20',
  }),

  /** Marks up to 500 received messages as read. The contact sees no read receipts. Needs Connect. */
  ack: route('POST /chats/unread/ack', {
    summary: 'Mark messages read',
    access,
    body: z.object({
      ids: z.array(uuid).min(1).max(limits.acknowledge).describe('1 to 500 ids of received messages.'),
    }),
    response: ok({ marked }),
    example: { input: { ids: [cast.question.id] }, output: { marked: 1 } },
    msgctl: `msgctl chats ack ${cast.question.id}`,
  }),

  /**
   * Downloads the file of a received message, by the id of the message. Needs Connect. ATTACHMENT_EXPIRED when the
   * network no longer keeps it; ATTACHMENT_TOO_LARGE above 100 MiB.
   */
  attachment: route('GET /chats/attachments/:id', {
    summary: 'Download a received file',
    access,
    params: z.object({ id: uuid.describe('The message that the file came with.') }),
    response: z.object({
      content: z.custom<Uint8Array>((value) => value instanceof Uint8Array).describe('The bytes of the file.'),
      mimetype: z.string().describe('Type of the file.'),
      filename: z.string().describe('The name of the file.'),
    }),
    errors: [
      'ATTACHMENT_NOT_FOUND',
      'ATTACHMENT_EXPIRED',
      'ATTACHMENT_TOO_LARGE',
      'ATTACHMENT_UNSUPPORTED',
      'GATEWAY_ERROR',
      'GATEWAY_SESSION_ERROR',
      'GATEWAY_UNREACHABLE',
      'UPSTREAM_TIMEOUT',
    ],
    download: true,
    timeoutMs: 60_000,
    example: {
      input: { id: cast.question.id },
      output: { content: Uint8Array.from([0xff, 0xd8, 0xff]), mimetype: 'image/jpeg', filename: 'Photo.jpg' },
    },
    msgctl: `msgctl chats download ${cast.question.id}`,
  }),

  /** Reads the chat with one person, oldest message first. Needs Connect. At most 500 messages, the latest ones. */
  thread: route('GET /chats/:phone', {
    summary: 'Read one chat',
    access,
    params,
    query: z.object({
      limit: limitQuery(limits.thread),
      before: uuid.optional().describe('Only messages before this one of the chat. Default: the latest.'),
      containerId,
    }),
    response: ok({
      phone: person,
      name: personName,
      messages: z.array(threadMessage).describe('The messages, oldest first.'),
      unsent: z
        .array(unsentMessage)
        .optional()
        .describe(
          'Messages of the last 7 days that were not sent, oldest first; absent without any, and with `before`.',
        ),
    }),
    errors: ['NOT_FOUND'],
    example: {
      input: { phone: cast.jane.typed, limit: 20 },
      output: {
        phone: cast.jane.phone,
        name: cast.jane.name,
        messages: [
          {
            id: cast.order.messageId,
            direction: 'out',
            text: cast.order.text,
            at: cast.order.acceptedAt,
            status: 'read',
          },
          { id: cast.question.id, direction: 'in', text: cast.question.text, at: cast.question.at, type: 'chat' },
        ],
      },
    },
    msgctl: `msgctl chats show ${cast.jane.typed} --limit 20`,
  }),

  /** Marks all messages received from one person read, in the service only. Needs Connect. */
  read: route('POST /chats/:phone/read', {
    summary: 'Mark one chat read',
    access,
    params,
    response: ok({ marked }),
    example: { input: { phone: cast.jane.typed }, output: { marked: 1 } },
    msgctl: `msgctl chats read ${cast.jane.typed}`,
  }),
}
