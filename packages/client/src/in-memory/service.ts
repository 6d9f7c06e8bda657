import { declaresSuccess } from '@msgctl/contract'
import { errorTable } from '@msgctl/contract/error-table'
import type { LoggedEvent } from '@msgctl/webhook-verifier/events'
import { MessagingClient } from '../client.ts'
import type { ErrorCode } from '../error.ts'
import type { CallTypes } from '../generated/call-types.ts'
import type { ErrorDetails } from '../generated/errors.ts'
import type { ClientOptions } from '../settings.ts'
import type { Transport, TransportRequest } from '../transport.ts'
import type { OutputOf } from '../types.ts'
import { type EventLog, eventLog } from './events.ts'
import { defaultAnswer } from './examples.ts'
import { findFault, type RawInput } from './find-fault.ts'
import { type AnswerAt, type InputAt, type Match, matchRoute, type RouteId } from './routes.ts'

/**
 * One call that was valid, a stream included. A repeat with the same Idempotency-Key is not recorded again.
 */
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

/** The codes with which a route can fail. */
type FailureOf<Id extends RouteId> = Id extends RouteId ? CallTypes[Id]['code'] & ErrorCode : never

/**
 * A fake of the service for tests of code that uses the client. It makes no network calls, and keeps nothing but the
 * calls: each response is one that you set, or the example of the API reference. Input is validated by the contract.
 */
export interface FakeService {
  /** Creates a client of this service. */
  client(options?: ClientOptions): MessagingClient
  /** The transport, for a client that you create: `new MessagingClient({ fetch: fake.fetch, ... })`. */
  readonly fetch: Transport
  /** Every valid call in the order of arrival. */
  readonly calls: readonly FakeCall[]
  /**
   * Sets the response of a route (default: its example). A function gets the input and must not throw.
   */
  answer<Id extends RouteId>(route: Id, answer: AnswerAt<Id> | ((input: InputAt<Id>) => AnswerAt<Id>)): void
  /** Makes the next call of the route fail with this code, without an effect. */
  failOnce<Id extends RouteId, Code extends FailureOf<Id>>(
    route: Id,
    code: Code,
    ...details: DetailsArgument<Code>
  ): void
  /** Makes the next call of the route have its effect and lose its response. */
  loseOnce(route: RouteId): void
  /** Sends an event to every open stream, and to streams that resume from an earlier event. */
  emit(event: LoggedEvent): void
  /**
   * Resolves when a stream of events is open. A stream that is opened later begins after what was emitted before, so
   * await this between the start of your program and `emit`.
   */
  streamOpened(): Promise<void>
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

interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: unknown
  readonly issues?: readonly unknown[]
}

/** Returns an error as the service sends it, with the headers X-Request-Id and Retry-After. */
function toErrorResponse({ code, message, details, issues }: Refusal, reply: Reply = {}): Response {
  const response = toResponse(errorTable[code].status, '', reply)
  const requestId = response.headers.get('x-request-id')
  const body = JSON.stringify({ success: false, error: { code, message, details, issues, requestId } })
  const { retryAfterSeconds } = (details ?? {}) as { readonly retryAfterSeconds?: number }
  if (retryAfterSeconds !== undefined) response.headers.set('retry-after', String(retryAfterSeconds))
  return new Response(body, { status: response.status, headers: response.headers })
}

const keyForm = /^[A-Za-z0-9._:-]{1,255}$/

/** Returns the parts of a request, as they are validated. Bytes are a file. */
function rawInput(url: URL, { body = '{}' }: TransportRequest, params: RawInput['params']): RawInput {
  const query = Object.fromEntries(url.searchParams)
  return { params, query, body: typeof body === 'string' ? JSON.parse(body) : undefined }
}

/** Returns the input as one object, as the client takes it. */
function flatInput({ params, query, body }: RawInput, request: TransportRequest): FakeCall['input'] {
  return { ...query, ...(body === undefined ? { content: request.body } : (body as object)), ...params }
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
function run(memory: Memory, call: FakeCall, match: Match, answer: Answer): { text: string; replayed: boolean } | null {
  const { route, input, idempotencyKey: key } = call
  const question = canonical(input)
  // A key belongs to one route.
  const place = `${route} ${key}`
  const known = key === undefined ? undefined : memory.answered.get(place)
  if (known !== undefined) return known.question === question ? { text: known.text, replayed: true } : null
  memory.calls.push(call)
  const text = JSON.stringify({ ...(declaresSuccess(match.route.response) ? { success: true } : {}), ...answer(input) })
  if (key !== undefined) memory.answered.set(place, { question, text })
  return { text, replayed: false }
}

/** Returns what responds to a route: what the test has set, or the example. */
function findAnswer(memory: Memory, { id, route }: Match): Answer | undefined {
  const example = defaultAnswer(id, route.idempotent === true)
  return memory.answers.get(id) ?? (example && !route.stream ? () => example : undefined)
}

function handle(memory: Memory, call: FakeCall, match: Match): Response {
  const { route, idempotencyKey } = call
  if (idempotencyKey !== undefined && !keyForm.test(idempotencyKey)) {
    const rule = 'must have 1 to 255 letters, digits, dots, dashes, colons or underscores'
    const message = `Idempotency-Key ${rule}.`
    return toErrorResponse({ code: 'VALIDATION_ERROR', message, details: { 'Idempotency-Key': [rule] } })
  }
  const answer = findAnswer(memory, match)
  const fault = memory.faults.get(route)?.shift()
  if (fault !== undefined && fault !== 'lost') {
    memory.calls.push(call)
    const message = `The fake failed with ${fault.code}, as requested by failOnce.`
    return toErrorResponse({ ...fault, message }, { idempotencyKey })
  }
  if (!answer) {
    const message = `The fake has no response for ${route}: set one with answer('${route}', ...).`
    return toErrorResponse({ code: 'ROUTE_NOT_FOUND', message })
  }
  if (route === 'chats.attachment' && fault === undefined) {
    memory.calls.push(call)
    return toFileResponse(answer(call.input) as OutputOf<'chats.attachment'>)
  }
  const answered = run(memory, call, match, answer)
  if (answered === null) {
    const message = 'This Idempotency-Key was used with another request. Use a new key.'
    const details = { reason: 'idempotency_mismatch' }
    return toErrorResponse({ code: 'CONFLICT', message, details }, { idempotencyKey })
  }
  if (fault === 'lost') throw Object.assign(new TypeError('The response was lost.'), { code: 'ECONNRESET' })
  return toResponse(match.route.status, answered.text, { idempotencyKey, replayed: answered.replayed })
}

function openStream(memory: Memory, events: EventLog, url: URL, request: TransportRequest): Response {
  const after = request.headers['last-event-id'] ?? url.searchParams.get('after')
  const stream = events.open(after, url.searchParams.get('types'), request.signal)
  if (stream) {
    memory.calls.push({
      route: 'events.stream',
      input: Object.fromEntries(url.searchParams),
      idempotencyKey: undefined,
    })
    return stream
  }
  const message =
    'is not an event of the last 30 days; pass since instead to start from a time; without either, a stream starts now'
  return toErrorResponse({ code: 'VALIDATION_ERROR', message: `after ${message}.`, details: { after: [message] } })
}

/** The key of clients of a fake: no text of an error contains it by chance, which would be redacted. */
const fakeKey = `msk_${'fa4e'.repeat(16)}`

/** Creates a fake of the service. It responds with the examples of the API reference until a test sets others. */
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
    if (!match) {
      return toErrorResponse({
        code: 'ROUTE_NOT_FOUND',
        message: `There is no route ${request.method} ${url.pathname}.`,
      })
    }
    const raw = rawInput(url, request, match.parameters)
    // The ids of events are the test's own.
    const { after: _, ...query } = raw.query
    const fault = findFault(match.route, match.id === 'events.stream' ? { ...raw, query } : raw)
    if (fault) return toErrorResponse(fault)
    if (match.id === 'events.stream') return openStream(memory, events, url, request)
    const idempotencyKey = match.route.idempotent ? request.headers['idempotency-key'] : undefined
    return handle(memory, { route: match.id, input: flatInput(raw, request), idempotencyKey }, match)
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
    streamOpened: events.opened,
  }
}
