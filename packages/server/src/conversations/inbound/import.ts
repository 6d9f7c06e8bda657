import type { Gateway } from '@msgctl/network/gateway'
import { attachmentLabel } from '#conversations/chats/view.ts'
import {
  claimImport,
  continueImport,
  endImport,
  failImport,
  type ImportTask,
  writeReached,
} from '#conversations/contacts/import-task-store.ts'
import { personKey, upsertContacts } from '#conversations/contacts/upsert-contacts.ts'
import { insertChatMessages, type NewChatMessage, touchChats } from '#conversations/records/message-store.ts'
import { cleanId, cleanName, cleanText } from '#networks/gateway/clean.ts'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { workOn } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'
import { toContactAddress } from './arrival.ts'
import { findNumbers, findOwn } from './receive-store.ts'

type Importing = Pick<Services, 'db' | 'gateway' | 'log'>
type NetworkChat = Awaited<ReturnType<Gateway['chats']>>[number]
type NetworkMessage = Awaited<ReturnType<Gateway['messages']>>[number]

/** How many recent chats are imported, and how many messages of each. */
const maxChats = 500
const maxMessages = 100
/** The time of one run of the job. The next run continues. */
const runMs = 30_000
/** A call that starts at the end of a run still ends within the lease. */
const callTimeoutMs = 10_000
const leaseSeconds = 45
const maxAttempts = 5

/**
 * Imports the recent chats of numbers whose contacts were synchronized. Imported messages are history: they count as
 * read and no event reports them. A failed import is retried until five attempts in a row made no progress.
 */
export async function importHistories(services: Importing): Promise<void> {
  const untilMs = performance.now() + runMs
  while (performance.now() < untilMs) {
    const task = await claimImport(services.db, leaseSeconds)
    if (!task) return
    await workOn(services, 'imports', [{ ...task, id: task.containerId }], {
      run: () => importOne(services, task, untilMs),
      setAside: () => failImport(services.db, task, 0),
    })
  }
}

async function importOne(services: Importing, task: ImportTask, untilMs: number): Promise<void> {
  try {
    if (await importChats(services, task, untilMs)) await endImport(services.db, task)
    else await continueImport(services.db, task)
  } catch (error) {
    services.log.warn(
      { event: 'chat_import_failed', err: error, containerId: task.containerId },
      'failed to import recent chats',
    )
    await failImport(services.db, task, maxAttempts)
  }
}

/** Returns whether the import is complete. */
async function importChats(services: Importing, task: ImportTask, untilMs: number): Promise<boolean> {
  const { db, gateway } = services
  const session = { organizationId: task.organizationId, containerId: task.containerId }
  if ((await findNumbers(db, [session])).length === 0) return true
  const chats = await withGatewayTimeout(callTimeoutMs, gateway.chats(session, maxChats))
  for (const chat of chats) {
    if (task.reachedAt !== null && chat.lastAt > task.reachedAt) continue
    if (performance.now() > untilMs) return false
    const messages = await withGatewayTimeout(callTimeoutMs, gateway.messages(session, chat.address, maxMessages))
    await storeChat(services, session, chat, messages)
    await writeReached(db, task, chat.lastAt)
  }
  return true
}

async function storeChat(
  { db }: Importing,
  session: { readonly organizationId: string; readonly containerId: string },
  chat: NetworkChat,
  messages: readonly NetworkMessage[],
): Promise<void> {
  const address = toContactAddress(chat.address)
  if (address === '' || messages.length === 0) return
  await transaction(db, async (trx) => {
    const name = cleanName(chat.name)
    const contacts = await upsertContacts(trx, [{ ...session, address, networkName: name === '' ? null : name }])
    const contactId = contacts.get(personKey({ ...session, address }))?.id
    if (contactId === undefined) return
    const rows = messages
      .map((message) => toRow(session, contactId, message))
      .filter(({ networkId }) => networkId !== '')
    // The service's own sends are in the chat already, and the text of a code must never be stored.
    const own = new Set((await findOwn(trx, rows)).map(({ networkId }) => networkId))
    const others = rows.filter(({ networkId }) => !own.has(networkId))
    const stored = new Set((await insertChatMessages(trx, others)).map(({ networkId }) => networkId))
    await touchChats(
      trx,
      others.filter(({ networkId }) => stored.has(networkId)).map((row) => ({ ...row, contactId, unread: 0 })),
    )
  })
}

function toRow(
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
    attachment: attachmentLabel(message.type ?? 'chat'),
    unread: false,
    networkRef: null,
    file: null,
  }
}
