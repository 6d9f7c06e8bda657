import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError, apiError } from '#platform/errors.ts'
import { envelope } from './error-envelope.ts'

/** Headers larger than this in all are refused. */
export const maxHeaderBytes = 16 * 1024

interface ParserError extends Error {
  readonly code?: string
}

/** Node's note on a socket of the answer that is being written to it. */
type RespondingSocket = Duplex & {
  readonly _httpMessage?: { readonly headersSent: boolean } | null
  readonly bytesRead?: number
}

/**
 * Responds to input that is no complete request, such as a malformed request line, too large headers or a request that
 * did not arrive in time. The response has the usual envelope and an X-Request-Id, and the connection is closed.
 */
export function refuseMalformed(fault: ParserError, socket: Duplex): void {
  const { _httpMessage, bytesRead } = socket as RespondingSocket
  const half = _httpMessage?.headersSent === true
  // A browser opens connections that it may use later. A response would count as that of its next request.
  const unused = fault.code === 'ERR_HTTP_REQUEST_TIMEOUT' && bytesRead === 0
  if (fault.code === 'ECONNRESET' || !socket.writable || half || unused) {
    socket.destroy()
    return
  }
  const error = explain(fault)
  const requestId = randomUUID()
  const body = JSON.stringify(envelope(error, requestId))
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Returns a VALIDATION_ERROR of no field: `details` and `issues` are there, as on every other, and empty. */
function invalidRequest(message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', message, {}, [])
}

function explain({ code }: ParserError): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return apiError('PAYLOAD_TOO_LARGE', `The headers are larger than ${maxHeaderBytes} bytes.`, {
        maxBytes: maxHeaderBytes,
      })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return invalidRequest('The request did not arrive in time.')
    default:
      return invalidRequest('This is not a valid HTTP request.')
  }
}
