import type { IncomingMessage } from 'node:http'
import type { RawBody } from './body.ts'
import { boundedBytes } from './bounded-bytes.ts'
import { refuse, WebhookVerificationError } from './error.ts'

/** What a framework has read of a request before us: its raw form, a parsed one, or nothing. */
interface KeptBody {
  readonly rawBody?: unknown
  readonly body?: unknown
}

/**
 * The raw body of a request: what the framework kept of it, else what is read from the stream, at most up to the bound.
 * A parsed body is handed on as it is, because `verify` refuses it and says how to get the raw one.
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
 * Not `for await`: leaving that loop early destroys the socket, and the sender would never see why it was refused.
 * Whatever comes after a refusal is dropped by node:http when the answer is done. A request that breaks off closes.
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
