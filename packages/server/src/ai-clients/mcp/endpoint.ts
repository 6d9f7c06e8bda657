import { limits } from '@msgctl/contract'
import type Koa from 'koa'
import { answerPreflight, requireOwnOrigin } from '#ai-clients/oauth/cross-origin.ts'
import { authorize } from '#api/access/authorize.ts'
import { byCredential, limitReached } from '#api/access/limit-key.ts'
import { ordinary } from '#api/http/body/scan.ts'
import { readJson } from '#api/http/body.ts'
import { HttpSource } from '#api/http/call/call.ts'
import { basePath, type HandlerTable } from '#api/http/mount.ts'
import { routed } from '#api/http/router.ts'
import type { ServeOptions } from '#api/http/serve.ts'
import type { RequestState } from '#api/http/state.ts'
import { incrementLazily } from '#people/auth/attempt-store.ts'
import type { AiRequest } from './call-tool.ts'
import { calleesOf } from './callees.ts'
import { type AiCaller, authenticateAi } from './caller.ts'
import { missingScope, refuseScope, withChallenge } from './challenge.ts'
import { protocolOf } from './protocol.ts'
import { requireEnabled, rightsOf } from './rights.ts'
import { readSettings } from './settings-store.ts'

/** The only revision with batches: it requires servers to take them. A client that names none speaks it. */
const revisionWithBatches = '2025-03-26'
const invalidRequest = -32_600
const { batchMessages } = limits.mcp

/** Returns how many messages a body of JSON-RPC holds: each of them is a request like one that comes alone. */
function countMessages(body: unknown): number {
  return Array.isArray(body) ? body.length : 1
}

/** Returns the protocol's error for a batch that is not taken; null for every other body. */
function refusalOfBatch(body: unknown, revision: string | undefined) {
  if (!Array.isArray(body)) return null
  const message = faultOf(body.length, revision)
  return message === null ? null : { jsonrpc: '2.0', id: null, error: { code: invalidRequest, message } }
}

function faultOf(messages: number, revision = revisionWithBatches): string | null {
  if (revision !== revisionWithBatches) return `Invalid Request: revision ${revision.slice(0, 32)} has no batches`
  if (messages === 0) return 'Invalid Request: the batch is empty'
  return messages > batchMessages ? `Invalid Request: a batch has at most ${batchMessages} messages` : null
}

const path = `${basePath}/mcp`

type Context = Koa.ParameterizedContext<RequestState>

/**
 * Serves POST /mcp, where AI clients call tools (specification, "Authentication"). The checks come in this order: Host
 * and Origin, credentials, deactivation, two steps, product, rate, batch; then the protocol, which `serveProtocol`
 * speaks.
 */
export function mcpEndpoint(
  handlers: HandlerTable,
  options: ServeOptions,
  serveProtocol = protocolOf(),
): Koa.Middleware<RequestState> {
  const calleeOf = calleesOf(handlers, options)
  async function serve(ctx: Context): Promise<void> {
    ctx.set('Cache-Control', 'no-store')
    ctx.state.endpoint = 'POST /mcp'
    const own = requireOwnOrigin(ctx, options.services.config)
    if (ctx.method === 'OPTIONS') return answerPreflight(ctx, 'POST')
    if (ctx.method !== 'POST') return refuseMethod(ctx)
    const caller = await authenticateAi(options.services.db, ctx.headers).catch((refused: unknown) => {
      throw withChallenge(ctx, own, refused)
    })
    ctx.state.organizationId = caller.identity.caller.organizationId
    authorize({ feature: 'inbox', keys: 'any' }, caller.identity)
    const [settings] = await Promise.all([
      readSettings(options.services.db, caller.identity.caller.organizationId),
      limitRequests(options.services, caller, 1),
    ])
    requireEnabled(settings)
    const body = await readJson(ctx.req, { ...ordinary, timeoutMs: options.bodyTimeoutMs })
    const refusal = refusalOfBatch(body, ctx.get('MCP-Protocol-Version') || undefined)
    if (refusal) return respondInvalid(ctx, refusal)
    const others = countMessages(body) - 1
    if (others > 0) await limitRequests(options.services, caller, others)
    const missing = missingScope(caller, body)
    if (missing !== null) return refuseScope(ctx, own, missing)
    ctx.state.handed = true
    const source = new HttpSource(ctx, options.clientIp)
    const request: AiRequest = {
      services: options.services,
      caller,
      rights: { ...rightsOf(caller, settings), isReadOnly: isReadOnly(ctx) },
      settings,
      from: source.origin,
      signal: source.signal,
      origin: own.origin,
      calleeOf,
    }
    await serveProtocol(ctx, request, body)
  }
  return routed((router) => {
    if (options.services.config.mcp.enabled) router.all(path, serve)
  })
}

function refuseMethod(ctx: Context): void {
  ctx.status = 405
  ctx.set('Allow', 'POST')
  ctx.body = ''
}

function respondInvalid(ctx: Context, refusal: object): void {
  ctx.status = 400
  ctx.type = 'json'
  ctx.body = JSON.stringify(refusal)
}

async function limitRequests({ db }: ServeOptions['services'], { identity }: AiCaller, count: number): Promise<void> {
  const key = byCredential('calls of an AI client', identity.caller)
  const { attempts, retryAfterSeconds } = await incrementLazily(db, key, 60, count)
  if (attempts <= limits.mcp.requestsPerMinute) return
  throw limitReached(
    key,
    `An AI client may make ${limits.mcp.requestsPerMinute} requests a minute. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}

function isReadOnly(ctx: Context): boolean {
  return /^(true|1)$/i.test(ctx.get('X-MCP-Readonly')) || ctx.query.readonly === '1'
}
