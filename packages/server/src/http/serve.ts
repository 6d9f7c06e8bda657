import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Issue, limits, type Route } from '@msgctl/contract'
import type Koa from 'koa'
import { authenticate } from '../access/authenticate.ts'
import { authorize } from '../access/authorize.ts'
import { limitChanges } from '../access/rate-limit.ts'
import { describeClient } from '../activity/describe-client.ts'
import { withPoolQuota } from '../db/pool-quota.ts'
import { ApiError } from '../errors.ts'
import { type Idempotency, openKey, Replay, readKey } from '../idempotency/idempotency.ts'
import type { Services } from '../services.ts'
import { bodyBoundsOf } from './body/bounds.ts'
import { withBulkPermit } from './body/bulk-permits.ts'
import { ClientDisconnected, readJson } from './body.ts'
import { serveStream } from './event-stream.ts'
import type { Caller, Frame, Origin } from './handler.ts'
import { type KeptAnswer, keepAnswers } from './kept-answer.ts'
import { toApiError } from './map-error.ts'
import { type ParsedInput, parseBulkInput, parseInput } from './parse.ts'
import {
  ContractViolation,
  type ResponseRules,
  requireDeclaredError,
  responseRules,
  toBody,
  validateResponse,
} from './response.ts'
import type { RequestState } from './state.ts'

/** A handler whose route is known only at run time. */
export type ErasedHandler = (request: never, services: Services) => Promise<unknown>

/** What serving needs beside the route and its handler. */
export interface ServeOptions {
  readonly services: Services
  /** Throws where a handler breaks the contract; otherwise that is only logged. */
  readonly strict: boolean
  readonly bodyTimeoutMs: number
  readonly clientIp: (request: IncomingMessage) => string
  /** Counts a request without credentials that has a body. Throws RATE_LIMIT. */
  readonly limitAddress: (ip: string) => void
  /** Aborts when the server stops. */
  readonly draining: AbortSignal
}

/** Koa's context of a matched route. */
export type RouteContext = Koa.ParameterizedContext<RequestState, { params: Record<string, string> }>

interface Serving extends ServeOptions {
  readonly rules: ResponseRules
  readonly handler: ErasedHandler
  /** Keeps the answer of a read without credentials; undefined for all other routes. */
  readonly keep: ReturnType<typeof keepAnswers> | undefined
}

/**
 * Serves one route, with its checks in the decided order: credentials, gate, rate, size and form of the body, path ids,
 * fields, idempotency, handler.
 */
export function serve(
  route: Route,
  handler: ErasedHandler,
  options: ServeOptions,
): (ctx: RouteContext) => Promise<void> {
  const isPublicRead = route.access.keys === 'public' && route.endpoint.startsWith('GET ')
  const keep = isPublicRead ? keepAnswers() : undefined
  const serving = { ...options, rules: responseRules(route), handler, keep }
  return async (ctx) => {
    try {
      await run(ctx, serving)
    } catch (thrown) {
      if (!(thrown instanceof Replay)) throw refusal(ctx, serving, thrown)
      ctx.set('Idempotency-Replayed', 'true')
      answer(ctx, thrown.status, thrown.body)
    }
  }
}

async function run(ctx: RouteContext, serving: Serving): Promise<void> {
  const { rules, handler, services } = serving
  const { route } = rules
  ctx.state.endpoint = route.endpoint
  if (route.secret || route.access.keys !== 'public') ctx.set('Cache-Control', 'no-store')
  const { key, faults } = readKey(route.idempotent ? ctx.headers['idempotency-key'] : undefined)
  if (key !== null) ctx.set('Idempotency-Key', key)

  const caller = await admit(ctx, serving)
  if (!caller && route.body) serving.limitAddress(serving.clientIp(ctx.req))
  const input = await readInput(ctx, serving, { caller, faults })
  const idempotency = await openKey(services.db, {
    key,
    caller,
    route,
    input,
    toBody: (result) => body(serving, result),
  })
  const signal = leaving(ctx.res, route.stream ? serving.draining : undefined)
  const request = { ...input, ...facts(ctx, serving), caller, idempotency, signal }

  ctx.state.handed = true
  const handle = () => handler(request as never, services)
  const handled = isBoundedRead(route) && caller ? readWithQuota(services.db, caller, signal, handle) : handle()
  const result = await markReplayed(ctx, idempotency, handled)
  if (route.stream) return serveStream(ctx, checkedFrames(serving, result as AsyncIterable<Frame<unknown>>), signal)
  if (serving.keep)
    return answerKept(
      ctx,
      serving.keep(result, () => body(serving, result)),
    )
  requireUsedKey(serving, idempotency)
  answer(ctx, route.status, body(serving, result))
}

/** Streams last for hours and query the database rarely; they have a limit of their own. */
function isBoundedRead(route: Route): boolean {
  return route.endpoint.startsWith('GET ') && !route.stream
}

/**
 * Runs a read within the organization's share of the connections: reads are free, and without a bound forty slow ones
 * keep every other organization waiting. They do not share the quota of changes. Throws ClientDisconnected when the caller left first.
 */
function readWithQuota<T>(db: Services['db'], caller: Caller, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  return withPoolQuota(db, `reads of ${caller.organizationId}`, async () => {
    if (signal.aborted) throw new ClientDisconnected('the caller left before its read began')
    return read()
  })
}

/** Checks everything that is checked before the body is read. Returns the caller, or null on a public route. */
async function admit(ctx: RouteContext, serving: Serving): Promise<Caller | null> {
  const { rules, services } = serving
  const { access } = rules.route
  if (access.keys === 'public') return null
  const identity = await authenticate(services.db, ctx.headers)
  const { organizationId } = identity.caller
  ctx.state.organizationId = organizationId
  authorize(access, identity)
  if (ctx.method !== 'GET' && services.config.changeLimit) {
    await limitChanges(services.db, organizationId, (headers) => ctx.set(headers))
  }
  return { ...identity.caller, origin: originOf(ctx, serving) }
}

function originOf(ctx: RouteContext, { clientIp }: Serving): Origin {
  const userAgent = describeClient(ctx.get('User-Agent'))
  return { ip: clientIp(ctx.req), requestId: ctx.state.requestId, userAgent }
}

async function readInput(
  ctx: RouteContext,
  { rules: { route }, bodyTimeoutMs }: Serving,
  { caller, faults }: { readonly caller: Caller | null; readonly faults: readonly Issue[] },
): Promise<ParsedInput> {
  const { organizationId } = ctx.state
  const bounds = { ...bodyBoundsOf(route), timeoutMs: bodyTimeoutMs }
  // A number's key always uses its own number (specification, "Conventions"): another one is ignored, however it looks.
  const own = caller?.containerId ? withoutContainerId : (input: unknown) => input
  const raw = async () => {
    const body = route.body ? own(await readJson(ctx.req, bounds)) : undefined
    return { params: ctx.params, query: own(ctx.query) as typeof ctx.query, body }
  }
  if (!route.bulk || organizationId === undefined) return parseInput(route, await raw(), faults)
  return withBulkPermit(organizationId, async () => parseBulkInput(route, await raw(), faults))
}

function withoutContainerId(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const { containerId: _ignored, ...others } = input as Record<string, unknown>
  return others
}

function facts(ctx: RouteContext, serving: Serving) {
  const lastEventId = ctx.get('Last-Event-ID').slice(0, limits.cursor)
  const origin = originOf(ctx, serving)
  return {
    requestId: origin.requestId,
    ip: origin.ip,
    origin,
    lastEventId: lastEventId === '' ? null : lastEventId,
  }
}

/** Aborts when the caller left before the whole answer was out, or when `also` does. */
function leaving(res: ServerResponse, also: AbortSignal | undefined): AbortSignal {
  const left = new AbortController()
  const stop = () => left.abort()
  if (also?.aborted) stop()
  also?.addEventListener('abort', stop)
  res.once('close', () => {
    also?.removeEventListener('abort', stop)
    if (!res.writableFinished) stop()
  })
  return left.signal
}

/** Runs a check of the contract. A violation throws when `strict`; in production it is logged and `otherwise` is returned. */
function hold<T>({ strict, services }: Serving, check: () => T, otherwise: T): T {
  try {
    return check()
  } catch (thrown) {
    if (strict || !(thrown instanceof ContractViolation)) throw thrown
    services.log.error({ event: 'contract_violated', err: thrown }, 'handler violated the contract')
    return otherwise
  }
}

function body(serving: Serving, result: unknown): unknown {
  const whole = toBody(serving.rules, result)
  return hold(serving, () => validateResponse(serving.rules, whole), whole)
}

async function* checkedFrames(
  serving: Serving,
  frames: AsyncIterable<Frame<unknown>>,
): AsyncGenerator<Frame<unknown>, void> {
  for await (const frame of frames) {
    yield frame.data === undefined ? frame : { ...frame, data: body(serving, frame.data) }
  }
}

/** Marks the response to a repeated direct send, be it a failure, as the one to the first request. */
async function markReplayed<T>(ctx: RouteContext, idempotency: Idempotency, answer: Promise<T>): Promise<T> {
  const report = () => {
    if (idempotency.earlierMessageId !== null) ctx.set('Idempotency-Replayed', 'true')
  }
  try {
    const result = await answer
    report()
    return result
  } catch (thrown) {
    // A CONFLICT because the first request still runs is no replayed response.
    if (!(thrown instanceof ApiError && thrown.code === 'CONFLICT')) report()
    throw thrown
  }
}

function requireUsedKey(serving: Serving, { key, used }: Idempotency & { used: boolean }): void {
  if (key === null || used) return
  const { endpoint } = serving.rules.route
  const breach = new ContractViolation(`${endpoint} took an Idempotency-Key and did not use its transaction`)
  hold(
    serving,
    () => {
      throw breach
    },
    undefined,
  )
}

/** Whether a caller's If-None-Match names this validator; proxies may have made a weak one of it. */
function hasAnswer(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/** Responds with the kept text, or with 304 when the caller has it. */
function answerKept(ctx: RouteContext, { text, etag }: KeptAnswer): void {
  ctx.set('ETag', etag)
  ctx.set('Cache-Control', 'no-cache')
  ctx.status = 200
  if (hasAnswer(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304
    return
  }
  ctx.type = 'json'
  ctx.body = text
}

function answer(ctx: RouteContext, status: number, content: unknown): void {
  ctx.status = status
  ctx.type = 'json'
  ctx.body = JSON.stringify(content)
}

/** Returns the error to respond with for something thrown, checked against the errors that the route promises. */
function refusal(ctx: RouteContext, serving: Serving, thrown: unknown): Error {
  if (thrown instanceof ClientDisconnected || thrown instanceof ContractViolation) return thrown
  const harmless = !ctx.state.handed || ctx.method === 'GET'
  const error = toApiError(thrown, { log: serving.services.log, ...ctx.state, harmless })
  return hold(
    serving,
    () => {
      requireDeclaredError(serving.rules, error)
      return error
    },
    error,
  )
}
