import { randomUUID } from 'node:crypto'
import { type Answerer, type Routes, refusal } from './server.ts'

/** A message as far as these routes care for it. */
interface Kept {
  readonly id: string
  status: string
  // biome-ignore lint/suspicious/noExplicitAny: the fields that only travel through.
  [field: string]: any
}

const instant = '2026-11-01T08:00:00.000Z'
const kinds = ['image', 'video', 'file', 'voice', 'contact', 'location', 'link', 'poll'] as const

/** What leaves at once, and what is done to a message afterwards. The body comes back in the message's content. */
export function atOnceRoutes(messages: Kept[], numberId: string): Routes {
  const first = new Map<string, Kept>()

  function keep(body: Record<string, unknown>, content: string): Kept {
    const { phone, containerId = numberId, clientReference = null } = body
    const message = {
      id: randomUUID(),
      type: 'alert',
      recipient: String(phone).replace(/\D/g, ''),
      content,
      status: 'sent',
      containerId,
      clientReference,
      createdAt: instant,
      gatewayMessageId: `3EB0${randomUUID()}`,
    }
    messages.unshift(message)
    return message
  }

  function answer(message: Kept, replayed: boolean) {
    const { id: messageId, gatewayMessageId, containerId } = message
    const body = { success: true, messageId, gatewayMessageId, containerId }
    return { status: 201, body, ...(replayed && { headers: { 'idempotency-replayed': 'true' } }) }
  }

  const send: Answerer = ({ body, headers }) => {
    const phone = String(body.phone).replace(/\D/g, '')
    if (phone === '12025550111') {
      const details = { messageId: randomUUID(), outcome: 'not_sent', reason: 'rejected' }
      return refusal(502, 'GATEWAY_ERROR', 'The network refused the message.', details)
    }
    const key = headers['idempotency-key']
    const before = key === undefined ? undefined : first.get(String(key))
    if (before) return answer(before, true)
    const { phone: _to, containerId: _through, clientReference: _own, ...rest } = body
    const message = keep(body, JSON.stringify(rest))
    if (key !== undefined) first.set(String(key), message)
    return answer(message, false)
  }

  const found = (id: string | undefined) => messages.find((each) => each.id === id)
  const missing = () => refusal(404, 'MESSAGE_NOT_FOUND', 'There is no such message.')

  return {
    ...Object.fromEntries(kinds.map((kind) => [`POST /alert/send-${kind}`, send])),
    'PUT /alert/messages/:id': ({ body }, id) => {
      const message = found(id)
      if (!message) return missing()
      message.content = body.message === undefined ? `caption: ${body.caption}` : body.message
      const { gatewayMessageId = 'x', containerId } = message
      return { body: { success: true, messageId: id, gatewayMessageId, containerId, editedAt: instant } }
    },
    'DELETE /alert/messages/:id': (_seen, id) =>
      found(id) ? { body: { success: true, messageId: id, deletedAt: instant } } : missing(),
    'POST /alert/messages/:id/forward': ({ body }, id) => {
      const message = found(id)
      return message ? answer(keep(body, message.content), false) : missing()
    },
    'POST /alert/messages/:id/cancel': (_seen, id) => {
      const message = found(id)
      if (!message) return missing()
      if (message.status !== 'queued') {
        const details = { reason: 'not_queued', status: message.status }
        return refusal(400, 'FORBIDDEN_ACTION', 'Only a queued message can be taken back.', details)
      }
      message.status = 'failed'
      return { body: { success: true, messageId: id, status: 'failed' } }
    },
  }
}
