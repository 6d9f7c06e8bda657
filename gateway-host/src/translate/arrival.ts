import { jidNormalizedUser, normalizeMessageContent, proto, unpadRandomMax16 } from 'baileys'
import { contentOf } from './inbound-content.ts'
import type { NetworkEvent } from './network-event.ts'
import { addressOf, isPerson, type Person, personOf, senderAddresses } from './person.ts'
import { openVote } from './vote.ts'

/** One decrypted stanza. */
export interface Arrival {
  readonly attrs: Readonly<Record<string, string | undefined>>
  readonly plain: Uint8Array
}

/** What translating an arrival needs beside it. */
export interface ArrivalContext {
  /** The account of the number, by digits and by hidden id. */
  readonly me: readonly string[]
  /** Returns a message of ours by its id. */
  findSent(id: string): Promise<proto.IMessage | null>
}

const { Type } = proto.Message.ProtocolMessage

/** Returns the events of a decrypted stanza; none for what shows people nothing. */
export async function arrivalEvents({ attrs, plain }: Arrival, context: ArrivalContext): Promise<NetworkEvent[]> {
  const decoded = proto.Message.decode(unpadRandomMax16(plain))
  const own = decoded.deviceSentMessage
  const message = own ? own.message : decoded
  const chat = own?.destinationJid ?? attrs.from ?? ''
  const groupId = chat.endsWith('@g.us') ? chat : undefined
  const networkId = attrs.id
  if (networkId === undefined || (groupId === undefined && !isPerson(chat))) return []
  // Whole seconds; the service orders the messages of one second by their arrival.
  const at = new Date(Number(attrs.t ?? 0) * 1000).toISOString()
  const m = normalizeMessageContent(message ?? undefined)
  if (m?.protocolMessage) return changeEvents(m.protocolMessage, at)
  if (m?.pollUpdateMessage) return voteEvents({ ...m.pollUpdateMessage, id: networkId }, attrs, at, context)
  const content = contentOf(message)
  if (!content) return []
  if (own) return [{ kind: 'message.out', at, networkId, to: addressOf(chat), text: content.text }]
  const person = personOf(senderAddresses(attrs))
  const inbound = {
    ...content,
    networkId,
    from: person.address,
    senderName: attrs.notify ?? '',
    ...(person.lid ? { lid: person.lid } : {}),
    ...(groupId ? { groupId } : {}),
  }
  return [...mappingEvents(person, at), { kind: 'message.in', at, message: inbound }]
}

function mappingEvents({ address, lid }: Person, at: string): NetworkEvent[] {
  return lid && address.kind === 'phone' ? [{ kind: 'lid.mapping', at, lid, digits: address.digits }] : []
}

function changeEvents({ type, key, editedMessage }: proto.Message.IProtocolMessage, at: string): NetworkEvent[] {
  const networkId = key?.id
  if (!networkId) return []
  if (type === Type.REVOKE) return [{ kind: 'message.revoked', at, networkId }]
  if (type !== Type.MESSAGE_EDIT) return []
  return [{ kind: 'message.edited', at, networkId, text: contentOf(editedMessage)?.text ?? '' }]
}

async function voteEvents(
  { id, pollCreationMessageKey, vote }: proto.Message.IPollUpdateMessage & { id: string },
  attrs: Arrival['attrs'],
  at: string,
  context: ArrivalContext,
): Promise<NetworkEvent[]> {
  const pollId = pollCreationMessageKey?.id
  const sent = pollId && vote ? await context.findSent(pollId) : null
  if (!sent || !pollId || !vote) return []
  const voters = senderAddresses(attrs)
  const selectedOptions = openVote(vote, pollId, sent, { creators: context.me.map(jidNormalizedUser), voters })
  if (!selectedOptions) return []
  const from = personOf(voters).address
  return [{ kind: 'poll.vote', at, pollNetworkId: pollId, voteNetworkId: id, from, selectedOptions }]
}
