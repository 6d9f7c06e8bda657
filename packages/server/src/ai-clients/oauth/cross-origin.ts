import type Koa from 'koa'
import { apiError } from '#platform/errors.ts'
import { type AddressSettings, isOwnOrigin, type OwnAddress, ownAddress } from './own-address.ts'

/**
 * Checks the Host of a request. Returns how the service was addressed. Throws ORIGIN_REFUSED for a Host that is not
 * ours.
 */
function requireOwnHost(ctx: Koa.Context, settings: AddressSettings): OwnAddress {
  const own = ownAddress(settings, ctx.req.headers.host)
  if (!own) throw apiError('ORIGIN_REFUSED', 'The Host of this request is not an address of this service (PUBLIC_URL).')
  return own
}

/** Checks the Host of a request, and lets the scripts of all websites read the response. Throws ORIGIN_REFUSED. */
export function openToAll(ctx: Koa.Context, settings: AddressSettings): OwnAddress {
  const own = requireOwnHost(ctx, settings)
  ctx.set('Access-Control-Allow-Origin', '*')
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
  return own
}

/**
 * Checks the Host and the Origin of a request, and sets the headers that let the allowed websites read the response.
 * Returns how the service was addressed. Throws ORIGIN_REFUSED.
 */
export function requireOwnOrigin(ctx: Koa.Context, settings: AddressSettings): OwnAddress {
  const own = requireOwnHost(ctx, settings)
  const origin = ctx.req.headers.origin
  if (!isOwnOrigin(settings, own, origin)) {
    throw apiError(
      'ORIGIN_REFUSED',
      'Scripts of this website may not call. The operator lists websites in MCP_ALLOWED_ORIGINS.',
    )
  }
  ctx.vary('Origin')
  if (origin !== undefined && settings.mcp.allowedOrigins.includes(origin)) {
    ctx.set('Access-Control-Allow-Origin', origin)
    ctx.set('Access-Control-Expose-Headers', 'WWW-Authenticate, X-Request-Id, Retry-After')
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
  }
  return own
}

/** Responds to the question of a browser whether a script may send a request. */
export function answerPreflight(ctx: Koa.Context, methods: string): void {
  ctx.set('Access-Control-Allow-Methods', methods)
  ctx.set('Access-Control-Allow-Headers', [
    'Authorization, Content-Type, Accept, X-API-Key, X-MCP-Readonly, Mcp-Method, Mcp-Name, Mcp-Protocol-Version',
  ])
  ctx.set('Access-Control-Max-Age', '600')
  ctx.status = 204
}
