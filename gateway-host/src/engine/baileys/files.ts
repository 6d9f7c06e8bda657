import { prepareWAMessageMedia, type proto, type WASocket } from 'baileys'
import type { OutboundFile } from '../engine.ts'
import { NoResponse } from '../failures.ts'
import { silentLogger } from './silent-logger.ts'
import { requireVoiceNote } from './voice-note.ts'

/** A host of files that stays silent for so long is given up for the next one, and an upload ends after so long. */
const [silentMs, uploadMs] = [30_000, 120_000]

type Upload = WASocket['waUploadToServer']

/** Returns an upload that ends in time, whatever the hosts of files do. It throws {@link NoResponse}. */
export function limited(upload: Upload, withinMs = uploadMs): Upload {
  return async (file, options) => {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NoResponse()), withinMs)
    })
    try {
      return await Promise.race([upload(file, { ...options, timeoutMs: silentMs }), tooLate])
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Encrypts and uploads a file. All facts that the library would compute with other programs are given: it needs neither
 * sharp nor ffmpeg. Throws a GatewayError `rejected` for a voice note that phones cannot play.
 */
export async function uploadFile(socket: WASocket, file: OutboundFile): Promise<proto.IMessage> {
  const { mimetype } = file
  const media = { stream: file.bytes }
  const caption = file.caption === undefined ? {} : { caption: file.caption }
  const options = { upload: limited(socket.waUploadToServer), logger: silentLogger }
  switch (file.kind) {
    case 'image':
      return withoutPreview(
        await prepareWAMessageMedia({ image: media, ...caption, mimetype, jpegThumbnail: '' }, options),
      )
    case 'video':
      return withoutPreview(
        await prepareWAMessageMedia({ video: media, ...caption, mimetype, jpegThumbnail: '' }, options),
      )
    case 'file':
      return prepareWAMessageMedia(
        { document: media, ...caption, mimetype, fileName: file.filename ?? 'file' },
        options,
      )
    case 'voice': {
      const waveform = Uint8Array.from(file.waveform ?? new Array<number>(64).fill(0))
      // The library takes a waveform, which its types leave out.
      const voice = {
        audio: { stream: await requireVoiceNote(file.bytes) },
        ptt: true,
        mimetype,
        seconds: file.seconds ?? 1,
        waveform,
      }
      return prepareWAMessageMedia(voice, options)
    }
  }
}

/** Removes the preview, which is empty: phones draw it as a box. */
function withoutPreview(message: proto.IMessage): proto.IMessage {
  for (const part of [message.imageMessage, message.videoMessage]) if (part) part.jpegThumbnail = null
  return message
}
