import { invalidInput } from '../error.ts'
import type { TransportResponse } from '../transport.ts'

/**
 * Returns the file of an upload that is sent as it is, or undefined for a text in base64. A view is copied, because
 * only a whole ArrayBuffer is a body in the types of every `fetch`. Throws a TypeError with code INVALID_INPUT for
 * anything else.
 */
export function fileIn(content: unknown): ArrayBuffer | Blob | undefined {
  if (content instanceof ArrayBuffer) return content
  if (ArrayBuffer.isView(content))
    return new Uint8Array(content.buffer, content.byteOffset, content.byteLength).slice().buffer
  if (typeof (content as Blob | undefined)?.arrayBuffer === 'function') return content as Blob
  if (typeof content !== 'string' && content !== undefined)
    throw invalidInput('content must be bytes, a Blob or base64. Of a stream: await new Response(stream).blob()')
  // No text in base64 has a dot.
  if (content?.includes('.'))
    throw invalidInput('content looks like a path and not like base64. Pass the file: await openAsBlob(path)')
  return undefined
}

/** Returns a downloaded file: its bytes, and what the headers say about it. */
export function fileFrom({ headers }: TransportResponse, content: Uint8Array) {
  const disposition = headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const [, quoted, token = ''] = /filename="([^"]*)"|filename=([^;]*)/i.exec(disposition) ?? []
  return {
    content,
    mimetype: headers.get('content-type') ?? '',
    // The sender chose it: without folders, dots in front and what shows nothing, it can stand in a folder of the
    // caller.
    filename: (decoded(encoded) ?? quoted ?? token).replace(/^(.*[/\\])?\.*|\p{C}/gsu, ''),
  }
}

/** Decodes a part of a header; undefined for one that cannot be decoded. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
