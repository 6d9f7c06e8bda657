import { limits } from '@msgctl/contract'
import { parseOptions, toIssues } from '@msgctl/contract/issues'
import { startTimeLimit } from '@msgctl/network/timeout'
import type Koa from 'koa'
import * as z from 'zod'
import { readJson } from '#api/http/body.ts'
import { validationError } from '#api/http/parse.ts'
import { routed } from '#api/http/router.ts'
import type { RequestState } from '#api/http/state.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { SimContext } from './context.ts'
import { requireOwnNumber, requireSimCaller, type SimCaller } from './control/caller.ts'
import { dropLine, scanCode, sendReceipt, setHost, setPresence, unlinkPhone } from './control/control.ts'
import { inboundBody, number, writeInbound } from './control/inbound.ts'
import { outboxQuery, readOutbox } from './control/outbox.ts'
import { phoneBody, phoneQuery, readPhone, showPhone } from './control/phone.ts'
import { deleteFaults, saveFaults } from './control/store.ts'
import { transcript, transcriptQuery } from './control/transcript.ts'
import { faultSettings } from './faults.ts'

const bodyBounds = { maxBytes: 65_536, timeoutMs: 10_000, marks: limits.bodyMarks }
const prefix = '/sim/'
const nothing = z.object({})

interface SimRoute {
  readonly method: string
  readonly path: RegExp
  /** What the path names, the query and the body hold, taken together. */
  readonly input: z.ZodType
  run(ctx: SimContext, input: never, caller: SimCaller): Promise<unknown>
}

function route<Schema extends z.ZodType>(
  method: string,
  path: RegExp,
  input: Schema,
  run: (ctx: SimContext, input: z.output<Schema>, caller: SimCaller) => Promise<unknown>,
): SimRoute {
  return { method, path, input, run }
}

const aNumber = { containerId: z.uuid().toLowerCase() }
const receipt = z.object({
  messageId: z.string().min(1).max(255),
  status: z.enum(['sent', 'delivered', 'read', 'played', 'failed']),
})
const yearSeconds = 31_622_400

const routes: readonly SimRoute[] = [
  route(
    'POST',
    /^numbers\/(?<containerId>[^/]+)\/scan$/,
    z.object({ ...aNumber, phone: number.optional() }),
    (ctx, { containerId, phone }) => scanCode(ctx, containerId, phone),
  ),
  route('POST', /^numbers\/(?<containerId>[^/]+)\/unlink$/, z.object(aNumber), (ctx, { containerId }) =>
    unlinkPhone(ctx, containerId),
  ),
  route(
    'POST',
    /^numbers\/(?<containerId>[^/]+)\/drop$/,
    z.object({ ...aNumber, seconds: z.number().positive().max(86_400).default(60) }),
    (ctx, { containerId, seconds }) => dropLine(ctx, containerId, seconds),
  ),
  route('POST', /^numbers\/(?<containerId>[^/]+)\/host-down$/, z.object(aNumber), (ctx, { containerId }) =>
    setHost(ctx, containerId, true),
  ),
  route('POST', /^numbers\/(?<containerId>[^/]+)\/host-up$/, z.object(aNumber), (ctx, { containerId }) =>
    setHost(ctx, containerId, false),
  ),
  route('POST', /^inbound$/, inboundBody, writeInbound),
  route('POST', /^people\/(?<phone>[^/]+)\/online$/, z.object({ phone: number }), (ctx, { phone }) =>
    setPresence(ctx, phone, true),
  ),
  route('POST', /^people\/(?<phone>[^/]+)\/offline$/, z.object({ phone: number }), (ctx, { phone }) =>
    setPresence(ctx, phone, false),
  ),
  route('GET', /^phones\/(?<phone>[^/]+)$/, phoneQuery, showPhone),
  route('POST', /^phones\/(?<phone>[^/]+)\/read$/, phoneBody, readPhone),
  route('POST', /^receipts$/, receipt, (ctx, { messageId, status }) => sendReceipt(ctx, messageId, status)),
  route('GET', /^transcript$/, transcriptQuery, transcript),
  route('GET', /^mail$/, outboxQuery, readOutbox),
  route('GET', /^clock$/, nothing, async ({ clock }) => ({ now: clock.now() })),
  route(
    'POST',
    /^clock\/advance$/,
    z.object({ seconds: z.number().positive().max(yearSeconds) }),
    async (ctx, { seconds }) => {
      const now = await ctx.clock.advance(seconds)
      ctx.wake.signal('clock')
      return { now }
    },
  ),
  route('PUT', /^faults$/, faultSettings, async (ctx, settings) => {
    await saveFaults(ctx.db, settings)
    return { faults: settings }
  }),
  route('DELETE', /^faults$/, nothing, async (ctx) => {
    await transaction(ctx.db, deleteFaults)
    return { faults: {} }
  }),
]

/** What the console may not read: it holds messages and mails of all organizations. */
const programsOnly = /^(transcript|mail|receipts)$/

/** A request to operate the simulator, as plain data. */
export interface SimRequest {
  readonly method: string
  /** The whole path, e.g. `/sim/clock`. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly remoteAddress: string | undefined
  /** Reads the body; called only when the caller may operate the simulator and the route takes one. */
  body(): Promise<unknown>
}

/**
 * Operates the simulated network and responds with the result, always with 200. Only programs and the console on this
 * machine are allowed; others get ADMIN_ONLY. Throws ROUTE_NOT_FOUND, VALIDATION_ERROR, CONTAINER_NOT_FOUND,
 * MESSAGE_NOT_FOUND and SESSION_NOT_CONNECTED.
 */
export async function operate(ctx: SimContext, request: SimRequest): Promise<unknown> {
  const caller = await requireSimCaller(ctx, request.headers, request.remoteAddress)
  const local = request.path.slice(prefix.length)
  if (caller.organizationId !== null && programsOnly.test(local)) {
    throw apiError('ADMIN_ONLY', 'Only a program with the token of the simulator may do this.')
  }
  const found = routes.find(({ method, path }) => method === request.method && path.test(local))
  if (!found) throw apiError('ROUTE_NOT_FOUND', 'The simulator has no such route.')
  const body = found.method === 'POST' || found.method === 'PUT' ? await request.body() : request.query
  const input = { ...(isObject(body) ? body : {}), ...decoded(found.path.exec(local)?.groups) }
  const parsed = found.input.safeParse(isObject(body) ? input : body, parseOptions)
  if (!parsed.success) throw validationError(toIssues(parsed.error.issues, input, 'body'))
  await requireOwnNumber(ctx, caller, parsed.data)
  return found.run(ctx, parsed.data as never, caller)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function decoded(groups: Record<string, string> = {}): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    throw apiError('ROUTE_NOT_FOUND', 'The path cannot be read.')
  }
}

const forwardTimeoutMs = 10_000

/** Passes a request on to the server behind which the simulated network stands. It has the same token. */
async function forward(ctx: SimContext, controlUrl: string, koa: Koa.Context): Promise<void> {
  const { token } = ctx.config.simulator
  await requireSimCaller(ctx, koa.headers, koa.socket.remoteAddress)
  const hasBody = koa.method === 'POST' || koa.method === 'PUT'
  const limit = startTimeLimit(forwardTimeoutMs)
  const response = await fetch(controlUrl + koa.url, {
    method: koa.method,
    headers: { 'x-sim-token': token ?? '', 'content-type': 'application/json' },
    ...(hasBody ? { body: JSON.stringify(await readJson(koa.req, bodyBounds)) } : {}),
    signal: limit.signal,
  })
    .catch(() => {
      throw apiError('GATEWAY_UNREACHABLE', `The simulated network does not respond at ${controlUrl}.`)
    })
    .finally(limit.end)
  koa.status = response.status
  koa.body = await response.json()
}

/**
 * The routes under /sim that operate the simulated network. Mount them only where `config.simulator.control` is set,
 * below the middleware that turns thrown errors into responses.
 */
export function simRoutes(ctx: SimContext): Koa.Middleware<RequestState> {
  const { controlUrl } = ctx.config.simulator
  return routed((router) => {
    router.all(`${prefix}{*path}`, async (koa) => {
      koa.set('Cache-Control', 'no-store')
      if (controlUrl !== null) return forward(ctx, controlUrl, koa)
      koa.body = await operate(ctx, {
        method: koa.method,
        path: koa.path,
        query: koa.query,
        headers: koa.headers,
        remoteAddress: koa.socket.remoteAddress,
        body: () => readJson(koa.req, bodyBounds),
      })
    })
  })
}
