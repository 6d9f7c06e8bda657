import { proto } from 'baileys'
import { contentOf } from './inbound-content.ts'
import type { NetworkEvent } from './network-event.ts'

const { HD_IMAGE_DUAL_UPLOAD, HD_VIDEO_DUAL_UPLOAD, HEVC_VIDEO_DUAL_UPLOAD, MOTION_PHOTO } =
  proto.MessageAssociation.AssociationType

type AssociationType = proto.MessageAssociation.AssociationType

/** What phones send as a part of an earlier message, which shows nothing of its own. */
const parts: ReadonlySet<AssociationType> = new Set([
  HD_IMAGE_DUAL_UPLOAD,
  HD_VIDEO_DUAL_UPLOAD,
  // Fewer programs can play it than the file that came before.
  HEVC_VIDEO_DUAL_UPLOAD,
  MOTION_PHOTO,
])
const better: ReadonlySet<AssociationType> = new Set([HD_IMAGE_DUAL_UPLOAD, HD_VIDEO_DUAL_UPLOAD])

/** What a message with a part of an earlier message is to that message. */
interface PartOfMessage {
  readonly parentId: string | null
  readonly isBetter: boolean
}

/**
 * Returns what a message is to an earlier one: phones send photos and videos in high definition twice, a small file
 * first. Null for a message of its own.
 */
export function partOf(message: proto.IMessage | null | undefined): PartOfMessage | null {
  const child = message?.associatedChildMessage?.message
  const association =
    message?.messageContextInfo?.messageAssociation ?? child?.messageContextInfo?.messageAssociation ?? null
  const type = association?.associationType
  if (!type || !parts.has(type)) return null
  return { parentId: association.parentMessageKey?.id ?? null, isBetter: better.has(type) }
}

/** Returns the event of a better file; none for a part that replaces nothing. */
export function betterFile(
  message: proto.IMessage | null | undefined,
  { parentId, isBetter }: PartOfMessage,
  { from, at }: Pick<Extract<NetworkEvent, { kind: 'message.file' }>, 'from' | 'at'>,
): NetworkEvent[] {
  const { media, raw } = contentOf(message) ?? {}
  if (!isBetter || parentId === null || !media || !raw) return []
  return [{ kind: 'message.file', at, networkId: parentId, from, media, raw }]
}
