import type { GatewayEvent, InboundMessage } from '@msgctl/network/events'
import type { NetAddress } from '@msgctl/network/session'
import type { EngineName } from './failures.ts'

type MessageIn = Extract<GatewayEvent, { kind: 'message.in' }>
type EventOf<Kind extends GatewayEvent['kind']> = Extract<GatewayEvent, { kind: Kind }>

/** The id of a chat. */
export function chatIdOf(address: NetAddress): string {
  return address.kind === 'lid' ? address.id : `${address.digits}@c.us`
}

/** The address behind a chat id. */
export function addressOf(chatId: string): NetAddress {
  return chatId.endsWith('@lid') ? { kind: 'lid', id: chatId } : { kind: 'phone', digits: chatId.replace(/@.*/, '') }
}

/** The bare id in WAHA's form of a message id. */
export function bareIdOf(id: string): string {
  return id.split('_')[2] ?? id
}

/** The response to a send: each engine has its own form. */
export function sentShape(engine: EngineName, to: NetAddress, id: string): object {
  if (engine === 'GOWS') return { id: `true_${chatIdOf(to)}_${id}`, _data: null }
  const remoteJid = chatIdOf(to).replace('@c.us', '@s.whatsapp.net')
  return { key: { remoteJid, fromMe: true, id }, message: {}, messageTimestamp: seconds(Date.now()), status: 'PENDING' }
}

/** A message that a person wrote. */
export function inboundShape(engine: EngineName, { message, at }: MessageIn, lid: string | null): object {
  const chat = message.groupId ?? chatIdOf(message.from)
  const sender = chatIdOf(message.from)
  const other = message.from.kind === 'phone' ? lid : null
  return {
    ...common(engine, { id: message.networkId, chat, fromMe: false, atMs: at.getTime(), text: message.text }),
    participant: message.groupId === undefined ? null : sender,
    source: 'app',
    hasMedia: message.media !== undefined,
    media: message.media === undefined ? null : mediaOf(message.networkId, message.media),
    location:
      message.latitude === undefined
        ? null
        : { latitude: String(message.latitude), longitude: String(message.longitude) },
    ack: 2,
    ackName: 'DEVICE',
    _data: engineData(engine, message, other),
  }
}

/** A message that the owner of the number wrote on the phone. */
export function ownShape(engine: EngineName, event: EventOf<'message.out'>): object {
  const { networkId: id, to, text, at } = event
  return {
    ...common(engine, { id, chat: chatIdOf(to), fromMe: true, atMs: at.getTime(), text }),
    participant: null,
    source: 'app',
    hasMedia: false,
    media: null,
    location: null,
    ack: 1,
    ackName: 'SERVER',
    _data: {},
  }
}

/** A message of the number with new words. */
export function editedShape({ networkId, text }: EventOf<'message.edited'>): object {
  const chat = '12025550100@c.us'
  return { id: `true_${chat}_${networkId}`, from: chat, fromMe: true, editedMessageId: networkId, body: text }
}

/** A message in a list of a chat. */
export function listedShape(
  engine: EngineName,
  message: { networkId: string; chat: NetAddress; direction: 'in' | 'out'; text: string; at: Date; type?: string },
): object {
  const { networkId: id, chat, direction, text, at, type } = message
  const hasMedia = type !== undefined && mediaTypes.includes(type)
  return {
    ...common(engine, { id, chat: chatIdOf(chat), fromMe: direction === 'out', atMs: at.getTime(), text }),
    participant: null,
    source: direction === 'out' ? 'api' : 'app',
    hasMedia,
    media: null,
    location: type === 'location' ? { latitude: '0', longitude: '0' } : null,
    ack: 2,
    ackName: 'DEVICE',
    _data: hasMedia ? content(engine, { type: type as InboundMessage['type'] }) : {},
  }
}

const mediaTypes: readonly string[] = ['voice', 'image', 'video', 'file', 'sticker']

const ackNumbers = { failed: -1, sent: 1, delivered: 2, read: 3, played: 4 } as const
const ackNames = { failed: 'ERROR', sent: 'SERVER', delivered: 'DEVICE', read: 'READ', played: 'PLAYED' } as const

/** A receipt; engines name the chat by number or by hidden id. */
export function ackShape(status: keyof typeof ackNumbers, networkId: string, chat: string): object {
  return {
    id: `true_${chat}_${networkId}`,
    from: chat,
    to: null,
    participant: null,
    fromMe: true,
    ack: ackNumbers[status],
    ackName: ackNames[status],
  }
}

export function voteShape(event: EventOf<'poll.vote'>, own: string): object {
  const from = chatIdOf(event.from)
  return {
    poll: { id: `true_${from}_${event.pollNetworkId}`, from: own, to: from, fromMe: true },
    vote: {
      id: `false_${from}_${event.voteNetworkId}`,
      from,
      to: own,
      fromMe: false,
      selectedOptions: event.selectedOptions,
      timestamp: seconds(event.at.getTime()),
    },
  }
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}

/** GOWS names the chat in `from` in both directions; NOWEB fills both fields. */
function common(
  engine: EngineName,
  { id, chat, fromMe, atMs, text }: { id: string; chat: string; fromMe: boolean; atMs: number; text: string },
) {
  const own = '15550000000@c.us'
  const gows = { from: chat, to: null }
  const noweb = fromMe ? { from: own, to: chat } : { from: chat, to: own }
  return {
    id: `${fromMe}_${chat}_${id}`,
    timestamp: seconds(atMs),
    fromMe,
    body: text,
    mediaUrl: null,
    vCards: [],
    ...(engine === 'GOWS' ? gows : noweb),
  }
}

/** A file that the server has downloaded. */
export function mediaOf(id: string, { mimetype, filename }: NonNullable<InboundMessage['media']>): object {
  // The address that the server believes it has, which is not always the one where it is reached.
  return {
    url: `http://localhost:3000/api/files/session/${id}`,
    mimetype,
    filename: filename ?? null,
    s3: null,
    error: null,
  }
}

/** What the engines add in their own forms. */
function engineData(engine: EngineName, message: InboundMessage, lid: string | null): object {
  const { senderName } = message
  if (engine === 'GOWS') {
    const isVoice = message.type === 'voice' ? { MediaType: 'ptt' } : {}
    return { Info: { PushName: senderName, SenderAlt: lid ?? '', ...isVoice }, ...content(engine, message) }
  }
  return { key: { remoteJidAlt: lid }, pushName: senderName, ...content(engine, message) }
}

type Described = Pick<InboundMessage, 'type' | 'selectedButtonId' | 'selectedRowId' | 'media'>

function content(engine: EngineName, { type, selectedButtonId, selectedRowId, media }: Described): object {
  const isGows = engine === 'GOWS'
  const file = {
    mimetype: media?.mimetype,
    fileLength: isGows ? media?.sizeBytes : { low: media?.sizeBytes ?? 0, high: 0 },
  }
  const parts: Partial<Record<InboundMessage['type'], object>> = {
    voice: { audioMessage: { ...file, ...(isGows ? { PTT: true } : { ptt: true }) } },
    image: { imageMessage: file },
    video: { videoMessage: file },
    file: { documentMessage: file },
    sticker: { stickerMessage: file },
    buttons: {
      buttonsResponseMessage: isGows ? { selectedButtonID: selectedButtonId } : { selectedButtonId },
    },
    list: {
      listResponseMessage: { singleSelectReply: isGows ? { selectedRowID: selectedRowId } : { selectedRowId } },
    },
  }
  return isGows ? { Message: parts[type] ?? {} } : { message: parts[type] ?? {} }
}
