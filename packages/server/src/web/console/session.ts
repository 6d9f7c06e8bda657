import { adminEndpoints, type Endpoint, listFeatures, splitEndpoint } from '@msgctl/contract'
import type Koa from 'koa'
import { authenticate, type Identity } from '#api/access/authenticate.ts'
import { isFromConsole } from '#api/access/console-cookie.ts'
import { basePath } from '#api/http/mount.ts'
import { routed } from '#api/http/router.ts'
import type { RequestState } from '#api/http/state.ts'
import { findAccount } from '#people/account/store.ts'
import { ApiError, apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { dropToken, keepToken, requireSafeConnection } from './cookie.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Returns who is signed in, and what the page needs to know before anyone is. It asks this once at its start, so that a
 * missing session is no error in the browser's log.
 */
async function describeSession({ db, config, payments }: Services, headers: Headers) {
  const identity = await findIdentity(db, headers)
  const account = identity && (await findAccount(db, identity.caller.organizationId, identity.caller.userId))
  return {
    success: true,
    user: account ? { id: account.id, name: account.name, email: account.email, memberRole: account.memberRole } : null,
    organization: account ? { id: account.organizationId, name: account.organizationName } : null,
    features: account && identity ? listFeatures(identity.caller.products, false) : [],
    serviceName: config.serviceName,
    simulator: config.simulator.control,
    payments: payments !== null,
    platformAdmin: identity?.platformAdmin === true && identity.caller.role !== 'member',
    signUp: config.signUp === 'open',
    console: config.console.enabled,
  }
}

/** Returns the person of the cookie; null without one, and for the key of a program. */
async function findIdentity(db: Services['db'], headers: Headers): Promise<Identity | null> {
  const { 'x-api-key': _key, authorization: _token, ...others } = headers
  return authenticate(db, others).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'AUTH_ERROR') return null
    throw error
  })
}

const { auth, organization } = adminEndpoints
/** The routes that make a session, by the last part of their path here. */
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
 * Keeps the session of a page in a cookie that its scripts cannot read. Below `root`, which is `/console/session` or
 * that of the pages that links open, `/account/session`:
 *
 * - GET responds with who is signed in, and what the page needs to know of the service.
 * - POST /sign-in, and the other routes that make a session, are those of `api`. The token in the response becomes the
 *   cookie. Limits, errors and the log are those of the route.
 * - DELETE ends the session and drops the cookie.
 */
export function pageSession(
  services: Services,
  api: Koa.Middleware<RequestState>,
  root: string,
): Koa.Middleware<RequestState> {
  /** Hands a request of the page itself to a route of the API. */
  async function call(ctx: Context, endpoint: Endpoint): Promise<void> {
    const { method, path } = splitEndpoint(endpoint)
    ctx.method = method
    ctx.path = basePath + path
    await api(ctx, async () => {})
  }
  return routed((router) => {
    router.get(root, async (ctx) => {
      ctx.set('Cache-Control', 'no-store')
      respond(ctx, await describeSession(services, ctx.headers))
    })
    router.delete(root, async (ctx) => {
      requirePage(ctx)
      await end(ctx, () => call(ctx, auth.signOut))
    })
    for (const [name, endpoint] of Object.entries(signIns)) {
      router.post(`${root}/${name}`, async (ctx) => {
        requirePage(ctx)
        await begin(services, ctx, () => call(ctx, endpoint))
      })
    }
    // No page of the console lies below this path.
    router.all([root, `${root}/{*others}`], (ctx) => ctx.set('Cache-Control', 'no-store'))
  })
}

type Context = Koa.ParameterizedContext<RequestState>

/** Throws AUTH_ERROR for a request that does not come from one of our pages. */
function requirePage(ctx: Context): void {
  ctx.set('Cache-Control', 'no-store')
  if (isFromConsole(ctx.headers)) return
  throw apiError('AUTH_ERROR', 'Only the page of the console may do this.', { reason: 'missing_credentials' })
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
