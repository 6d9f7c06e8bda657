import type { Content } from '@msgctl/network/gateway'
import type { Caller } from '#api/http/handler.ts'
import { selectSender } from '#numbers/send-group/select-number.ts'
import {
  type DirectRequest,
  type DirectResult,
  type NetworkCall,
  repeatedResult,
  sendDirect,
} from '#sending/messages/direct/direct.ts'
import { requesterOf } from '#sending/messages/requester.ts'
import type { Services } from '#services.ts'

/** The fields that all requests for direct sends share. */
export interface DirectSendRequest {
  readonly caller: Caller
  readonly body: {
    readonly phone: string
    readonly containerId?: string | undefined
    readonly clientReference?: string | undefined
  }
  readonly idempotency: DirectRequest['idempotency']
}

/** The content to send; `label` is the text that GET /messages shows. */
interface Outgoing {
  readonly label: string
  readonly content: Content
}

/** Sends one message; a request calls it once. */
export type Deliver = (outgoing: Outgoing) => Promise<DirectResult>

/**
 * Handles a request for a direct send (specification, "Media sends"). The number is selected first. Then `bring` makes
 * the content and calls `deliver`; its resources stay open until the network has the content. A repeat of an earlier
 * request brings and sends nothing.
 */
export async function sendDirectly(
  request: DirectSendRequest,
  services: Services,
  bring: (deliver: Deliver) => Promise<DirectResult>,
): Promise<DirectResult> {
  const repeated = await repeatedResult(request, services)
  if (repeated) return repeated
  const { caller, body } = request
  const through = await selectSender(services.db, caller, body.containerId, body.phone)
  return bring(({ label, content }) =>
    deliverVia(services, request, { ...through, kind: content.kind, content: label }, (session, to, options) =>
      services.gateway.send(session, to, content, options),
    ),
  )
}

/** Sends the message of a request through a chosen number. */
export function deliverVia(
  services: Services,
  request: DirectSendRequest,
  message: { containerId: string; pinned: boolean; kind: Content['kind']; content: string },
  call: NetworkCall,
): Promise<DirectResult> {
  const { caller, body } = request
  const whole = {
    ...message,
    organizationId: caller.organizationId,
    type: 'alert',
    recipient: body.phone,
    clientReference: body.clientReference ?? null,
    sentBy: requesterOf(caller),
  } as const
  return sendDirect(services, request, whole, call)
}
