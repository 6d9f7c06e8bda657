import type { Db } from '#platform/db/db.ts'
import {
  type BotChat,
  endQuietConversations,
  filterCustomers,
  giveToPerson,
  insertInbox,
  type OfferedMessage,
  openConversations,
} from './inbox-store.ts'

/**
 * Stores messages for the assistants of their numbers, in the transaction that stores the messages, and makes their
 * conversations due. Messages in conversations that a person answers are left to that person.
 */
export async function offerToAssistants(trx: Db, messages: readonly OfferedMessage[]): Promise<void> {
  if (messages.length === 0) return
  const chats = await filterCustomers(trx, distinctChats(messages))
  if (chats.length === 0) return
  await endQuietConversations(trx, chats)
  const conversations = await openConversations(trx, chats)
  const open = new Map(conversations.filter(({ held }) => !held).map((one) => [chatKey(one), one.id]))
  const accepted = messages.flatMap((message) => {
    const conversationId = open.get(chatKey(message))
    return conversationId === undefined ? [] : [{ ...message, conversationId }]
  })
  if (accepted.length > 0) await insertInbox(trx, accepted)
}

/** Notes that people wrote in these chats on the phone: the assistant is silent there for its pause. */
export async function leaveToPeople(trx: Db, chats: readonly BotChat[]): Promise<void> {
  if (chats.length > 0) await giveToPerson(trx, distinctChats(chats))
}

function chatKey({ containerId, contactId }: BotChat): string {
  return `${containerId} ${contactId}`
}

function distinctChats(chats: readonly BotChat[]): BotChat[] {
  const byKey = new Map(
    chats.map(({ organizationId, containerId, contactId, botId }) => {
      const chat = { organizationId, containerId, contactId, botId }
      return [chatKey(chat), chat] as const
    }),
  )
  return [...byKey.values()]
}
