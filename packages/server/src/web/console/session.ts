import { adminEndpoints, type Endpoint, splitEndpoint } from '@msgctl/contract'
import type Koa from 'koa'
import { isFromConsole } from '#api/access/console-cookie.ts'
import { basePath } from '#api/http/mount.ts'
import type { RequestState } from '#api/http/state.ts'
import { ApiError, apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { dropToken, keepToken, requireSafeConnection } from './cookie.ts'
import { describeSession } from './describe-session.ts'

const { auth, organization } = adminEndpoints
const root = '/console/session'

/** The routes that make a session, by the last part of the path below /console/session. */
const signIns: Readonly<Record<string, Endpoint>> = {
  'sign-in': auth.signIn,
  'two-factor': auth.secondStep,
  welcome: auth.welcome,
  'sign-up': auth.signUp,
  join: auth.join,
  switch: auth.switchOrganization,
  'new-organization': organization.create,
}

/**
 * Keeps the session of the console in a cookie that its scripts cannot read. Stands before the API:
 *
 * - GET /console/session responds with who is signed in, and what the page needs to know of the service.
 * - POST /console/session/sign-in, and the other routes that make a session, are those of the API. The token in the
 *   response becomes the cookie. Limits, errors and the log are those of the route.
 * - DELETE /console/session ends the session and drops the cookie.
 */
export function consoleSession(services: Services): Koa.Middleware<RequestState> {
  async function serve(ctx: Context, next: Koa.Next): Promise<void> {
    const { method, path } = ctx
    ctx.set('Cache-Control', 'no-store')
    if (method === 'GET' && path === root) {
      respond(ctx, await describeSession(services, ctx.headers))
      return
    }
    const signIn = method === 'POST' ? signIns[path.slice(root.length + 1)] : undefined
    const isEnd = method === 'DELETE' && path === root
    if (!signIn && !isEnd) return
    if (!isFromConsole(ctx.headers)) {
      throw apiError('AUTH_ERROR', 'Only the page of the console may do this.', { reason: 'missing_credentials' })
    }
    if (signIn) await begin(services, ctx, () => call(ctx, signIn, next))
    else await end(ctx, () => call(ctx, auth.signOut, next))
  }
  return (ctx, next) => (ctx.path === root || ctx.path.startsWith(`${root}/`) ? serve(ctx, next) : next())
}

type Context = Koa.ParameterizedContext<RequestState>

/** Hands the request to a route of the API. */
function call(ctx: Context, endpoint: Endpoint, next: Koa.Next): Promise<void> {
  const { method, path } = splitEndpoint(endpoint)
  ctx.method = method
  ctx.path = basePath + path
  return next()
}

/** Puts the token of a new session into the cookie instead of the response. A challenge has none. */
async function begin({ config }: Services, ctx: Context, signIn: () => Promise<void>): Promise<void> {
  const origin = ctx.get('Origin')
  requireSafeConnection(config, origin)
  ctx.state.carrier = 'cookie'
  await signIn()
  const { token, ...others } = JSON.parse(String(ctx.body)) as { readonly token?: string }
  if (token === undefined) return
  ctx.append('Set-Cookie', keepToken(token, origin))
  respond(ctx, others)
}

/** Ends a session. One that has ended already is no error: the cookie is dropped all the same. */
async function end(ctx: Context, signOut: () => Promise<void>): Promise<void> {
  ctx.append('Set-Cookie', dropToken())
  await signOut().catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'AUTH_ERROR')) throw error
    ctx.status = 200
    respond(ctx, { success: true })
  })
}

function respond(ctx: Context, content: object): void {
  ctx.type = 'json'
  ctx.body = JSON.stringify(content)
}
