import type { InboundMessage, NetworkReport, ReceiptStatus } from '@msgctl/network/events'
import type { NetAddress } from '@msgctl/network/session'
import type * as z from 'zod'
import { isGroupId, isListId, parseChatId, toBareId } from './address.ts'
import { toMessageKind } from './content-type.ts'
import { type Envelope, envelope, payloads, type WahaMessage } from './envelope.ts'
import { toSessionState } from './state.ts'
import { limitsEvent, toLimits } from './watch/limits.ts'

const receipts: Readonly<Record<number, ReceiptStatus>> = {
  [-1]: 'failed',
  1: 'sent',
  2: 'delivered',
  3: 'read',
  4: 'played',
}

/** Parses the body of a webhook; null when it is none of ours. */
export function parseEnvelope(body: unknown): Envelope | null {
  const parsed = envelope.safeParse(body)
  return parsed.success ? parsed.data : null
}

/**
 * Returns what a webhook reports. Events that we do not subscribe to, messages of channels, and what cannot be read
 * report nothing: WAHA would repeat a refused webhook without end. Times are those of the host.
 */
export function toReports(webhook: Envelope): NetworkReport[] {
  const about = { at: new Date(webhook.timestamp) }
  const translate = translations.get(webhook.event)
  return translate ? translate(webhook.payload, about, webhook) : []
}

type About = { readonly at: Date }
type Translation = (payload: unknown, about: About, webhook: Envelope) => NetworkReport[]

type PayloadOf<Name extends keyof typeof payloads> = z.output<(typeof payloads)[Name]>

function translation<Name extends keyof typeof payloads>(
  name: Name,
  translate: (payload: PayloadOf<Name>, about: About, webhook: Envelope) => NetworkReport[],
): [Name, Translation] {
  return [
    name,
    (payload, about, webhook) => {
      const parsed = payloads[name].safeParse(payload)
      return parsed.success ? translate(parsed.data as PayloadOf<Name>, about, webhook) : []
    },
  ]
}

const translations: ReadonlyMap<string, Translation> = new Map([
  translation('session.status', ({ status, statuses, data }, about, { me, timestamp }) => {
    const before = (statuses ?? []).map((point) => point.status)
    // The last point is the present status itself.
    if (before.at(-1) === status) before.pop()
    const state = toSessionState({ status, me, before, passkey: data ?? undefined }, timestamp)
    return [{ ...about, kind: 'session.state', state }]
  }),
  [
    limitsEvent,
    (_payload, about, { me, timestamp }) => {
      const limits = toLimits(me, timestamp)
      return limits ? [{ ...about, kind: 'account.limits', limits }] : []
    },
  ],
  translation('message', (message, about) => {
    if (message.fromMe) return []
    const received = toInbound(message)
    return received ? [{ ...about, kind: 'message.in', at: timeOf(message.timestamp, about), message: received }] : []
  }),
  // Of all messages only those that the owner wrote on the phone: ours are known, and the others come as `message`.
  translation('message.any', (message, about) => {
    const to = message.fromMe && message.source === 'app' ? chatOf(message) : null
    if (!to) return []
    const at = timeOf(message.timestamp, about)
    return [{ ...about, kind: 'message.out', at, networkId: toBareId(message.id), to, text: message.body ?? '' }]
  }),
  translation('message.ack', ({ id, fromMe, ack }, about) => {
    const status = fromMe ? receipts[ack] : undefined
    return status ? [{ ...about, kind: 'message.status', networkId: toBareId(id), status }] : []
  }),
  translation('message.edited', ({ editedMessageId, body }, about) => [
    { ...about, kind: 'message.edited', networkId: toBareId(editedMessageId), text: body ?? '' },
  ]),
  translation('message.revoked', ({ revokedMessageId }, about) => [
    { ...about, kind: 'message.revoked', networkId: toBareId(revokedMessageId) },
  ]),
  translation('poll.vote', ({ poll, vote }, about) => {
    const from = vote.fromMe ? null : parseChatId(vote.from)
    if (!from) return []
    const selectedOptions = vote.selectedOptions ?? []
    const ids = { pollNetworkId: toBareId(poll.id), voteNetworkId: toBareId(vote.id) }
    return [{ ...about, kind: 'poll.vote', ...ids, from, selectedOptions }]
  }),
])

function toInbound(message: WahaMessage): InboundMessage | null {
  const isGroup = isGroupId(message.from)
  // A message to a list of a person belongs to the chat with that person.
  const hasWriter = isGroup || isListId(message.from)
  const sender = parseChatId(hasWriter ? (message.participant ?? '') : message.from)
  if (!sender) return null
  const { from, lid } = names(sender, otherAddress(message))
  return {
    networkId: toBareId(message.id),
    from,
    ...(lid === undefined ? {} : { lid }),
    senderName: message._data?.Info?.PushName ?? message._data?.pushName ?? '',
    text: message.body ?? '',
    ...toMessageKind(message),
    ...(isGroup ? { groupId: message.from } : {}),
    raw: toFileRef(message),
  }
}

/** What finds the file of a message later: where the server keeps it, and the message that names it again. */
function toFileRef({ id, from, hasMedia, media }: WahaMessage): InboundMessage['raw'] {
  const url = media?.url ?? null
  return url !== null || hasMedia ? { url, mimetype: media?.mimetype ?? null, id, chat: from } : null
}

/**
 * GOWS names the chat in `from` in both directions and leaves `to` empty; NOWEB fills both. In a group, a list or a
 * story GOWS names the writer in `to`: no chat with a person.
 */
function chatOf(message: WahaMessage): NetAddress | null {
  if (isGroupId(message.from) || message.from.endsWith('@broadcast')) return null
  return parseChatId(message.to || message.from)
}

/** The other address of a person: a message may come under the number or the hidden id. */
function otherAddress({ _data }: WahaMessage): NetAddress | null {
  return parseChatId(_data?.Info?.SenderAlt ?? _data?.key?.participantAlt ?? _data?.key?.remoteJidAlt ?? '')
}

function names(sender: NetAddress, other: NetAddress | null): { from: NetAddress; lid?: string } {
  if (sender.kind === 'phone') return { from: sender, ...(other?.kind === 'lid' ? { lid: other.id } : {}) }
  return other?.kind === 'phone' ? { from: other, lid: sender.id } : { from: sender }
}

/** The time of a message: WAHA counts it in seconds, some engines in milliseconds. */
function timeOf(timestamp: number | null | undefined, { at }: About): Date {
  if (!timestamp) return at
  return new Date(timestamp > 1e11 ? timestamp : timestamp * 1000)
}
