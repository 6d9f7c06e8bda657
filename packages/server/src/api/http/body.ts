import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import { apiError } from '#platform/errors.ts'
import { parseScanned } from './body/json.ts'
import { PassedBound } from './body/passed-bound.ts'
import { type Scan, type ScanBounds, scanBody } from './body/scan.ts'
import type { RequestState } from './state.ts'

/** How large a body may be and how long it may take to arrive. */
interface RawBounds {
  readonly maxBytes: number
  readonly timeoutMs: number
}

/** The same of a JSON body, and how much structure it may have. */
export interface BodyBounds extends RawBounds, ScanBounds {}

/** Thrown when the caller closed the connection before its request was complete. */
export class ClientDisconnected extends Error {}

/**
 * Reads a JSON body within its bounds. No body is `{}`, so that routes whose fields are all optional need none; every
 * `__proto__` is dropped. Throws PAYLOAD_TOO_LARGE for more bytes or more structure than allowed, before anything is
 * parsed, and INVALID_JSON for everything else that makes it unreadable: another media type or encoding, text that is
 * not UTF-8 or not JSON, nesting deeper than 32, or a body that does not arrive.
 */
export async function readJson(request: IncomingMessage, bounds: BodyBounds): Promise<unknown> {
  const { headers } = request
  const declaredBytes = Number(headers['content-length'] ?? 0)
  if (declaredBytes === 0 && headers['transfer-encoding'] === undefined) return {}
  if (declaredBytes > bounds.maxBytes) throw tooLarge(bounds.maxBytes)
  const scan = scanBody(bounds)
  const bytes = await readBytes(request, bounds, scan)
  if (bytes.length === 0) return {}
  requireJson(headers['content-type'], headers['content-encoding'])
  return parseScanned(bytes, scan)
}

/**
 * Reads a body of any kind within its bounds. Throws PAYLOAD_TOO_LARGE, and INVALID_JSON for one that does not arrive.
 */
export async function readBody(request: IncomingMessage, bounds: RawBounds): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bounds.maxBytes) throw tooLarge(bounds.maxBytes)
  return readBytes(request, bounds)
}

function tooLarge(maxBytes: number): Error {
  return apiError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, { maxBytes })
}

function unreadable(message: string): Error {
  return apiError('INVALID_JSON', message)
}

function requireJson(contentType: string | undefined, contentEncoding: string | undefined): void {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw unreadable('Send the body as it is, without Content-Encoding.')
  }
  const [type, ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
  const utf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset)
  if (type?.trim() !== 'application/json' || !utf8) {
    throw unreadable('Send the body as JSON in UTF-8, with Content-Type: application/json.')
  }
}

function readBytes(request: IncomingMessage, { maxBytes, timeoutMs }: RawBounds, scan?: Scan): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0

    let timer: NodeJS.Timeout | undefined
    function accept(chunk: Buffer): void {
      length += chunk.length
      try {
        if (length > maxBytes) throw tooLarge(maxBytes)
        scan?.read(chunk)
        chunks.push(chunk)
      } catch (refusal) {
        if (refusal instanceof PassedBound) refusal.readName([...chunks, chunk])
        end(() => reject(refusal))
      }
    }
    function finish(): void {
      end(() => resolve(Buffer.concat(chunks, length)))
    }
    function leave(): void {
      end(() => reject(new ClientDisconnected('the caller closed the connection within its body')))
    }
    function end(settle: () => void): void {
      clearTimeout(timer)
      request.off('data', accept).off('end', finish).off('close', leave).off('error', leave)
      // Errors of a body that is not read any more must not end the process; its rest is discarded.
      request.on('error', () => undefined).resume()
      settle()
    }

    // A request that waited for its turn may be closed already, and then emits nothing any more.
    if (request.destroyed) return leave()
    request.on('data', accept).on('end', finish).on('close', leave).on('error', leave)
    timer = setTimeout(() => {
      end(() => reject(unreadable(`The body did not arrive within ${timeoutMs / 1000} s.`)))
    }, timeoutMs)
  })
}

/**
 * Closes the connection of a caller who continues to send a body after its response, usually a refusal. Closing at once
 * would lose the response for a caller who is still writing, so the rest is discarded for up to `waitMs` first.
 */
export function drainUnreadBody(waitMs: number): Koa.Middleware<RequestState> {
  return ({ req, res }, next) => {
    res.once('finish', () => {
      if (req.complete) return
      const timer = setTimeout(() => req.socket.destroy(), waitMs)
      req.once('close', () => clearTimeout(timer)).resume()
    })
    return next()
  }
}
