import type { SeededChat } from '@msgctl/network/contract-suite/harness'
import type { GatewaySession } from '@msgctl/network/gateway'
import { addMessage } from '#networks/simulator/control/store.ts'
import { readMessage } from '#networks/simulator/history/store.ts'
import { contentText } from '#networks/simulator/messages/plan.ts'
import type { Db } from '#platform/db/db.ts'

/** Returns the text that the recipient's phone shows for a message now; null for one that it does not show. */
export async function shownText(db: Db, session: GatewaySession, networkId: string): Promise<string | null> {
  const message = await readMessage(db, session, networkId)
  return message && message.revokedAt === null ? contentText(message.content) : null
}

/** Gives the phone of a number these chats, a second between two messages. */
export async function seedChats(db: Db, session: GatewaySession, chats: readonly SeededChat[]): Promise<void> {
  for (const { digits, messages } of chats) {
    for (const [n, { direction, text }] of messages.entries()) {
      const networkId = crypto.randomUUID()
      const content =
        direction === 'in' ? ({ kind: 'inbound', type: 'chat', text } as const) : ({ kind: 'text', text } as const)
      const afterMs = (n - messages.length) * 1000
      await addMessage(db, {
        containerId: session.containerId,
        organizationId: session.organizationId,
        clientId: networkId,
        networkId,
        chat: digits,
        direction,
        content,
        afterMs,
        typed: false,
        failed: false,
      })
    }
  }
}
