import type { InboundMessage } from '@msgctl/network/events'
import type { WahaMessage } from './envelope.ts'

/** What a message is, beside its text. */
export type MessageKind = Pick<
  InboundMessage,
  'type' | 'latitude' | 'longitude' | 'selectedButtonId' | 'selectedRowId' | 'media'
>

/**
 * Returns what kind of message it is. WAHA itself only names media and location; voice notes, stickers and replies to
 * buttons and lists are in the engine's own data, whose field names differ by engine.
 */
export function toMessageKind(message: WahaMessage): MessageKind {
  const content = message._data?.Message ?? message._data?.message ?? {}
  const { location } = message
  if (location && Number.isFinite(location.latitude) && Number.isFinite(location.longitude)) {
    return { type: 'location', latitude: location.latitude, longitude: location.longitude }
  }
  const button = part(content, 'buttonsResponseMessage') ?? part(content, 'templateButtonReplyMessage')
  const selectedButtonId = idIn(button, 'selectedButtonID', 'selectedButtonId', 'selectedID', 'selectedId')
  if (selectedButtonId !== null) return { type: 'buttons', selectedButtonId }
  const row = part(part(content, 'listResponseMessage') ?? {}, 'singleSelectReply')
  const selectedRowId = idIn(row, 'selectedRowID', 'selectedRowId')
  if (selectedRowId !== null) return { type: 'list', selectedRowId }
  return message.hasMedia ? mediaKind(message, content) : { type: 'chat' }
}

type Part = Readonly<Record<string, unknown>>

function part(of: Part, name: string): Part | null {
  const value = of[name]
  return typeof value === 'object' && value !== null ? (value as Part) : null
}

function idIn(of: Part | null, ...names: readonly string[]): string | null {
  const value = names.map((name) => of?.[name]).find((one) => typeof one === 'string' && one !== '')
  return typeof value === 'string' ? value.slice(0, 255) : null
}

const mediaParts = [
  ['imageMessage', 'image'],
  ['videoMessage', 'video'],
  ['ptvMessage', 'video'],
  ['stickerMessage', 'sticker'],
  ['audioMessage', 'file'],
  ['documentMessage', 'file'],
] as const

function mediaKind(message: WahaMessage, content: Part): MessageKind {
  const [name, usual] = mediaParts.find(([one]) => part(content, one) !== null) ?? [null, fromMimetype(message)]
  const found = name === null ? null : part(content, name)
  const isVoice =
    name === 'audioMessage' ? (found?.PTT ?? found?.ptt) === true : message._data?.Info?.MediaType === 'ptt'
  const mimetype = message.media?.mimetype ?? (typeof found?.mimetype === 'string' ? found.mimetype : null)
  return {
    type: isVoice ? 'voice' : usual,
    media: {
      mimetype: mimetype?.slice(0, 255) ?? 'application/octet-stream',
      ...(message.media?.filename ? { filename: message.media.filename } : {}),
      sizeBytes: sizeOf(found),
    },
  }
}

function fromMimetype({ media }: WahaMessage): 'image' | 'video' | 'file' {
  const [kind] = (media?.mimetype ?? '').split('/')
  return kind === 'image' || kind === 'video' ? kind : 'file'
}

/** Engines write 64-bit numbers as text, as a number, or as `{ low, high }`; an unknown size is 0. */
function sizeOf(found: Part | null): number {
  const length = found?.fileLength
  const value = typeof length === 'object' && length !== null ? (length as { low?: unknown }).low : length
  const size = Number(value ?? 0)
  return Number.isSafeInteger(size) && size > 0 ? size : 0
}
