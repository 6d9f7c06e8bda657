import type { Contract } from '@msgctl/contract'
import type { Content } from '@msgctl/network/gateway'
import type { Caller, Request } from '#api/http/handler.ts'
import { type ChosenNumber, selectSender } from '#numbers/send-group/select-number.ts'
import { repeatedResult } from '#sending/messages/direct/direct.ts'
import type { Services } from '#services.ts'
import { deliverVia } from './direct.ts'
import {
  requireConnected,
  requireNotDeleted,
  requireSent,
  type SentMessage,
  toMessageRef,
  wrongNumber,
} from './sent-message.ts'

/**
 * Forwards a sent message to another recipient, as a direct send through the number that sent it: no other number has
 * it. The copy is a message of its own.
 */
export async function forward(request: Request<Contract['alert']['forward']>, services: Services) {
  const repeated = await repeatedResult(request, services)
  if (repeated) return repeated
  const { caller, params, body } = request
  const message = await requireSent(services, caller, params.messageId)
  requireNotDeleted(message)
  const through = await numberFor(services, caller, body.containerId, message)
  const { kind, content } = message
  return deliverVia(services, request, { ...through, kind, content }, (session, to, options) =>
    services.gateway.forward(session, to, toMessageRef(message), { ...options, fallback: rebuildContent(message) }),
  )
}

/**
 * Returns what a stored message was, for a driver that no longer holds it. Null for files, contact cards and polls:
 * only their label is stored.
 */
export function rebuildContent({ kind, content }: Pick<SentMessage, 'kind' | 'content'>): Content | null {
  if (kind === 'text' || kind === 'link') return { kind: 'text', text: content, linkPreview: true }
  if (kind !== 'location') return null
  const place = locationForm.exec(content)?.groups
  if (!place) return null
  const { latitude, longitude, name } = place
  return { kind, latitude: Number(latitude), longitude: Number(longitude), ...(name ? { name } : {}) }
}

/** The label of a location, see locationLabel. */
const locationForm = /^\[location\] (?<latitude>-?[\d.e-]+),(?<longitude>-?[\d.e-]+)(?: (?<name>.*))?$/s

/**
 * Returns the number that sent the message. Naming another number is refused: as unknown, as not connected, or as the
 * wrong one.
 */
async function numberFor(
  { db }: Services,
  caller: Caller,
  named: string | undefined,
  message: SentMessage,
): Promise<ChosenNumber> {
  if (named === undefined) {
    const { containerId } = requireConnected(caller.organizationId, message)
    return { containerId, pinned: true }
  }
  const through = await selectSender(db, caller, named)
  if (through.containerId !== message.containerId) throw wrongNumber()
  return through
}
