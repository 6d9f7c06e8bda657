import { v7 as newId } from 'uuid'
import { insertChatMessages, type NewChatMessage, touchChats } from '../chats/message-store.ts'
import { attachmentOf } from '../chats/view.ts'
import { inTime } from '../concurrency/deadline.ts'
import { meet, personKey } from '../contacts/meet.ts'
import { transaction } from '../db/db.ts'
import { cleanId, cleanName, cleanText } from '../gateway/clean.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Services } from '../services.ts'
import { addressOf } from './arrival.ts'
import { continueImport, endImport, failImport, takeImport, type WantedImport, writeReached } from './import-store.ts'
import { findNumbers, findOwn } from './receive-store.ts'

type Importing = Pick<Services, 'db' | 'gateway' | 'log'>
type NetworkChat = Awaited<ReturnType<Gateway['chats']>>[number]
type NetworkMessage = Awaited<ReturnType<Gateway['messages']>>[number]

/** Recent chats are so many, with so many of their last messages. */
const chatsAtMost = 500
const messagesAtMost = 100
/** One run of the job; what is left goes on in the next. */
const runMs = 30_000
/** A call that begins at the end of a run still ends within the lease. */
const callTimeoutMs = 10_000
const leaseSeconds = 45
const maxAttempts = 5

/**
 * Reads the recent chats of numbers whose contacts were synced. What it finds is history: it is read already, and no
 * event tells it. A network that cannot be asked is asked again, until five tries
 * in a row did not get on.
 */
export async function importHistories(services: Importing): Promise<void> {
  const untilMs = performance.now() + runMs
  while (performance.now() < untilMs) {
    const wanted = await takeImport(services.db, leaseSeconds)
    if (!wanted) return
    try {
      if (await importChats(services, wanted, untilMs)) await endImport(services.db, wanted)
      else await continueImport(services.db, wanted)
    } catch (error) {
      services.log.warn({ err: error, containerId: wanted.containerId }, 'recent chats could not be read')
      await failImport(services.db, wanted, maxAttempts)
    }
  }
}

/** Answers whether all was read. */
async function importChats(services: Importing, wanted: WantedImport, untilMs: number): Promise<boolean> {
  const { db, gateway } = services
  const session = { organizationId: wanted.organizationId, containerId: wanted.containerId }
  if ((await findNumbers(db, [session])).length === 0) return true
  const chats = await inTime(callTimeoutMs, gateway.chats(session, chatsAtMost))
  for (const chat of chats) {
    if (wanted.reachedAt !== null && chat.lastAt > wanted.reachedAt) continue
    if (performance.now() > untilMs) return false
    const messages = await inTime(callTimeoutMs, gateway.messages(session, chat.address, messagesAtMost))
    await storeChat(services, session, chat, messages)
    await writeReached(db, wanted, chat.lastAt)
  }
  return true
}

async function storeChat(
  { db }: Importing,
  session: { readonly organizationId: string; readonly containerId: string },
  chat: NetworkChat,
  messages: readonly NetworkMessage[],
): Promise<void> {
  const address = addressOf(chat.address)
  if (address === '' || messages.length === 0) return
  await transaction(db, async (trx) => {
    const name = cleanName(chat.name)
    const people = await meet(trx, [{ ...session, address, networkName: name === '' ? null : name }])
    const contactId = people.get(personKey({ ...session, address }))?.id
    if (contactId === undefined) return
    const rows = messages
      .map((message) => rowOf(session, contactId, message))
      .filter(({ networkId }) => networkId !== '')
    // The service's own sends are in the chat by themselves, and a code is never kept in words.
    const own = new Set((await findOwn(trx, rows)).map(({ networkId }) => networkId))
    const others = rows.filter(({ networkId }) => !own.has(networkId))
    const stored = new Set((await insertChatMessages(trx, others)).map(({ networkId }) => networkId))
    await touchChats(
      trx,
      others.filter(({ networkId }) => stored.has(networkId)).map((row) => ({ ...row, contactId, unread: 0 })),
    )
  })
}

function rowOf(
  session: { readonly organizationId: string; readonly containerId: string },
  contactId: string,
  message: NetworkMessage,
): NewChatMessage {
  return {
    id: newId(),
    ...session,
    contactId,
    direction: message.direction,
    networkId: cleanId(message.networkId),
    at: message.at,
    imported: true,
    type: message.type ?? 'chat',
    text: cleanText(message.text),
    attachment: attachmentOf(message.type ?? 'chat'),
    unread: false,
  }
}
