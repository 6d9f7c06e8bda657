import type { ChangeAuthor } from '@msgctl/network/gateway'
import { jidNormalizedUser, normalizeMessageContent, proto, unpadRandomMax16 } from 'baileys'
import { betterFile, partOf } from './better-file.ts'
import { editedId, type MessageSecret, openEdit } from './edit.ts'
import { contentOf, type InboundContent } from './inbound-content.ts'
import type { NetworkEvent } from './network-event.ts'
import {
  type Attributes,
  addressOf,
  isPerson,
  type Person,
  personOf,
  recipientAddresses,
  senderAddresses,
} from './person.ts'
import { resentMessages } from './resent.ts'
import { timerOf } from './timer.ts'
import { isOfUnknownKind, quietlyUnsupported, unsupported } from './unsupported.ts'
import { openVote } from './vote.ts'

/** One decrypted stanza. */
export interface Arrival {
  readonly attrs: Attributes
  readonly plain: Uint8Array
}

/** What translating an arrival needs beside it. */
export interface ArrivalContext {
  /** The account of the number, by digits and by hidden id. */
  readonly me: readonly string[]
  /** Returns a message of ours by its id. */
  findSent(id: string): Promise<proto.IMessage | null>
  /** Returns the secret that came with a message of the last day, by the id of the message. */
  findSecret(id: string): Promise<MessageSecret | null>
  /** Keeps the secret that came with a message, unless there is one of another author under its id. */
  keepSecret(id: string, secret: MessageSecret): Promise<void>
  /** Keeps the keys of the application state, such as the address book, that the own phone shares. */
  keepStateKeys(keys: readonly proto.Message.IAppStateSyncKey[]): Promise<void>
  /** Keeps after how many seconds the messages of the chat with a person disappear; 0: never. */
  noteTimer(addresses: readonly string[], seconds: number): Promise<void>
  /** Returns the attributes of a stanza that came without its content, by the id of its message. */
  findWithheld(id: string): Attributes | undefined
  /** Returns the other address of a person, if the number knows it. */
  findOther(jid: string): Promise<string | null>
}

/** A message with the attributes of its stanza. */
interface Received {
  readonly attrs: Attributes
  readonly message: proto.IMessage | null | undefined
  /** What came with a message beside its content, where it is not in the message itself. */
  readonly about?: proto.IMessageContextInfo | null | undefined
  /** Where the owner of the number sent it on the phone; null for a message to the number. */
  readonly to: string | null
  /** What stands for a message of which nothing is read. */
  readonly otherwise: InboundContent | null
}

const { Type } = proto.Message.ProtocolMessage

/** Returns the events of a decrypted stanza; none for what shows people nothing. */
export async function arrivalEvents({ attrs, plain }: Arrival, context: ArrivalContext): Promise<NetworkEvent[]> {
  const bytes = unpadRandomMax16(plain)
  const decoded = proto.Message.decode(bytes)
  const resent = resentMessages(decoded, context.findWithheld)
  if (resent) {
    // Anybody can send such a response, and only the own phone is asked.
    if (!isOwnAccount(attrs, context.me)) return []
    const events: NetworkEvent[] = []
    for (const one of resent) events.push(...(await messageEvents({ ...one, otherwise: unsupported }, context)))
    return events
  }
  const shared = decoded.protocolMessage?.appStateSyncKeyShare?.keys
  if (shared && isOwnAccount(attrs, context.me)) await context.keepStateKeys(shared)
  const own = decoded.deviceSentMessage
  if (own) {
    // Anybody can send this form, and only the own devices have reason to.
    if (!isOwnAccount(attrs, context.me)) return []
    const [to, about] = [own.destinationJid ?? '', decoded.messageContextInfo]
    return messageEvents({ attrs, message: own.message, about, to, otherwise: null }, context)
  }
  const otherwise = isOfUnknownKind(decoded, bytes) ? unsupported : null
  return messageEvents({ attrs, message: decoded, to: null, otherwise }, context)
}

/**
 * Returns the events of a stanza that came without its content, which only the phone has: a line of the chat, until
 * the phone sends the content. Some phones never do, such as for a message that opens once.
 */
export function withheldEvents(attrs: Attributes, me: readonly string[]): NetworkEvent[] {
  const head = headOf(attrs, null)
  if (!head || attrs.recipient !== undefined || isOwnAccount(attrs, me)) return []
  return inboundEvents(head, attrs, { person: personOf(senderAddresses(attrs)), content: quietlyUnsupported })
}

function isOwnAccount({ from, participant }: Attributes, me: readonly string[]): boolean {
  return me.map(jidNormalizedUser).includes(jidNormalizedUser(participant ?? from))
}

/** What every event of a message has. */
interface Head {
  readonly networkId: string
  readonly chat: string
  readonly groupId: string | undefined
  readonly at: string
}

/** Returns the head of a message; null for one of a channel or a status list. */
function headOf(attrs: Attributes, to: string | null): Head | null {
  const chat = to ?? chatOf(attrs)
  const groupId = chat.endsWith('@g.us') ? chat : undefined
  if (attrs.id === undefined || (groupId === undefined && !isPerson(chat))) return null
  // Whole seconds; the service orders the messages of one second by their arrival.
  return { networkId: attrs.id, chat, groupId, at: new Date(Number(attrs.t ?? 0) * 1000).toISOString() }
}

async function messageEvents(received: Received, context: ArrivalContext): Promise<NetworkEvent[]> {
  const { attrs, message, about, to, otherwise } = received
  const head = headOf(attrs, to)
  if (!head) return []
  const { networkId, chat, at } = head
  const m = normalizeMessageContent(message ?? undefined)
  const timer = m && head.groupId === undefined ? timerOf(m) : null
  if (timer !== null) {
    await context.noteTimer(to === null ? senderAddresses(attrs) : recipientAddresses(attrs, chat), timer)
  }
  if (m?.protocolMessage) return changeEvents(m.protocolMessage, received, at, context)
  if (m?.pollUpdateMessage) {
    // A vote of the owner is not reported.
    return to === null ? voteEvents({ ...m.pollUpdateMessage, id: networkId }, attrs, at, context) : []
  }
  const content = contentOf(message) ?? otherwise
  if (!content) return []
  const authors = await authorsOf(received, context)
  const part = partOf(message)
  if (part) {
    const isReplaced = to === null && head.groupId === undefined
    return isReplaced ? betterFile(message, part, { from: personOf(authors).address, at }) : []
  }
  const targetId = m ? editedId(m) : null
  if (m && targetId !== null) {
    const text = await readEdit(m, targetId, authors, context)
    if (text !== null) {
      return [{ kind: 'message.edited', at, networkId: targetId, text, by: changerOf(received, authors, context) }]
    }
  }
  const secret = message?.messageContextInfo?.messageSecret ?? about?.messageSecret
  if (secret && changeable.has(content.type)) await context.keepSecret(networkId, { secret, authors })
  if (to === null) return inboundEvents(head, attrs, { person: personOf(authors), content })
  // A group has no chat.
  if (content.isQuiet || head.groupId !== undefined) return []
  const recipient = personOf(await withOther(recipientAddresses(attrs, chat), context))
  const out = { kind: 'message.out', at, networkId, to: recipient.address, text: content.text } as const
  return [...mappingEvents(recipient, at), out]
}

function inboundEvents(
  { networkId, groupId, at }: Head,
  attrs: Attributes,
  { person, content }: { readonly person: Person; readonly content: InboundContent },
): NetworkEvent[] {
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

/** Returns the chat of a message to the number. One to a broadcast list belongs to the chat with its sender. */
function chatOf({ from = '', participant = '' }: Attributes): string {
  return from.endsWith('@broadcast') && from !== 'status@broadcast' ? participant : from
}

/** The messages that have words which people can change. */
const changeable: ReadonlySet<string> = new Set<InboundContent['type']>(['chat', 'image', 'video', 'file'])

/** Returns the addresses of who wrote a message. */
async function authorsOf({ attrs, to }: Received, context: ArrivalContext): Promise<readonly string[]> {
  return to === null ? withOther(senderAddresses(attrs), context) : context.me.map(jidNormalizedUser)
}

/** Returns the new text of a message; null when it cannot be read, because the message is too old for example. */
async function readEdit(
  m: proto.IMessage,
  targetId: string,
  editors: readonly string[],
  context: ArrivalContext,
): Promise<string | null> {
  const original = await context.findSecret(targetId)
  return original && openEdit(m, targetId, original, editors)
}

/** Adds the other address of a sender whose stanza names only one, if the number knows it. */
async function withOther(jids: readonly string[], { findOther }: ArrivalContext): Promise<readonly string[]> {
  const [only] = jids
  const other = only !== undefined && jids.length === 1 ? await findOther(only) : null
  return other === null ? jids : [...jids, other]
}

function mappingEvents({ address, lid }: Person, at: string): NetworkEvent[] {
  return lid && address.kind === 'phone' ? [{ kind: 'lid.mapping', at, lid, digits: address.digits }] : []
}

/** Returns the events of a plain change. The ids of messages are no secret: what this device sent only we change. */
async function changeEvents(
  { type, key, editedMessage }: proto.Message.IProtocolMessage,
  received: Received,
  at: string,
  context: ArrivalContext,
): Promise<NetworkEvent[]> {
  const networkId = key?.id
  if (!networkId || (type !== Type.REVOKE && type !== Type.MESSAGE_EDIT)) return []
  const by = changerOf(received, await authorsOf(received, context), context)
  if (by !== 'account' && (await context.findSent(networkId))) return []
  if (type === Type.REVOKE) return [{ kind: 'message.revoked', at, networkId, by }]
  const content = contentOf(editedMessage)
  // Words that cannot be read do not take the place of those that can.
  return content && content.type !== 'unsupported'
    ? [{ kind: 'message.edited', at, networkId, text: content.text, by }]
    : []
}

/** Returns who changes a message: only who wrote it may. */
function changerOf({ attrs, to }: Received, authors: readonly string[], { me }: ArrivalContext): ChangeAuthor {
  return to !== null || isOwnAccount(attrs, me) ? 'account' : authors.map(addressOf)
}

async function voteEvents(
  { id, pollCreationMessageKey, vote }: proto.Message.IPollUpdateMessage & { id: string },
  attrs: Attributes,
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
