import type { Contract } from '@msgctl/contract'
import type { Content } from '@msgctl/network/gateway'
import type { Request } from '#api/http/handler.ts'
import { formats } from '#api/media/format.ts'
import type { MediaFile } from '#api/media/media.ts'
import { opusSeconds } from '#api/media/ogg-opus.ts'
import type { MediaKind } from '#api/media/rule.ts'
import { requirePublicSource, withMedia } from '#api/media/uploads/open.ts'
import { mediaLabel } from '#sending/messages/label.ts'
import type { Services } from '#services.ts'
import { type DirectSendRequest, sendDirectly } from './direct.ts'

type Alert = Contract['alert']

const voiceNoteType = formats.opus.mimetype

/** A file to send: its link and the field that holds it, or an upload. */
interface GivenFile {
  readonly kind: MediaKind
  readonly field: string
  readonly url: string | undefined
  readonly mediaId: string | undefined
  readonly caption?: string | undefined
  readonly filename?: string | undefined
  readonly mimetype?: string | undefined
}

/** Sends a photo from a public link or an upload. */
export function sendImage(request: Request<Alert['sendImage']>, services: Services) {
  const { imageUrl: url, ...given } = request.body
  return sendMedia(request, services, { kind: 'image', field: 'imageUrl', url, ...described(given) })
}

/** Sends a video from a public link or an upload. */
export function sendVideo(request: Request<Alert['sendVideo']>, services: Services) {
  const { videoUrl: url, ...given } = request.body
  return sendMedia(request, services, { kind: 'video', field: 'videoUrl', url, ...described(given) })
}

/** Sends a file of any allowed type from a public link or an upload. */
export function sendFile(request: Request<Alert['sendFile']>, services: Services) {
  const { fileUrl: url, ...given } = request.body
  return sendMedia(request, services, { kind: 'file', field: 'fileUrl', url, ...described(given) })
}

/** Sends audio from a public link or an upload; OGG with Opus plays as a voice note. */
export function sendVoice(request: Request<Alert['sendVoice']>, services: Services) {
  const { audioUrl: url, mediaId } = request.body
  return sendMedia(request, services, { kind: 'voice', field: 'audioUrl', url, mediaId })
}

type Described = Pick<GivenFile, 'mediaId' | 'caption' | 'filename' | 'mimetype'>

function described({ mediaId, caption, filename, mimetype }: Partial<Described>): Described {
  return { mediaId, caption, filename, mimetype }
}

/**
 * Downloads the file, or reads the upload, and passes its bytes to the network, which never receives the link of the
 * caller. Nothing is stored before the download has succeeded.
 */
function sendMedia(request: DirectSendRequest & { signal: AbortSignal }, services: Services, given: GivenFile) {
  const { caption, ...source } = given
  const { kind, url } = source
  const { organizationId } = request.caller
  requirePublicSource(services, source)
  return sendDirectly(request, services, (deliver) =>
    withMedia(services, { ...source, organizationId, signal: request.signal }, async (file) =>
      deliver({
        label: mediaLabel(kind, url ?? file.filename, caption),
        content: await toContent(kind, file, caption),
      }),
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
