import { contract, limits, type OutputOf } from '@msgctl/contract'
import * as z from 'zod'
import { readTool } from '#ai-clients/mcp/tool.ts'
import { defined, nameFromContact, numberOrAll, ownNumber, person, rows, textFromContact, truncated } from './fields.ts'

const { list, unread, thread } = contract.chats
const chat = list.response.shape.chats.element.shape
const unreadMessage = unread.response.shape.messages.element.shape
const threadMessage = thread.response.shape.messages.element.shape
const unsentMessage = thread.response.shape.unsent.unwrap().element

type Chats = OutputOf<'chats', 'list'>
type Unread = OutputOf<'chats', 'unread'>
type Thread = OutputOf<'chats', 'thread'>
type Found = OutputOf<'contacts', 'search'>

export const findChats = readTool({
  name: 'find_chats',
  title: 'Find chats',
  description: 'List the newest chats, each with its last message, or find chats by a part of a name or phone number.',
  input: z.object({
    search: z.string().max(limits.search).optional().describe('Part of a name or phone number.'),
    limit: rows,
    containerId: numberOrAll,
  }),
  output: z.object({
    chats: z
      .array(
        z.object({
          containerId: chat.containerId,
          phone: chat.phone,
          nameFromContact,
          lastMessageFromContact: textFromContact.optional(),
          lastMessage: z.string().optional().describe('Text of the last message, where the organization wrote it.'),
          lastAttachmentFromContact: z.string().optional().describe('Label of the file in the last message.'),
          lastAt: chat.lastAt,
          unread: chat.unread,
          unsent: chat.unsent,
          truncated,
        }),
      )
      .describe('The chats, newest first.'),
    truncated,
  }),
  route: () => ['chats', 'list'],
  toInput: ({ search, limit, containerId }) => ({ query: defined({ search, limit, containerId }) }),
  toAnswer: ({ chats }: Chats) => ({
    chats: chats.map((one) =>
      defined({
        containerId: one.containerId,
        phone: one.phone,
        nameFromContact: one.name,
        [one.lastDirection === 'in' ? 'lastMessageFromContact' : 'lastMessage']: one.lastMessage,
        lastAttachmentFromContact: one.lastAttachment,
        lastAt: one.lastAt,
        unread: one.unread,
        unsent: one.unsent,
      }),
    ),
  }),
})

export const listUnread = readTool({
  name: 'list_unread',
  title: 'List unread messages',
  description: 'List received messages that are not marked read, oldest first. It marks nothing.',
  input: z.object({ limit: rows, containerId: numberOrAll }),
  output: z.object({
    messages: z
      .array(
        z.object({
          id: unreadMessage.id,
          containerId: unreadMessage.containerId,
          phone: unreadMessage.phone,
          nameFromContact,
          textFromContact,
          type: unreadMessage.type,
          at: unreadMessage.at,
          truncated,
        }),
      )
      .describe('The messages, oldest first.'),
    truncated,
  }),
  route: () => ['chats', 'unread'],
  toInput: (query) => ({ query }),
  toAnswer: ({ messages }: Unread) => ({
    messages: messages.map(({ name, text, ...message }) => ({
      ...message,
      nameFromContact: name,
      textFromContact: text,
    })),
  }),
})

export const readChat = readTool({
  name: 'read_chat',
  title: 'Read a chat',
  description: 'Read the latest messages with one person, oldest first.',
  input: z.object({
    phone: person,
    limit: z
      .int()
      .min(1)
      .max(limits.mcp.messages.max)
      .default(limits.mcp.messages.default)
      .describe(`How many messages to return, up to ${limits.mcp.messages.max}.`),
    containerId: ownNumber,
  }),
  output: z.object({
    phone: thread.response.shape.phone,
    nameFromContact,
    messages: z
      .array(
        z.object({
          id: threadMessage.id,
          direction: threadMessage.direction,
          textFromContact: textFromContact.optional(),
          text: z.string().optional().describe('What the organization wrote.'),
          at: threadMessage.at,
          status: threadMessage.status,
          type: threadMessage.type,
          truncated,
        }),
      )
      .describe('The messages, oldest first.'),
    unsent: z
      .array(unsentMessage.extend({ truncated }))
      .optional()
      .describe('Messages of the last 7 days that were not sent.'),
    truncated,
  }),
  route: () => ['chats', 'thread'],
  toInput: ({ phone, limit, containerId }) => ({ params: { phone }, query: defined({ limit, containerId }) }),
  toAnswer: ({ phone, name, messages, unsent }: Thread) =>
    defined({
      phone,
      nameFromContact: name,
      messages: messages.map(({ text, ...message }) => ({
        ...message,
        [message.direction === 'in' ? 'textFromContact' : 'text']: text,
      })),
      unsent,
    }),
})

const contact = contract.contacts.search.response.shape.contacts.element.shape

export const findContacts = readTool({
  name: 'find_contacts',
  title: 'Find contacts',
  description: 'Find people that the organization knows, by a part of their name or phone number.',
  input: z.object({
    search: z.string().min(1).max(limits.search).describe('Part of a name or phone number.'),
    limit: rows,
  }),
  output: z.object({
    contacts: z
      .array(
        z.object({
          id: contact.id,
          nameFromContact,
          phone: contact.phone,
          lid: contact.lid,
          saved: contact.saved,
          optedOut: contact.optedOut,
        }),
      )
      .describe('The people found.'),
    truncated,
  }),
  route: () => ['contacts', 'search'],
  toInput: (query) => ({ query }),
  toAnswer: ({ contacts }: Found) => ({
    contacts: contacts.map(({ name, ...one }) => ({ ...one, nameFromContact: name })),
  }),
})
