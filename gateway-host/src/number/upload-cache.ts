import type { proto } from 'baileys'

const keptMs = 3_600_000
const mostKept = 100

/**
 * The files that an account has uploaded in the last hour: a campaign uploads its picture once, not for each recipient.
 */
export class UploadCache {
  readonly #nowMs: () => number
  readonly #uploads = new Map<string, { readonly message: proto.IMessage; readonly atMs: number }>()

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs
  }

  /**
   * Returns the message that refers to an uploaded file, without a caption; undefined for a file that must be uploaded.
   */
  find(key: string): proto.IMessage | undefined {
    const known = this.#uploads.get(key)
    return known && this.#nowMs() - known.atMs < keptMs ? known.message : undefined
  }

  keep(key: string, message: proto.IMessage): void {
    const [oldest] = this.#uploads.keys()
    if (this.#uploads.size >= mostKept && oldest !== undefined) this.#uploads.delete(oldest)
    this.#uploads.delete(key)
    this.#uploads.set(key, { message, atMs: this.#nowMs() })
  }
}

/** Returns a message with a file under another caption. */
export function withCaption(message: proto.IMessage, caption: string | undefined): proto.IMessage {
  const { imageMessage, videoMessage, documentMessage } = message
  const part = { caption: caption ?? null }
  if (imageMessage) return { ...message, imageMessage: { ...imageMessage, ...part } }
  if (videoMessage) return { ...message, videoMessage: { ...videoMessage, ...part } }
  if (documentMessage) return { ...message, documentMessage: { ...documentMessage, ...part } }
  return message
}
