import { GatewayError } from '@msgctl/network/errors'
import { startTimeLimit } from '@msgctl/network/timeout'
import type { Agent, Dispatcher } from 'undici'
import { toGatewayError } from './errors.ts'

/** A WAHA server, with the key that it wants. */
export interface WahaAddress {
  readonly url: string
  readonly key: string
}

/** One call of a WAHA server. */
export interface WahaCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** Default: 10 s. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
  /** Whether the call sends a message, so that a broken connection leaves its outcome unknown. */
  readonly sends?: boolean
}

/** A response of a WAHA server. */
export interface WahaResponse {
  readonly body: unknown
  /** The `Date` header: the clock of the server. */
  readonly date: string | null
  /** From the request to the end of the response. */
  readonly tookMs: number
}

/** A file of a WAHA server; the caller reads the body to its end or destroys it. */
interface WahaFile {
  readonly body: Dispatcher.ResponseData['body']
  readonly mimetype: string
}

/** Calls WAHA servers. */
export interface WahaClient {
  /** Throws {@link GatewayError}, whose message never contains anything of the response. */
  call(host: WahaAddress, call: WahaCall): Promise<WahaResponse>
  /** Opens a file; null when the server no longer has it. Throws {@link GatewayError}. */
  file(host: WahaAddress, path: string): Promise<WahaFile | null>
  close(): Promise<void>
}

const connectTimeoutMs = 5000
const defaultTimeoutMs = 10_000
const maxResponseBytes = 32 * 1024 * 1024
const maxConnections = 64

/** Creates the client. Its library is loaded with the first call: many processes never call a WAHA server. */
export function wahaClient(): WahaClient {
  let agent: Promise<Agent> | undefined
  function getAgent(): Promise<Agent> {
    agent ??= import('undici').then(
      ({ Agent }) =>
        new Agent({
          connect: { timeout: connectTimeoutMs },
          connections: maxConnections,
          // Each call has its own time limit.
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
    )
    return agent
  }

  async function request(host: WahaAddress, call: WahaCall, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { method, path, body } = call
    const dispatcher = await getAgent()
    return dispatcher.request({
      origin: new URL(host.url).origin,
      path: new URL(host.url).pathname.replace(/\/$/, '') + path,
      method,
      headers: { 'x-api-key': host.key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    })
  }

  return {
    async call(host, call) {
      const { timeoutMs = defaultTimeoutMs, sends = false } = call
      if (call.signal?.aborted) throw timedOut('not_sent')
      const limit = startTimeLimit(timeoutMs, call.signal)
      const began = performance.now()
      try {
        const response = await request(host, call, limit.signal)
        return { ...(await read(response, sends)), tookMs: performance.now() - began }
      } catch (error) {
        throw toConnectionError(error, { sends, isLate: limit.signal.aborted })
      } finally {
        limit.end()
      }
    },
    async file(host, path) {
      const limit = startTimeLimit(defaultTimeoutMs)
      try {
        const response = await request(host, { method: 'GET', path }, limit.signal)
        const { statusCode, headers, body } = response
        if (statusCode < 300) return { body, mimetype: String(headers['content-type'] ?? 'application/octet-stream') }
        await body.dump()
        if (statusCode === 404 || statusCode === 410) return null
        throw toGatewayError({ status: statusCode, body: undefined }, 'call')
      } catch (error) {
        throw toConnectionError(error, { sends: false, isLate: limit.signal.aborted })
      } finally {
        limit.end()
      }
    },
    async close() {
      await (await agent)?.destroy()
    },
  }
}

async function read(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  sends: boolean,
): Promise<Omit<WahaResponse, 'tookMs'>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop destroys the connection.
    if (bytes > maxResponseBytes) throw unreadable(sends)
    chunks.push(chunk)
  }
  const parsed = parse(Buffer.concat(chunks))
  if (statusCode >= 300) throw toGatewayError({ status: statusCode, body: parsed.json }, sends ? 'send' : 'call')
  if (!parsed.ok) throw unreadable(sends)
  return { body: parsed.json, date: typeof headers.date === 'string' ? headers.date : null }
}

function parse(bytes: Buffer): { readonly ok: boolean; readonly json: unknown } {
  if (bytes.length === 0) return { ok: true, json: null }
  try {
    return { ok: true, json: JSON.parse(bytes.toString('utf8')) }
  } catch {
    return { ok: false, json: undefined }
  }
}

/** Something else than WAHA responded, with success. */
function unreadable(sends: boolean): GatewayError {
  const outcome = sends ? 'unknown' : 'not_sent'
  return new GatewayError('unreachable', 'The host of the number sent a response that cannot be read.', { outcome })
}

function timedOut(outcome: 'unknown' | 'not_sent'): GatewayError {
  return new GatewayError('timeout', 'The host of the number did not respond in time.', { outcome })
}

/** Errors of a connection that was never made: nothing was sent. */
const neverConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Returns the error for a call that got no response. Anything may have happened to a message whose connection broke.
 */
function toConnectionError(error: unknown, call: { readonly sends: boolean; readonly isLate: boolean }): GatewayError {
  if (error instanceof GatewayError) return error
  const outcome = call.sends ? 'unknown' : 'not_sent'
  if (call.isLate) return timedOut(outcome)
  const { code = '', errors = [] } = error as { code?: string; errors?: readonly { code?: string }[] }
  const isNever = neverConnected.has(code) || errors.some((one) => neverConnected.has(one.code ?? ''))
  return new GatewayError('unreachable', 'The host of the number does not respond.', {
    outcome: isNever ? 'not_sent' : outcome,
  })
}
