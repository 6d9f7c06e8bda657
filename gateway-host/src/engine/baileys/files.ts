import type { Readable } from 'node:stream'
import { downloadContentFromMessage, type MediaType, prepareWAMessageMedia, type proto, type WASocket } from 'baileys'
import type { Json } from '../../../../packages/server/src/gateway/gateway.ts'
import type { OutboundFile } from '../engine.ts'
import { silentLogger } from './silent-logger.ts'

/**
 * Encrypts and uploads a file. All facts that the library would compute with other programs are given: it needs neither
 * sharp nor ffmpeg.
 */
export async function uploadFile(socket: WASocket, file: OutboundFile): Promise<proto.IMessage> {
  const { mimetype } = file
  const media = { stream: file.bytes }
  const caption = file.caption === undefined ? {} : { caption: file.caption }
  const options = { upload: socket.waUploadToServer, logger: silentLogger }
  switch (file.kind) {
    case 'image':
      return prepareWAMessageMedia(
        { image: media, ...caption, mimetype, jpegThumbnail: '', width: 0, height: 0 },
        options,
      )
    case 'video':
      return prepareWAMessageMedia({ video: media, ...caption, mimetype, jpegThumbnail: '' }, options)
    case 'file':
      return prepareWAMessageMedia(
        { document: media, ...caption, mimetype, fileName: file.filename ?? 'file' },
        options,
      )
    case 'voice': {
      const waveform = Uint8Array.from(file.waveform ?? new Array<number>(64).fill(0))
      // The library takes a waveform, which its types leave out.
      const voice = { audio: media, ptt: true, mimetype, seconds: file.seconds ?? 1, waveform }
      return prepareWAMessageMedia(voice, options)
    }
  }
}

interface FileReference {
  readonly kind: MediaType
  readonly mediaKey: string
  readonly url: string | null
  readonly directPath: string | null
}

function isReference(value: Json): value is Json & FileReference {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value.mediaKey === 'string'
}

/** Downloads and decrypts the file of a received message, with these options of fetch. Null when there is none, or the network no longer keeps it. */
export async function downloadFile(reference: Json, options: RequestInit): Promise<Readable | null> {
  if (!isReference(reference)) return null
  const { kind, mediaKey, url, directPath } = reference
  try {
    const part = { mediaKey: Buffer.from(mediaKey, 'base64'), url, directPath }
    return await downloadContentFromMessage(part, kind, { options })
  } catch (error) {
    const code = (error as { output?: { statusCode?: number } }).output?.statusCode
    if (code === 404 || code === 410) return null
    throw error
  }
}
