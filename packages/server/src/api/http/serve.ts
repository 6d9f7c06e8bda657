import { type Issue, limits, type Route } from '@msgctl/contract'
import { SemaphoreFull, semaphore } from '@msgctl/network/semaphore'
import { authenticate } from '#api/access/authenticate.ts'
import { Replay, readKey } from '#api/idempotency/idempotency.ts'
import { ApiError, apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { withBulkPermit } from './body/bulk-permits.ts'
import { PassedBound } from './body/passed-bound.ts'
import { bodyBoundsOf } from './body/scan.ts'
import { readBody, readJson } from './body.ts'
import { type Call, HttpSource } from './call/call.ts'
import {
  admitCaller,
  bodyOf,
  type Callee,
  calleeOf,
  type ErasedHandler,
  longBodyOf,
  openCall,
  refusalOf,
  requireUsedKey,
  runHandler,
  withoutContainerId,
} from './call/callee.ts'
import type { clientIp } from './client-ip.ts'
import { serveStream } from './event-stream.ts'
import { type FileToSend, serveFile } from './files/download.ts'
import { readUpload } from './files/upload.ts'
import type { Caller, Frame, Origin, RawRequest } from './handler.ts'
import { type KeptAnswer, keepAnswers } from './kept-answer.ts'
import { serveLong } from './long-response.ts'
import {
  ignoredNames,
  ignoredNamesOfUpload,
  type ParsedInput,
  parseBulkInput,
  parseInput,
  parseUploadInput,
} from './parse.ts'
import type { RouteContext } from './state.ts'

/** What serving needs beside the route and its handler. */
export interface ServeOptions {
  readonly services: Services
  /** Throws where a handler breaks the contract; otherwise that is only logged. */
  readonly strict: boolean
  readonly bodyTimeoutMs: number
  readonly clientIp: ReturnType<typeof clientIp>
  /** Counts a request without credentials that has a body. Throws RATE_LIMIT. */
  readonly limitAddress: (ip: string) => void
  /** Aborts when the server stops. */
  readonly draining: AbortSignal
}

interface Serving extends ServeOptions, Callee {
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
  const serving = { ...options, ...calleeOf(route, handler, options), keep }
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
  const { route } = serving.rules
  ctx.state.endpoint = route.endpoint
  if (route.secret || route.access.keys !== 'public') ctx.set('Cache-Control', 'no-store')
  const { key, faults } = readKey(route.idempotent ? ctx.headers['idempotency-key'] : undefined)
  if (key !== null) ctx.set('Idempotency-Key', key)

  const source = new HttpSource(ctx, serving.clientIp, route.stream ? serving.draining : undefined)
  const caller = await admit(ctx, serving, source)
  if (!caller && route.body) serving.limitAddress(source.ip)
  const input = await readInput(ctx, serving, { caller, faults })
  const call = await openCall(serving, source, { key, caller, input })

  ctx.state.handed = true
  const result = await markReplayed(ctx, call, runHandler(serving, call))
  if (route.stream) {
    const streamEnded = serving.services.metrics.streamOpened(route.endpoint)
    const frames = checkedFrames(serving, result as AsyncIterable<Frame<unknown>>)
    return serveStream(ctx, frames, call.signal).finally(streamEnded)
  }
  if (route.download) return serveFile(ctx, result as FileToSend)
  if (serving.keep)
    return answerKept(
      ctx,
      serving.keep(result, () => bodyOf(serving, result)),
    )
  requireUsedKey(serving, call)
  if (route.longLists) return serveLong(ctx, route.status, await longBodyOf(serving, result))
  answer(ctx, route.status, bodyOf(serving, result))
}

/** Checks everything that is checked before the body is read. Returns the caller, or null on a public route. */
async function admit(ctx: RouteContext, serving: Serving, origin: Origin): Promise<Caller | null> {
  const { rules, services } = serving
  if (rules.route.access.keys === 'public') return null
  const identity = await authenticate(services.db, ctx.headers)
  ctx.state.organizationId = identity.caller.organizationId
  await admitCaller(serving, identity, ctx.method !== 'GET', (headers) => ctx.set(headers))
  return { ...identity.caller, origin }
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
  const query = own(ctx.query) as typeof ctx.query
  const raw = async () => {
    const read = () => readJson(ctx.req, bounds).catch((refusal: unknown) => refuse(refusal, route))
    const body = route.body ? own(await read()) : undefined
    const given = { params: ctx.params, query, body }
    nameIgnored(ctx, ignoredNames(route, given))
    return given
  }
  if (route.upload && organizationId !== undefined) {
    // The permit is held while the file is read; its bytes are then held until it is stored.
    const upload = await withBulkPermit(organizationId, () => readUpload(ctx.req, ctx.query, bodyTimeoutMs))
    nameIgnored(ctx, ignoredNamesOfUpload(route, query, upload))
    return parseUploadInput(route, upload, faults)
  }
  if (route.raw) {
    const input = parseInput(route, { params: ctx.params, query, body: undefined }, faults)
    return { ...input, raw: await readRaw(ctx, bodyTimeoutMs) }
  }
  if (!route.bulk || organizationId === undefined) return parseInput(route, await raw(), faults)
  return withBulkPermit(organizationId, async () => parseBulkInput(route, await raw(), faults))
}

/** Bodies that one process reads as they came at a time, at most 100 MiB. */
const rawPermits = semaphore({ limit: 100, limitPerKey: () => 100, maxQueued: 0 })

/** Reads a body as it came. It is of no caller yet, so it has no limit for an address. */
async function readRaw(ctx: RouteContext, timeoutMs: number): Promise<RawRequest> {
  const read = () => readBody(ctx.req, { maxBytes: limits.bodyBytes, timeoutMs })
  try {
    return { bytes: await rawPermits.run('raw', read), header: (name) => ctx.get(name) || undefined }
  } catch (error) {
    if (!(error instanceof SemaphoreFull)) throw error
    throw apiError('SERVICE_BUSY', 'The service is busy. Try again in 1 s.', { retryAfterSeconds: 1 })
  }
}

function nameIgnored(ctx: RouteContext, names: readonly string[]): void {
  if (names.length > 0) ctx.set('X-Ignored-Fields', names.join(', '))
}

/** Throws a refusal of a body, as the fault of a field where one is meant. */
function refuse(refusal: unknown, { body }: Route): never {
  throw refusal instanceof PassedBound ? refusal.asFault(body) : refusal
}

async function* checkedFrames(
  serving: Serving,
  frames: AsyncIterable<Frame<unknown>>,
): AsyncGenerator<Frame<unknown>, void> {
  for await (const frame of frames) {
    yield frame.data === undefined ? frame : { ...frame, data: bodyOf(serving, frame.data) }
  }
}

/** Marks the response to a repeated direct send, be it a failure, as the one to the first request. */
async function markReplayed<T>(ctx: RouteContext, { idempotency }: Call, answer: Promise<T>): Promise<T> {
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

/** Returns the error to respond with for something thrown. */
function refusal(ctx: RouteContext, serving: Serving, thrown: unknown): Error {
  const harmless = !ctx.state.handed || ctx.method === 'GET'
  return refusalOf(serving, thrown, { requestId: ctx.state.requestId, harmless })
}
