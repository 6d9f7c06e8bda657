import { type Routes, refusal } from './server.ts'
import type { FakeMessage } from './service.ts'

const ada = '12025550100'
const hidden = '77123@lid'

/** The routes of chats and contacts: two people have written, one of them behind a hidden number. */
export function inboxRoutes(sent: readonly FakeMessage[]): Routes {
  const received = [
    { id: '0190c1d2-0000-7000-8000-0000000000b1', phone: ada, name: 'Ada', text: 'Are you open?', type: 'chat' },
    { id: '0190c1d2-0000-7000-8000-0000000000b2', phone: hidden, name: null, text: 'Hello', type: 'chat' },
  ].map((message, minute) => ({ ...message, at: `2026-11-01T08:0${minute}:00.000Z`, read: false }))
  const contacts = [
    { id: '0190c1d2-0000-7000-8000-0000000000c1', name: 'Ada', phone: ada, lid: null, saved: true, optedOut: false },
    { id: '0190c1d2-0000-7000-8000-0000000000c2', name: null, phone: null, lid: hidden, saved: false, optedOut: false },
  ]
  let words: string[] = []
  let importing = 0
  const unreadOf = (phone: string) => received.filter((each) => each.phone === phone && !each.read)
  const mark = (which: typeof received) => {
    for (const message of which) message.read = true
    return { body: { success: true, marked: which.length } }
  }
  return {
    'GET /chats/unread': () => {
      const messages = received.filter(({ read }) => !read).map(({ read: _read, ...message }) => message)
      return { body: { success: true, messages } }
    },
    'POST /chats/unread/ack': ({ body }) =>
      mark(received.filter(({ id, read }) => !read && (body.ids as string[]).includes(id))),
    'GET /chats': ({ query }) => {
      const chats = received
        .filter(({ phone, name }) => `${phone} ${name}`.includes(query.search ?? ''))
        .map(({ phone, name, text: lastMessage, at: lastAt }) => {
          return { phone, name, lastMessage, lastDirection: 'in', lastAt, unread: unreadOf(phone).length }
        })
      return { body: { success: true, chats: chats.reverse() } }
    },
    'GET /chats/:phone': (_seen, typed = '') => {
      const phone = typed.replace('+', '')
      const theirs = received.filter((each) => each.phone === phone)
      const written = theirs.map(({ id, text, at, type }) => ({ id, direction: 'in', text, at, type }))
      const answers = sent
        .filter(({ recipient }) => recipient === phone)
        .map(({ id, content: text, status, createdAt: at }) => ({ id, direction: 'out', text, at, status }))
      return { body: { success: true, phone, name: theirs[0]?.name ?? null, messages: [...written, ...answers] } }
    },
    'POST /chats/:phone/read': (_seen, phone = '') => mark(unreadOf(phone.replace('+', ''))),
    'GET /contacts/count': () => {
      importing = Math.max(0, importing - 1)
      return { body: { success: true, count: contacts.length, historyImportedAt: null, importing: importing > 0 } }
    },
    'GET /contacts/opt-out-words': () => ({ body: { success: true, words } }),
    'PUT /contacts/opt-out-words': ({ body }) => {
      words = (body.words as string[]).map((word) => word.toUpperCase())
      return { body: { success: true, words } }
    },
    'POST /contacts/sync': () => {
      importing = 3
      const counts = { contacts: 2, saved: 1, lidsLinked: 0, messagesLinked: 0 }
      return { body: { success: true, ...counts, importing: true } }
    },
    'GET /contacts': ({ query }) => {
      const found = contacts.filter(({ name, phone, lid }) => `${name} ${phone} ${lid}`.includes(query.search ?? ''))
      return { body: { success: true, contacts: found } }
    },
    'PUT /contacts/:id': ({ body }, id) => {
      const contact = contacts.find((each) => each.id === id)
      if (!contact) return refusal(404, 'NOT_FOUND', 'There is no such contact.')
      return { body: { success: true, contact: Object.assign(contact, { optedOut: body.optedOut }) } }
    },
  }
}
