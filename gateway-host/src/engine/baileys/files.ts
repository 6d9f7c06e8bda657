import { prepareWAMessageMedia, type proto, type WASocket } from 'baileys'
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
