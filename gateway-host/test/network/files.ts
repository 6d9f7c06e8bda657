import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { getMediaKeys, type MediaType, type proto } from 'baileys'
import { type Network, newMessageId } from './network.ts'

const macBytes = 10

/** A file that a phone sends. */
interface PhoneFile {
  readonly bytes: Uint8Array
  readonly mimetype: string
  readonly filename?: string | undefined
  readonly caption?: string | undefined
}

/** Encrypts a file as a phone does and stores it at the media host. Returns the message that refers to it. */
export async function uploadFromPhone(network: Network, file: PhoneFile): Promise<proto.IMessage> {
  const { bytes, mimetype, filename, caption } = file
  const kind = kindOf(mimetype)
  const mediaKey = randomBytes(32)
  const { iv, cipherKey, macKey } = await keysOf(mediaKey, kind)
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
  const stored = Buffer.concat([encrypted, macOf(macKey, iv, encrypted)])
  const directPath = `/v/t62/phone-${newMessageId()}`
  network.files.set(directPath, stored)
  const part = {
    url: `https://${network.mediaHost ?? 'localhost'}${directPath}`,
    directPath,
    mediaKey,
    mimetype,
    fileLength: bytes.length,
    fileSha256: createHash('sha256').update(bytes).digest(),
    fileEncSha256: createHash('sha256').update(stored).digest(),
    ...(caption === undefined ? {} : { caption }),
  }
  switch (kind) {
    case 'image':
      return { imageMessage: part }
    case 'video':
      return { videoMessage: part }
    case 'audio':
      return { audioMessage: { ...part, ptt: true, seconds: 2 } }
    default:
      return { documentMessage: { ...part, fileName: filename ?? 'file' } }
  }
}

/** Returns the file of a message as the phone that shows it opens it. Throws an Error when it does not decrypt. */
export async function openOnPhone(network: Network, message: proto.IMessage): Promise<Buffer> {
  const [kind, part] = partOf(message)
  const stored = network.files.get(part?.directPath ?? '')
  if (!part?.mediaKey || !stored) throw new Error('the message has no file that the media host keeps')
  const { iv, cipherKey, macKey } = await keysOf(Buffer.from(part.mediaKey), kind)
  const encrypted = stored.subarray(0, -macBytes)
  if (!macOf(macKey, iv, encrypted).equals(stored.subarray(-macBytes))) throw new Error('the file was changed')
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  const bytes = Buffer.concat([decipher.update(encrypted), decipher.final()])
  const hash = createHash('sha256').update(bytes).digest()
  if (!hash.equals(Buffer.from(part.fileSha256 ?? [])))
    throw new Error('the file has another hash than its message says')
  return bytes
}

/** Returns the file of a message, with the kind that its keys depend on: a photo can be sent as a document. */
function partOf(message: proto.IMessage) {
  const { imageMessage, videoMessage, audioMessage, documentMessage } = message
  if (imageMessage) return ['image', imageMessage] as const
  if (videoMessage) return ['video', videoMessage] as const
  if (audioMessage) return ['audio', audioMessage] as const
  return ['document', documentMessage] as const
}

function kindOf(mimetype: string): MediaType {
  const [type] = mimetype.split('/')
  return type === 'image' || type === 'video' || type === 'audio' ? type : 'document'
}

async function keysOf(mediaKey: Buffer, kind: MediaType) {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, kind)
  if (!macKey) throw new Error('the library derived no key')
  return { iv, cipherKey, macKey }
}

function macOf(macKey: Uint8Array, iv: Uint8Array, encrypted: Uint8Array): Buffer {
  return createHmac('sha256', macKey).update(iv).update(encrypted).digest().subarray(0, macBytes)
}
