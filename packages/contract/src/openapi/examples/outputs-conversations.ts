import * as cast from './cast.ts'
import type { Outputs } from './examples.ts'

const { jane, question } = cast

const success = true
const contact = {
  id: jane.contactId,
  name: jane.name,
  phone: jane.phone,
  lid: null,
  saved: true,
  optedOut: false,
} as const

/** Example responses about chats and contacts. */
export const ofConversations = {
  chats: {
    list: {
      success,
      chats: [
        {
          containerId: cast.support.containerId,
          phone: jane.phone,
          name: jane.name,
          lastMessage: question.text,
          lastDirection: 'in',
          lastAt: question.at,
          unread: 1,
        },
      ],
      nextCursor: null,
    },
    unread: {
      success,
      messages: [
        {
          id: question.id,
          containerId: cast.support.containerId,
          phone: jane.phone,
          name: jane.name,
          text: question.text,
          type: 'chat',
          at: question.at,
        },
      ],
    },
    ack: { success, marked: 1 },
    attachment: { content: Uint8Array.from([0xff, 0xd8, 0xff]), mimetype: 'image/jpeg', filename: 'Photo.jpg' },
    thread: {
      success,
      phone: jane.phone,
      name: jane.name,
      messages: [
        {
          id: cast.order.messageId,
          direction: 'out',
          text: cast.order.text,
          at: cast.order.acceptedAt,
          status: 'read',
        },
        { id: question.id, direction: 'in', text: question.text, at: question.at, type: 'chat' },
      ],
    },
    read: { success, marked: 1 },
  },
  contacts: {
    search: { success, total: 1, page: 1, limit: 10, contacts: [contact] },
    list: { success, total: 1, page: 1, limit: 50, contacts: [contact] },
    optOuts: { success, total: 1, page: 1, limit: 50, optOuts: [{ ...contact, optedAt: cast.now }] },
    addOptOuts: { success, optedOut: 1, already: 1 },
    count: { success, count: 214, historyImportedAt: '2026-10-05T08:20:00.000Z', importing: false },
    sync: { success, contacts: 214, saved: 180, lidsLinked: 3, messagesLinked: 12, importing: true },
    update: { success, contact: { ...contact, optedOut: true } },
    optOutWords: { success, words: ['STOP PLEASE', 'NO MORE'] },
    setOptOutWords: { success, words: ['STOP PLEASE', 'NO MORE'] },
  },
} as const satisfies Outputs
