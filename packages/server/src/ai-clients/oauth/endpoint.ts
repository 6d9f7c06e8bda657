import { limits } from '@msgctl/contract'
import { openPublicFetch } from '@msgctl/network/public-address/fetch'
import type Koa from 'koa'
import { hashCredential } from '#api/access/authenticate.ts'
import { findTokenOwner } from '#api/access/connection-store.ts'
import { endConnectionsOf } from '#api/access/connections.ts'
import { readBody, readJson } from '#api/http/body.ts'
import { basePath } from '#api/http/mount.ts'
import { routed } from '#api/http/router.ts'
import type { ServeOptions } from '#api/http/serve.ts'
import type { RequestState } from '#api/http/state.ts'
import { limitAddress } from '#people/auth/attempts.ts'
import { transaction } from '#platform/db/db.ts'
import { consentPageUrl } from '#web/pages/ai-links.ts'
import { authorize } from './authorize.ts'
import { browserOf } from './browser.ts'
import type { ClientSource } from './clients.ts'
import { answerPreflight, openToAll, requireOwnOrigin } from './cross-origin.ts'
import { answerRefusal } from './error-page.ts'
import { authorizationServer, protectedResource } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'
import type { OwnAddress } from './own-address.ts'
import { parameter, required } from './parameters.ts'
import { register } from './register.ts'
import { token } from './token.ts'
import { limitApp } from './token-limits.ts'

type Context = Koa.ParameterizedContext<RequestState>

const resourcePath = '/.well-known/oauth-protected-resource'
const serverPath = '/.well-known/oauth-authorization-server'
const { registrationsPerHour, windowSeconds, authorizations, tokens, revocations } = limits.oauth
const maxBytes = limits.publicBodyBytes

interface Serving {
  readonly ctx: Context
  readonly options: ServeOptions
  readonly source: ClientSource
  readonly issuer: string
  readonly own: OwnAddress
}

/**
 * Serves the OAuth routes of AI clients outside of the contract, in the forms of their RFCs. They are off without an
 * issuer.
 */
export function oauthEndpoint(options: ServeOptions): Koa.Middleware<RequestState> {
  const { services } = options
  const fetch = openPublicFetch(services.config.allowPrivateTargets)
  options.draining.addEventListener('abort', () => void fetch.close())
  const source = { services, fetch }
  async function serve(ctx: Context, next: Koa.Next, route: OAuthRoute): Promise<void> {
    // An AI client in a page of any website finds the service by the two documents.
    const check = ctx.path.startsWith('/.well-known/') ? openToAll : requireOwnOrigin
    const own = check(ctx, services.config)
    if (own.issuer === null) return next()
    if (ctx.method === 'OPTIONS') return answerPreflight(ctx, route.method)
    if (ctx.method !== route.method) return next()
    ctx.set('Cache-Control', 'no-store')
    await route.serve({ ctx, options, source, issuer: own.issuer, own })
  }
  return routed((router) => {
    if (!services.config.mcp.enabled) return
    for (const [path, route] of Object.entries(routes)) router.all(path, (ctx, next) => serve(ctx, next, route))
  })
}

interface OAuthRoute {
  readonly method: 'GET' | 'POST'
  serve(serving: Serving): Promise<void>
}

const routes: Readonly<Record<string, OAuthRoute>> = {
  [`${resourcePath}${basePath}/mcp`]: {
    method: 'GET',
    serve: async ({ ctx, issuer }) => json(ctx, protectedResource(issuer)),
  },
  [resourcePath]: { method: 'GET', serve: async ({ ctx, issuer }) => json(ctx, protectedResource(issuer)) },
  [serverPath]: { method: 'GET', serve: async ({ ctx, issuer }) => json(ctx, authorizationServer(issuer)) },
  [`${basePath}/oauth/register`]: { method: 'POST', serve: serveRegister },
  [`${basePath}/oauth/authorize`]: { method: 'GET', serve: serveAuthorize },
  [`${basePath}/oauth/token`]: { method: 'POST', serve: serveToken },
  [`${basePath}/oauth/revoke`]: { method: 'POST', serve: serveRevoke },
}

function json(ctx: Context, body: object, status = 200): void {
  ctx.status = status
  ctx.type = 'json'
  ctx.body = JSON.stringify(body)
}

/** Responds with what `work` returns, or with its OAuthError in the form that clients read. */
async function answer(ctx: Context, status: number, work: () => Promise<object>): Promise<void> {
  try {
    json(ctx, await work(), status)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    json(ctx, { error: error.code, error_description: error.message }, error.status)
  }
}

async function serveRegister({ ctx, options }: Serving): Promise<void> {
  const { db } = options.services
  const limit = { what: 'registrations of AI clients', attempts: registrationsPerHour, windowSeconds: 3600 } as const
  await limitAddress(db, options.clientIp(ctx.req), limit)
  const bounds = { maxBytes, marks: limits.publicBodyMarks, timeoutMs: options.bodyTimeoutMs }
  await answer(ctx, 201, async () => register(db, await readJson(ctx.req, bounds)))
}

async function serveAuthorize({ ctx, options, source, issuer, own }: Serving): Promise<void> {
  const limit = { what: 'requests of AI clients', attempts: authorizations, windowSeconds } as const
  await limitAddress(options.services.db, options.clientIp(ctx.req), limit)
  const browser = browserOf(ctx, issuer)
  try {
    const requestId = await authorize(source, new URLSearchParams(ctx.querystring), { issuer, browser })
    ctx.status = 303
    ctx.set('Location', consentPageUrl(own.origin, requestId))
    ctx.set('Referrer-Policy', 'no-referrer')
    ctx.body = ''
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    answerRefusal(ctx, error.message)
  }
}

async function readForm({ ctx, options }: Serving): Promise<URLSearchParams> {
  if (!ctx.is('application/x-www-form-urlencoded')) {
    throw new OAuthError('invalid_request', 'Send a form: application/x-www-form-urlencoded.')
  }
  const raw = await readBody(ctx.req, { maxBytes, timeoutMs: options.bodyTimeoutMs })
  return new URLSearchParams(raw.toString('utf8'))
}

/**
 * Issues tokens. What fails counts by the address of the caller, never by the client that it names: everyone knows the
 * address of a document, and a caller that names it may be anyone.
 */
async function serveToken(serving: Serving): Promise<void> {
  const { ctx, options } = serving
  const { db } = options.services
  await answer(ctx, 200, async () => {
    try {
      const form = await readForm(serving)
      await limitApp(db, required(form, 'client_id'))
      return await token(db, form, serving.issuer)
    } catch (error) {
      if (error instanceof OAuthError) {
        const limit = { what: 'failed requests for tokens', attempts: tokens, windowSeconds } as const
        await limitAddress(db, options.clientIp(ctx.req), limit)
      }
      throw error
    }
  })
}

async function serveRevoke(serving: Serving): Promise<void> {
  const { ctx, options } = serving
  const { db } = options.services
  const limit = { what: 'revocations of AI clients', attempts: revocations, windowSeconds } as const
  await limitAddress(db, options.clientIp(ctx.req), limit)
  await answer(ctx, 200, async () => {
    const form = await readForm(serving)
    const clientId = parameter(form, 'client_id')
    const owner = await findTokenOwner(db, hashCredential(required(form, 'token')))
    if (owner && owner.clientId === clientId) {
      await transaction(db, (trx) => endConnectionsOf(trx, { id: owner.connectionId }, { reason: 'client_revoked' }))
    }
    return {}
  })
}
