import { type ErrorCode, type ErrorEnvelope, errorEnvelope, errors } from '@msgctl/contract'
import * as z from 'zod'
import type { TestServer } from '#testing/start-server.ts'
import type { MountedRoute } from './mounted.ts'

/** What one call sends, as plainly as it goes out. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** Sent as JSON; text, bytes and streams as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What came back; `error` when it was refused. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly error: ErrorEnvelope['error'] | undefined
}

/** Built once: schemas are compiled when they are first used, which takes as long as a whole call. */
const envelope = errorEnvelope.strict()
const detailsOf = new Map(
  Object.entries(errors).map(([code, { details = z.undefined() }]) => [code, details.optional()]),
)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The path of a call, with its parameters as they are given. */
function pathOf({ path }: MountedRoute, { params = {}, query = {} }: Sent): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? `:${name}`)
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) search.append(name, value)
  return search.size === 0 ? filled : `${filled}?${search}`
}

/**
 * Calls one route over HTTP and holds the answer against what every answer promises (specification, "Errors"): an
 * X-Request-Id; on an error the envelope, a code of the catalogue with its status and details, and Retry-After exactly
 * when the error has a wait. Throws what is broken. An open stream is left at once.
 */
export async function call(server: Pick<TestServer, 'baseUrl'>, route: MountedRoute, sent: Sent): Promise<Answer> {
  const { body, headers } = sent
  const streamed = body instanceof ReadableStream
  const raw = typeof body === 'string' || body instanceof Uint8Array || streamed
  const response = await fetch(`${server.baseUrl}${pathOf(route, sent)}`, {
    method: route.method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    ...(streamed ? { duplex: 'half' } : {}),
  })
  const streaming = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (streaming) await response.body?.cancel()
  const text = streaming ? '' : await response.text()
  const answer = { status: response.status, headers: response.headers, text }
  const requestId = answer.headers.get('x-request-id') ?? ''
  if (!uuid.test(requestId)) throw new Error(`${route.name} answered ${answer.status} with X-Request-Id "${requestId}"`)
  return { ...answer, error: response.ok ? undefined : requireEnvelope(route, answer) }
}

function requireEnvelope({ name }: MountedRoute, answer: Omit<Answer, 'error'>): ErrorEnvelope['error'] {
  const { status, headers, text } = answer
  const { error } = envelope.parse(JSON.parse(text))
  const { status: promised } = errors[error.code as ErrorCode]
  const broken = [
    error.requestId === headers.get('x-request-id') ? '' : 'requestId is not X-Request-Id',
    status === promised ? '' : `the code belongs to ${promised}`,
    detailsOf.get(error.code)?.safeParse(error.details).success ? '' : 'the details are not those of the code',
    retryAfter(error) === headers.get('retry-after') ? '' : `Retry-After is ${headers.get('retry-after')}`,
  ].filter((fault) => fault !== '')
  if (broken.length > 0) throw new Error(`${name} answered ${status} ${text}: ${broken.join(', ')}`)
  return error
}

/** Returns the expected Retry-After: the wait in the details, or null. */
function retryAfter({ details }: ErrorEnvelope['error']): string | null {
  const seconds = details?.retryAfterSeconds
  return seconds === undefined ? null : String(seconds)
}
