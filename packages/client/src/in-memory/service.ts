import type { Details, ErrorCode, LoggedEvent } from '@msgctl/contract'
import { errorTable } from '@msgctl/contract/error-table'
import { MessagingClient } from '../client.ts'
import type { ClientOptions } from '../settings.ts'
import type { Transport, TransportRequest } from '../transport.ts'
import { eventLog } from './events.ts'
import { type AnswerAt, carriesSuccess, type InputAt, matchRoute, type RouteId, statusOf } from './routes.ts'

/** One call that arrived. A repeat under the same Idempotency-Key is not another one. */
export interface FakeCall {
  /** Like `alert.send`. */
  readonly route: RouteId
  /** Path parameters, query and body in one object. What travelled in the path or the query is text. */
  readonly input: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string | undefined
}

/** The details of an error: demanded for codes that carry some. */
type DetailsArgument<Code extends ErrorCode> =
  undefined extends Details<Code> ? [details?: Details<Code>] : [details: Details<Code>]

/** A service in memory, for the tests of what uses the client. Nothing leaves the process. */
export interface FakeService {
  /** A client of this service, whose options may be given. */
  client(options?: ClientOptions): MessagingClient
  /** The service as a transport, for a client that is made elsewhere: `new MessagingClient({ fetch: fake.fetch, ... })`. */
  readonly fetch: Transport
  /** Every call, in the order of arrival. */
  readonly calls: readonly FakeCall[]
  /** From now on the route answers this; a function is given the input and may throw nothing. */
  answer<Id extends RouteId>(route: Id, answer: AnswerAt<Id> | ((input: InputAt<Id>) => AnswerAt<Id>)): void
  /** The next call of the route fails with this code and has no effect. */
  failOnce<Code extends ErrorCode>(route: RouteId, code: Code, ...details: DetailsArgument<Code>): void
  /** The next call of the route has its effect, and its answer is lost. */
  loseOnce(route: RouteId): void
  /** Tells an event to every open stream, and to those that resume from one before it. */
  emit(event: LoggedEvent): void
}

type Fault = { readonly code: ErrorCode; readonly details: unknown } | 'lost'
type Answer = (input: Readonly<Record<string, unknown>>) => object

interface Memory {
  readonly calls: FakeCall[]
  readonly answers: Map<RouteId, Answer>
  readonly faults: Map<RouteId, Fault[]>
  /** By Idempotency-Key: what was asked under it, and what was answered. */
  readonly answered: Map<string, { readonly question: string; readonly text: string }>
}

function answerOf(status: number, body: string, idempotencyKey?: string): Response {
  const echo: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  const headers = { 'content-type': 'application/json', 'x-request-id': crypto.randomUUID(), ...echo }
  return new Response(body, { status, headers })
}

function failureOf(code: ErrorCode, message: string, details: unknown): Response {
  const error = { code, message, details, requestId: crypto.randomUUID() }
  return answerOf(errorTable[code].status, JSON.stringify({ success: false, error }))
}

function inputOf(url: URL, request: TransportRequest, parameters: Readonly<Record<string, string>>) {
  return { ...Object.fromEntries(url.searchParams), ...JSON.parse(request.body ?? '{}'), ...parameters }
}

/** The answer of a route, the same text for the same Idempotency-Key; null when that key stands for another question. */
function run(memory: Memory, call: FakeCall, answer: Answer): string | null {
  const { route, input, idempotencyKey: key } = call
  const question = JSON.stringify([route, input])
  const known = key === undefined ? undefined : memory.answered.get(key)
  if (known !== undefined) return known.question === question ? known.text : null
  memory.calls.push(call)
  const text = JSON.stringify({ ...(carriesSuccess(route) ? { success: true } : {}), ...answer(input) })
  if (key !== undefined) memory.answered.set(key, { question, text })
  return text
}

function handle(memory: Memory, call: FakeCall): Response {
  const answer = memory.answers.get(call.route)
  const fault = memory.faults.get(call.route)?.shift()
  if (fault !== undefined && fault !== 'lost') {
    memory.calls.push(call)
    return failureOf(fault.code, `The fake was told to fail with ${fault.code}.`, fault.details)
  }
  if (!answer) {
    const hint = `The fake has no answer for ${call.route}: give it one with answer('${call.route}', ...).`
    return failureOf('ROUTE_NOT_FOUND', hint, undefined)
  }
  const text = run(memory, call, answer)
  if (text === null)
    return failureOf('CONFLICT', 'The Idempotency-Key was used for another request.', {
      reason: 'idempotency_mismatch',
    })
  if (fault === 'lost') throw Object.assign(new TypeError('The answer was lost.'), { code: 'ECONNRESET' })
  return answerOf(statusOf(call.route), text, call.idempotencyKey)
}

/** Makes a service in memory that answers nothing yet. */
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
    if (!match) return failureOf('ROUTE_NOT_FOUND', `There is no route ${request.method} ${url.pathname}.`, undefined)
    const input = inputOf(url, request, match.parameters)
    if (match.id === 'events.stream') {
      const after = request.headers['last-event-id'] ?? url.searchParams.get('after')
      return events.open(after, url.searchParams.get('types'), request.signal)
    }
    return handle(memory, { route: match.id, input, idempotencyKey: request.headers['idempotency-key'] })
  }
  return {
    client: (options = {}) => new MessagingClient({ apiKey: 'fake', baseUrl, fetch: transport, ...options }),
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
