import { errorTable } from '@msgctl/contract/error-table'
import type { LoggedEvent } from '@msgctl/webhook-verifier/events'
import { MessagingClient } from '../client.ts'
import type { ErrorCode } from '../error.ts'
import type { ErrorDetails } from '../generated/errors.ts'
import type { ClientOptions } from '../settings.ts'
import type { Transport, TransportRequest } from '../transport.ts'
import type { OutputOf } from '../types.ts'
import { type EventLog, eventLog } from './events.ts'
import { type AnswerAt, carriesSuccess, type InputAt, matchRoute, type RouteId, successStatus } from './routes.ts'

/** One call. A repeat with the same Idempotency-Key is not recorded again. */
export interface FakeCall {
  /** Like `alert.send`. */
  readonly route: RouteId
  /** Path parameters, query and body in one object. Values from the path and the query are text. */
  readonly input: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string | undefined
}

/** The details of an error, required for codes that always carry some. */
type DetailsArgument<Code extends ErrorCode> = undefined extends ErrorDetails[Code]
  ? [details?: ErrorDetails[Code]]
  : Record<never, never> extends ErrorDetails[Code]
    ? [details?: ErrorDetails[Code]]
    : [details: ErrorDetails[Code]]

/** An in-memory service for tests of code that uses the client. It makes no network calls. */
export interface FakeService {
  /** Creates a client of this service. */
  client(options?: ClientOptions): MessagingClient
  /** The transport, for a client that you create: `new MessagingClient({ fetch: fake.fetch, ... })`. */
  readonly fetch: Transport
  /** Every call in the order of arrival. */
  readonly calls: readonly FakeCall[]
  /** Sets the response of a route. A function gets the input and must not throw. */
  answer<Id extends RouteId>(route: Id, answer: AnswerAt<Id> | ((input: InputAt<Id>) => AnswerAt<Id>)): void
  /** Makes the next call of the route fail with this code, without an effect. */
  failOnce<Code extends ErrorCode>(route: RouteId, code: Code, ...details: DetailsArgument<Code>): void
  /** Makes the next call of the route have its effect and lose its response. */
  loseOnce(route: RouteId): void
  /** Sends an event to every open stream, and to streams that resume from an earlier event. */
  emit(event: LoggedEvent): void
}

type Fault = { readonly code: ErrorCode; readonly details: unknown } | 'lost'
type Answer = (input: Readonly<Record<string, unknown>>) => object

interface Memory {
  readonly calls: FakeCall[]
  readonly answers: Map<RouteId, Answer>
  readonly faults: Map<RouteId, Fault[]>
  /** By route and Idempotency-Key: the input and the response. */
  readonly answered: Map<string, { readonly question: string; readonly text: string }>
}

interface Reply {
  readonly idempotencyKey?: string | undefined
  readonly replayed?: boolean
}

function toResponse(status: number, body: string, { idempotencyKey, replayed = false }: Reply = {}): Response {
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': crypto.randomUUID() })
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  if (replayed) headers.set('idempotency-replayed', 'true')
  return new Response(body, { status, headers })
}

/** Returns an error as the service sends it, with the headers X-Request-Id and Retry-After. */
function toErrorResponse(code: ErrorCode, message: string, details: unknown, reply: Reply = {}): Response {
  const response = toResponse(errorTable[code].status, '', reply)
  const requestId = response.headers.get('x-request-id')
  const body = JSON.stringify({ success: false, error: { code, message, details, requestId } })
  const { retryAfterSeconds } = (details ?? {}) as { readonly retryAfterSeconds?: number }
  if (retryAfterSeconds !== undefined) response.headers.set('retry-after', String(retryAfterSeconds))
  return new Response(body, { status: response.status, headers: response.headers })
}

const keyForm = /^[A-Za-z0-9._:-]{1,255}$/

function parseInput(url: URL, request: TransportRequest, parameters: Readonly<Record<string, string>>) {
  const { body = '{}' } = request
  const fields = typeof body === 'string' ? JSON.parse(body) : { content: new Uint8Array(body) }
  return { ...Object.fromEntries(url.searchParams), ...fields, ...parameters }
}

/** Returns a file as the service sends it. */
function toFileResponse({ content, mimetype, filename }: OutputOf<'chats.attachment'>): Response {
  return new Response(new Uint8Array(content), {
    headers: {
      'content-type': mimetype,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
      'x-request-id': crypto.randomUUID(),
    },
  })
}

/** The JSON of a value, whatever the order of its fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([left], [right]) => (left < right ? -1 : 1)))
      : each,
  )
}

/** Returns the response text of a route, the same for the same Idempotency-Key; null when the key had another input. */
function run(memory: Memory, call: FakeCall, answer: Answer): { text: string; replayed: boolean } | null {
  const { route, input, idempotencyKey: key } = call
  const question = canonical(input)
  // A key belongs to one route.
  const place = `${route} ${key}`
  const known = key === undefined ? undefined : memory.answered.get(place)
  if (known !== undefined) return known.question === question ? { text: known.text, replayed: true } : null
  memory.calls.push(call)
  const text = JSON.stringify({ ...(carriesSuccess(route) ? { success: true } : {}), ...answer(input) })
  if (key !== undefined) memory.answered.set(place, { question, text })
  return { text, replayed: false }
}

function handle(memory: Memory, call: FakeCall): Response {
  const { route, idempotencyKey } = call
  if (idempotencyKey !== undefined && !keyForm.test(idempotencyKey)) {
    const message = 'must have 1 to 255 letters, digits, dots, dashes, colons or underscores'
    return toErrorResponse('VALIDATION_ERROR', `Idempotency-Key ${message}.`, { 'Idempotency-Key': [message] })
  }
  const answer = memory.answers.get(route)
  const fault = memory.faults.get(route)?.shift()
  if (fault !== undefined && fault !== 'lost') {
    memory.calls.push(call)
    return toErrorResponse(fault.code, `The fake failed with ${fault.code}, as requested by failOnce.`, fault.details, {
      idempotencyKey,
    })
  }
  if (!answer) {
    const hint = `The fake has no response for ${route}: set one with answer('${route}', ...).`
    return toErrorResponse('ROUTE_NOT_FOUND', hint, undefined)
  }
  if (route === 'chats.attachment' && fault === undefined) {
    memory.calls.push(call)
    return toFileResponse(answer(call.input) as OutputOf<'chats.attachment'>)
  }
  const answered = run(memory, call, answer)
  if (answered === null) {
    const message = 'This Idempotency-Key was used with another request. Use a new key.'
    return toErrorResponse('CONFLICT', message, { reason: 'idempotency_mismatch' }, { idempotencyKey })
  }
  if (fault === 'lost') throw Object.assign(new TypeError('The response was lost.'), { code: 'ECONNRESET' })
  return toResponse(successStatus(route), answered.text, { idempotencyKey, replayed: answered.replayed })
}

function openStream(events: EventLog, url: URL, request: TransportRequest): Response {
  const after = request.headers['last-event-id'] ?? url.searchParams.get('after')
  const stream = events.open(after, url.searchParams.get('types'), request.signal)
  if (stream) return stream
  const message = 'is not an event of the last 30 days; leave it out to start from the oldest event'
  return toErrorResponse('VALIDATION_ERROR', `after ${message}.`, { after: [message] })
}

/** The key of clients of a fake: no text of an error contains it by chance, which would be redacted. */
const fakeKey = `msk_${'fa4e'.repeat(16)}`

/** Creates an in-memory service without responses. */
export function fakeService(): FakeService {
  const memory: Memory = { calls: [], answers: new Map(), faults: new Map(), answered: new Map() }
  const events = eventLog()
  const baseUrl = 'https://fake.invalid/api/v1'
  const addFault = (route: RouteId, fault: Fault) => {
    memory.faults.set(route, [...(memory.faults.get(route) ?? []), fault])
  }
  const transport: Transport = async (address, request) => {
    const url = new URL(address)
    const match = matchRoute(request.method, url.pathname.replace(/^.*\/api\/v1/, ''))
    if (!match)
      return toErrorResponse('ROUTE_NOT_FOUND', `There is no route ${request.method} ${url.pathname}.`, undefined)
    const input = parseInput(url, request, match.parameters)
    if (match.id === 'events.stream') return openStream(events, url, request)
    const idempotencyKey = match.takesKey ? request.headers['idempotency-key'] : undefined
    return handle(memory, { route: match.id, input, idempotencyKey })
  }
  return {
    client: (options = {}) => new MessagingClient({ apiKey: fakeKey, baseUrl, fetch: transport, ...options }),
    fetch: transport,
    calls: memory.calls,
    answer(route, answer) {
      memory.answers.set(route, (typeof answer === 'function' ? answer : () => answer) as Answer)
    },
    failOnce: (route, code, ...[details]) => addFault(route, { code, details }),
    loseOnce: (route) => addFault(route, 'lost'),
    emit: events.emit,
  }
}
