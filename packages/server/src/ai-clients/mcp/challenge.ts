import type { AiScope } from '@msgctl/contract'
import type Koa from 'koa'
import type { OwnAddress } from '#ai-clients/oauth/own-address.ts'
import { envelope } from '#api/http/error-envelope.ts'
import { basePath } from '#api/http/mount.ts'
import type { RequestState } from '#api/http/state.ts'
import { ApiError, apiError } from '#platform/errors.ts'
import type { AiCaller } from './caller.ts'
import { findTool } from './catalogue.ts'

type Context = Koa.ParameterizedContext<RequestState>

function challenge(issuer: string, facts: Readonly<Record<string, string>>): string {
  const all = { ...facts, resource_metadata: `${issuer}/.well-known/oauth-protected-resource${basePath}/mcp` }
  return `Bearer ${Object.entries(all)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`
}

/**
 * Returns an error unchanged. An AUTH_ERROR gets the header that leads a client to OAuth, where that is on (RFC 9728,
 * 5.1).
 */
export function withChallenge(ctx: Context, { issuer }: OwnAddress, refused: unknown): unknown {
  if (issuer === null || !(refused instanceof ApiError) || refused.code !== 'AUTH_ERROR') return refused
  const isToken = ctx.headers.authorization !== undefined
  ctx.set('WWW-Authenticate', challenge(issuer, { ...(isToken && { error: 'invalid_token' }), scope: 'read' }))
  return refused
}

/** The scope that a call needs and its connection lacks, and those that it has. */
interface MissingScope {
  readonly required: AiScope
  readonly scopes: readonly AiScope[]
}

/** Returns the scope that a call needs and its connection lacks; null for none. */
export function missingScope({ scopes }: AiCaller, body: unknown): MissingScope | null {
  if (scopes === null || typeof body !== 'object' || body === null || !('method' in body)) return null
  if (body.method !== 'tools/call' || !('params' in body)) return null
  const { params } = body
  const name = typeof params === 'object' && params !== null && 'name' in params ? params.name : undefined
  const tool = typeof name === 'string' ? findTool(name) : undefined
  return tool && !scopes.has(tool.scope) ? { required: tool.scope, scopes: [...scopes] } : null
}

/** Responds with KEY_SCOPE and the scopes to ask the person for (RFC 6750, 3.1). */
export function refuseScope(ctx: Context, { issuer }: OwnAddress, missing: MissingScope): void {
  const needed = [...missing.scopes, missing.required]
  if (issuer !== null) {
    ctx.set('WWW-Authenticate', challenge(issuer, { error: 'insufficient_scope', scope: needed.join(' ') }))
  }
  const error = apiError('KEY_SCOPE', `This needs the scopes ${needed.join(', ')}. Ask the person for them.`, {
    required: missing.required,
    scopes: [...missing.scopes],
  })
  ctx.state.errorCode = error.code
  ctx.status = error.status
  ctx.type = 'json'
  ctx.body = JSON.stringify(envelope(error, ctx.state.requestId))
}
