import type { WireContent } from '@msgctl/network/calls'
import type { Content } from '@msgctl/network/gateway'
import type { CallFile } from './host-client.ts'

/** Returns content as a host receives it: the fields, and the file that follows them. */
export function toWire(content: Content): { content: WireContent; file: CallFile | undefined } {
  if ('bytes' in content) {
    const { bytes, ...rest } = content
    return { content: rest, file: { bytes, sizeBytes: content.sizeBytes } }
  }
  if (content.kind !== 'link' || !content.image) return { content: content as WireContent, file: undefined }
  const { image, ...rest } = content
  const { bytes, sizeBytes, mimetype } = image
  return { content: { ...rest, image: { mimetype } }, file: { bytes, sizeBytes } }
}
