import type { IncomingMessage } from 'node:http'
import type { Transport, TransportResponse } from '@msgctl/client'
import { endpointTraits, traits } from '@msgctl/contract/traits'

/** The origin that a transport may call, and whether it may send credentials. */
export interface Reach {
  /** Scheme, host and port, as `URL.origin` has them. */
  readonly origin: string
  readonly anonymous: boolean
}

/** A request that a dry run did not send. */
export interface HeldRequest {
  readonly method: string
  readonly url: string
  readonly body: string | undefined
}

function toResponse(message: IncomingMessage): TransportResponse {
  const get = (name: string) => {
    const value = message.headers[name.toLowerCase()]
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
  }
  return { status: message.statusCode ?? 0, headers: { get }, body: message }
}

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  const { 'x-api-key': _key, authorization: _token, cookie: _cookie, ...others } = headers
  return others
}

/**
 * Returns the error of a connection to a port without TLS with the code that later versions of Node.js give it. Node 20
 * has EPROTO, and the file and line of OpenSSL over two lines in its message.
 */
function withTlsCode(error: Error): Error {
  if (!error.message.includes(':wrong version number:')) return error
  return Object.assign(new Error('wrong version number'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' })
}

/**
 * Returns a transport over node:http, which starts in half the time of fetch. It rejects every host but the one in
 * `reach`, because a key is sent only to the host it was stored for. An anonymous transport removes keys and tokens.
 */
export function nodeTransport(reach: Reach): Transport {
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    if (url.origin !== reach.origin)
      throw new Error(`a request to ${url.origin} was refused: the key is for ${reach.origin}`)
    const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
    const content = typeof body === 'object' ? new Uint8Array(body) : body
    const length = content === undefined ? {} : { 'content-length': String(Buffer.byteLength(content)) }
    const sent = { ...(reach.anonymous ? withoutCredentials(headers) : headers), ...length }
    return new Promise((resolve, reject) => {
      const call = request(url, { method, headers: sent, signal, agent: false }, (message) => {
        // An error while nothing reads the body must not end the process; a reader receives it anyway.
        message.on('error', () => {})
        resolve(toResponse(message))
      })
      call.on('error', (error) => reject(withTlsCode(error)))
      call.end(content)
    })
  }
}

/** The paths of reads that use POST because their input is long. */
const readPaths = Object.keys(traits).flatMap((endpoint) => {
  const [method, path = ''] = endpoint.split(' ')
  return method === 'POST' && endpointTraits(endpoint).reads ? [path] : []
})

function isRead(method: string, url: string): boolean {
  return method === 'GET' || readPaths.some((path) => new URL(url).pathname.endsWith(path))
}

/** Returns a transport that calls `changed` after each change that succeeded. */
export function changeObservingTransport(transport: Transport, changed: () => void = () => {}): Transport {
  return async (url, request) => {
    const response = await transport(url, request)
    if (!isRead(request.method, url) && response.status >= 200 && response.status < 300) changed()
    return response
  }
}

/** Returns a transport that sends only GET requests. Any other request is passed to `held` and rejected. */
export function dryRunTransport(transport: Transport, held: (request: HeldRequest) => void): Transport {
  return async (url, request) => {
    if (request.method === 'GET') return transport(url, request)
    held({ method: request.method, url, body: typeof request.body === 'string' ? request.body : undefined })
    throw new Error('held back by --dry-run')
  }
}

/** Beyond this, the clocks differ by more than a slow response and the whole seconds of its date. */
const clockToleranceMs = 60_000

/**
 * Returns a transport that calls `differs` for a plan to send later where the clock of this machine differs from that
 * of the service by more than a minute, with the milliseconds that it is ahead: times such as `+2h` count by it.
 */
export function clockObservingTransport(transport: Transport, differs: (aheadMs: number) => void): Transport {
  return async (url, request) => {
    const response = await transport(url, request)
    const date = response.headers.get('date')
    const isPlan = typeof request.body === 'string' && /"(?:sendAt|scheduledAt)":"/.test(request.body)
    const aheadMs = Date.now() - Date.parse(date ?? '')
    if (isPlan && Math.abs(aheadMs) > clockToleranceMs) differs(aheadMs)
    return response
  }
}

/** Returns a transport for paths beside the API: the client puts every path below `/api/v1`. */
export function besideApiTransport(transport: Transport): Transport {
  return (url, request) => transport(url.replace('/api/v1/', '/'), request)
}

/** Returns a transport that reports each request, with its status and duration, without headers and bodies. */
export function tracingTransport(transport: Transport, report: (line: string) => void): Transport {
  return async (url, request) => {
    const began = performance.now()
    const took = () => `${Math.round(performance.now() - began)} ms`
    try {
      const response = await transport(url, request)
      const id = response.headers.get('x-request-id')
      report([request.method, url, response.status, took(), ...(id === null ? [] : [id])].join('  '))
      return response
    } catch (error) {
      report(`${request.method}  ${url}  ${error instanceof Error ? error.message : String(error)}  ${took()}`)
      throw error
    }
  }
}
