import type { IncomingMessage } from 'node:http'
import type { RawBody } from './body.ts'
import { boundedBytes } from './bounded-bytes.ts'
import { refuse, WebhookVerificationError } from './error.ts'

/** The body that a framework has read: the raw one, a parsed one, or none. */
interface KeptBody {
  readonly rawBody?: unknown
  readonly body?: unknown
}

/**
 * Returns the raw body of a request: the one that the framework kept, or at most `maxBodyBytes` from the stream.
 * Returns a parsed body unchanged: `verify` rejects it and says how to get the raw one.
 *
 * @throws WebhookVerificationError raw_body_required, body_too_large or body_incomplete
 */
export async function nodeBody(request: IncomingMessage, kept: KeptBody, maxBodyBytes: number): Promise<RawBody> {
  const body = kept.rawBody ?? kept.body
  if (body !== undefined && body !== null) return body as RawBody
  if (request.readableDidRead) refuse('raw_body_required')
  return readStream(request, maxBodyBytes)
}

/**
 * Reads a stream up to the bound. It does not use `for await`: leaving that loop early destroys the socket, and the
 * sender would not get the response. node:http drops the rest of a rejected body after the response.
 */
function readStream(request: IncomingMessage, maxBodyBytes: number): Promise<Uint8Array> {
  const bytes = boundedBytes(maxBodyBytes, request.headers['content-length'])
  return new Promise((resolve, reject) => {
    const take = (piece: Uint8Array) => {
      try {
        bytes.push(piece)
      } catch (error) {
        request.off('data', take).pause()
        reject(error)
      }
    }
    request.on('data', take)
    request.on('end', () => resolve(bytes.join()))
    const breakOff = () => reject(new WebhookVerificationError('body_incomplete'))
    request.on('close', breakOff)
    if (request.destroyed) breakOff()
  })
}
