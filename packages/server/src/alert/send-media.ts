import type { Contract } from '@msgctl/contract'
import type { Content } from '../gateway/gateway.ts'
import type { Request } from '../http/handler.ts'
import { formats } from '../media/format.ts'
import type { MediaFile } from '../media/media.ts'
import { opusSeconds } from '../media/ogg-opus.ts'
import type { MediaKind } from '../media/rule.ts'
import { mediaLabel } from '../messages/label.ts'
import type { Services } from '../services.ts'
import { type DirectSendRequest, sendDirectly } from './direct.ts'

type Alert = Contract['alert']

const voiceNoteType = formats.opus.mimetype

/** A file to send, by the field that holds its link. */
interface LinkedFile {
  readonly kind: MediaKind
  readonly field: string
  readonly url: string
  readonly caption?: string | undefined
  readonly filename?: string | undefined
  readonly mimetype?: string | undefined
}

/** Sends a photo from a public link. */
export function sendImage(request: Request<Alert['sendImage']>, services: Services) {
  const { imageUrl, caption, filename, mimetype } = request.body
  return sendMedia(request, services, { kind: 'image', field: 'imageUrl', url: imageUrl, caption, filename, mimetype })
}

/** Sends a video from a public link. */
export function sendVideo(request: Request<Alert['sendVideo']>, services: Services) {
  const { videoUrl, caption, filename, mimetype } = request.body
  return sendMedia(request, services, { kind: 'video', field: 'videoUrl', url: videoUrl, caption, filename, mimetype })
}

/** Sends a file of any allowed type from a public link. */
export function sendFile(request: Request<Alert['sendFile']>, services: Services) {
  const { fileUrl, caption, filename, mimetype } = request.body
  return sendMedia(request, services, { kind: 'file', field: 'fileUrl', url: fileUrl, caption, filename, mimetype })
}

/** Sends audio from a public link; OGG with Opus plays as a voice note. */
export function sendVoice(request: Request<Alert['sendVoice']>, services: Services) {
  return sendMedia(request, services, { kind: 'voice', field: 'audioUrl', url: request.body.audioUrl })
}

/**
 * Downloads the file and passes its bytes to the network, which never receives the link of the caller. Nothing is
 * stored before the download has succeeded.
 */
function sendMedia(request: DirectSendRequest & { signal: AbortSignal }, services: Services, linked: LinkedFile) {
  const { kind, field, url, caption, filename, mimetype } = linked
  const { organizationId } = request.caller
  services.media.requirePublic(field, url)
  return sendDirectly(request, services, (deliver) =>
    services.media.withFile({ organizationId, kind, url, filename, mimetype, signal: request.signal }, async (file) =>
      deliver({ label: mediaLabel(kind, url, caption), content: await toContent(kind, file, caption) }),
    ),
  )
}

/** Returns a file as the network sends it. Only Ogg Opus can be a voice note; any other audio is a file. */
async function toContent(kind: MediaKind, file: MediaFile, caption: string | undefined): Promise<Content> {
  const { filename, ...bytes } = file
  if (kind === 'voice' && file.mimetype === voiceNoteType) {
    // A voice note has no name on the network.
    return { kind, ...bytes, seconds: await opusSeconds(file.bytes()) }
  }
  return { kind: kind === 'voice' ? 'file' : kind, ...bytes, filename, ...(caption ? { caption } : {}) }
}
