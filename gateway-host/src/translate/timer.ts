import { proto } from 'baileys'

const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type
/** Phones offer up to 90 days. */
const longestSeconds = 366 * 86_400

/** The part of a message that says how it is shown. */
interface WithContext {
  readonly contextInfo?: proto.IContextInfo | null
}

/**
 * Returns after how many seconds the messages of a chat disappear, as this message says: 0 when its owner turned that
 * off. Null for a message that says nothing of it; clients may leave it out.
 */
export function timerOf(message: proto.IMessage): number | null {
  const { protocolMessage } = message
  if (protocolMessage) {
    return protocolMessage.type === EPHEMERAL_SETTING ? bounded(protocolMessage.ephemeralExpiration ?? 0) : null
  }
  const parts: unknown[] = Object.values(message)
  const seconds = parts.flatMap((part) => contextOf(part)?.expiration ?? []).find((one) => one > 0)
  return seconds === undefined ? null : bounded(seconds)
}

function contextOf(part: unknown): proto.IContextInfo | null {
  if (typeof part !== 'object' || part === null) return null
  return (part as WithContext).contextInfo ?? null
}

function bounded(seconds: number): number | null {
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= longestSeconds ? seconds : null
}

/** Returns a message to send, with when it disappears; 0 seconds: never. Otherwise phones say that it does not. */
export function withTimer(message: proto.IMessage, seconds: number): proto.IMessage {
  if (seconds === 0) return message
  const [name] = Object.keys(message).filter((key) => key !== 'messageContextInfo')
  const part = name === undefined ? null : message[name as keyof proto.IMessage]
  if (name === undefined || typeof part !== 'object' || part === null) return message
  return { ...message, [name]: { ...part, contextInfo: { ...contextOf(part), expiration: seconds } } }
}
