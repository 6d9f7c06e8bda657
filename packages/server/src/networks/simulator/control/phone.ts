import * as z from 'zod'
import type { SimContext } from '#networks/simulator/context.ts'
import { addEvents } from '#networks/simulator/events/store.ts'
import { contentText } from '#networks/simulator/messages/plan.ts'
import { addressesOf } from '#networks/simulator/people/lid.ts'
import { personAt } from '#networks/simulator/people/people.ts'
import type { SimCaller } from './caller.ts'
import { number } from './inbound.ts'
import { findPresence, listPhone, listTyping, listUnread, type PhoneMessage } from './phone-store.ts'

/** Whose phone, and which of its messages. */
export const phoneQuery = z.object({
  phone: number,
  after: z.coerce.number<number>().int().min(0).default(0),
  limit: z.coerce.number<number>().int().min(1).max(200).default(100),
})
export const phoneBody = z.object({ phone: number })

const readAtOnce = 200

/** Returns what the phone of a person shows: both sides of its conversations, who types, and whether it is on. */
export async function showPhone(ctx: SimContext, query: z.infer<typeof phoneQuery>, { organizationId }: SimCaller) {
  const person = personAt({ kind: 'phone', digits: query.phone })
  const scope = { organizationId, chats: addressesOf(query.phone) }
  const [messages, typing, online] = await Promise.all([
    listPhone(ctx.db, scope, query.after, query.limit),
    listTyping(ctx.db, scope),
    findPresence(ctx.db, query.phone),
  ])
  return {
    phone: query.phone,
    name: person?.name ?? null,
    online: online ?? person?.startsOnline ?? false,
    typing,
    messages: messages.map(messageView),
  }
}

/** Reads everything on the phone of a person: the numbers receive the receipts, once the phone is online. */
export async function readPhone(
  ctx: SimContext,
  { phone }: z.infer<typeof phoneBody>,
  { organizationId }: SimCaller,
): Promise<{ read: number }> {
  const unread = await listUnread(ctx.db, { organizationId, chats: addressesOf(phone) }, readAtOnce)
  await addEvents(
    ctx.db,
    unread.map((message) => ({
      containerId: message.containerId,
      organizationId: message.organizationId,
      afterMs: 0,
      person: phone,
      payload: { kind: 'message.status', networkId: message.networkId, status: 'read' },
    })),
  )
  return { read: unread.length }
}

/** `status` of what the person wrote: sent, or read once the number has seen it. */
function messageView({ id, direction, containerId, content, at, status, isRevoked, isSeen }: PhoneMessage) {
  const ownStatus = isSeen ? 'read' : 'sent'
  return {
    id,
    direction,
    containerId,
    kind: content.kind,
    text: isRevoked ? '' : contentText(content),
    content: isRevoked ? null : content,
    deleted: isRevoked,
    at,
    status: direction === 'in' ? ownStatus : (status ?? 'sent'),
  }
}
