import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Content } from '@msgctl/network/gateway'
import type { Caller } from '#api/http/handler.ts'
import { withoutKey } from '#api/idempotency/idempotency.ts'
import { downloadAttachment } from '#conversations/chats/attachment.ts'
import { transaction } from '#platform/db/db.ts'
import { ApiError } from '#platform/errors.ts'
import { cancel, edit, remove } from '#sending/alert/change.ts'
import { sendDirectly } from '#sending/alert/direct.ts'
import { forward } from '#sending/alert/forward.ts'
import { sendText } from '#sending/alert/send.ts'
import type { Services } from '#services.ts'
import type { Side } from './pair.ts'

/** The caller of what the check sends: as an account key. The products of the organization do not matter. */
function callerOf({ organizationId }: Side): Caller {
  return {
    kind: 'account_key',
    organizationId,
    role: 'admin',
    containerId: null,
    userId: null,
    products: new Set(),
    trial: false,
    credential: 'account',
    credentialHash: Buffer.alloc(0),
  }
}

/** Requests of the check have no Idempotency-Key. */
const unkeyed = <Answer>({ db }: Services) => withoutKey<Answer>((work) => transaction(db, work))

/** Returns what handlers get beside the input and the key. */
function factsOf(side: Side) {
  const requestId = randomUUID()
  return {
    requestId,
    ip: '',
    origin: { ip: '', requestId, userAgent: null },
    signal: new AbortController().signal,
    caller: callerOf(side),
    lastEventId: null,
    query: {},
  }
}

/** Queues a text as `POST /alert/send` does. Returns its message id, and throws the errors of that route. */
export async function queueText(services: Services, from: Side, to: Side, message: string): Promise<string> {
  const body = { phone: to.phone, containerId: from.containerId, message, priority: 'high' as const }
  const { messageId } = await sendText({ ...factsOf(from), params: {}, body, idempotency: unkeyed(services) }, services)
  return messageId
}

/** Cancels a message that still waits in the queue. Returns whether it did. */
export async function takeBack(
  { services }: { readonly services: Services },
  from: Side,
  id: string,
): Promise<boolean> {
  try {
    const facts = { ...factsOf(from), params: { messageId: id }, body: {} }
    await cancel({ ...facts, idempotency: unkeyed(services) }, services)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Sends anything but a text, as the routes for it do. Returns its message id, and throws their errors. */
export async function sendContent(
  services: Services,
  from: Side,
  to: Side,
  outgoing: { readonly label: string; readonly content: Content },
): Promise<string> {
  const body = { phone: to.phone, containerId: from.containerId }
  const request = { caller: callerOf(from), body, idempotency: unkeyed(services) }
  return (await sendDirectly(request, services, (send) => send(outgoing))).messageId
}

/** Forwards a message. Returns the message id of the copy. */
export async function forwardMessage(services: Services, from: Side, to: Side, messageId: string): Promise<string> {
  const input = { params: { messageId }, body: { phone: to.phone } }
  return (await forward({ ...factsOf(from), ...input, idempotency: unkeyed(services) }, services)).messageId
}

/** Edits the text or the caption of a message. */
export async function editMessage(
  services: Services,
  from: Side,
  messageId: string,
  body: { readonly message: string } | { readonly caption: string },
): Promise<void> {
  await edit({ ...factsOf(from), params: { messageId }, body, idempotency: unkeyed(services) }, services)
}

/** Deletes a message from both phones. */
export async function deleteMessage(services: Services, from: Side, messageId: string): Promise<void> {
  await remove({ ...factsOf(from), params: { messageId }, body: {}, idempotency: unkeyed(services) }, services)
}

/** Fetches the file of a received message, as `GET /chats/attachments/{id}` does. */
export async function fetchFile(services: Services, side: Side, id: string): Promise<Buffer> {
  const facts = { ...factsOf(side), params: { id }, body: {} }
  const { bytes } = await downloadAttachment({ ...facts, idempotency: unkeyed(services) }, services)
  return buffer(bytes)
}
