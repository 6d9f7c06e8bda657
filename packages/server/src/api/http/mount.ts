import { type Contract, type Route, splitEndpoint } from '@msgctl/contract'
import type Koa from 'koa'
import type { ErasedHandler } from './call/callee.ts'
import type { Handlers } from './handler.ts'
import { routed } from './router.ts'
import { type ServeOptions, serve } from './serve.ts'
import type { RequestState } from './state.ts'

/**
 * Any part of the contract's handlers, by resource and name. A missing one is not mounted and its route responds with
 * ROUTE_NOT_FOUND.
 */
export type HandlerTable = { readonly [R in keyof Contract]?: Partial<Handlers<Contract[R]>> }

/** The prefix of every route's path: `base_url` ends with it (specification, "Versioning"). */
export const basePath = '/api/v1'

/**
 * Mounts every route of the contract that has a handler. A path without parameters is found by one look-up: the router
 * would compare it with the expressions of all routes (docs/build/decisions/0118-paths-and-pages.md).
 */
export function mount(contract: Contract, handlers: HandlerTable, options: ServeOptions): Koa.Middleware<RequestState> {
  const fixed = new Map<string, Respond>()
  const found = pairs(contract, handlers).map((pair) => ({ ...pair, ...splitEndpoint(pair.route.endpoint) }))
  found.sort((a, b) => fixedSegmentsFirst(a.path, b.path))
  const routes = routed((router) => {
    for (const { route, handler, method, path } of found) {
      const respond = serve(route, handler, options)
      if (!path.includes(':')) fixed.set(`${method} ${basePath}${path}`, respond)
      // The router also matches HEAD for every GET; a method that the contract does not have is not found.
      else router.register(path, [method], (ctx, next) => (ctx.method === method ? respond(ctx) : next()))
    }
  }, basePath)
  return (ctx, next) => {
    const respond = fixed.get(`${ctx.method} ${ctx.path}`)
    return respond ? respond(Object.assign(ctx, { params: {} })) : routes(ctx, next)
  }
}

type Respond = ReturnType<typeof serve>

function pairs(contract: Contract, handlers: HandlerTable): { route: Route; handler: ErasedHandler }[] {
  return Object.entries(contract).flatMap(([resource, routes]) => {
    const own: Record<string, ErasedHandler | undefined> = handlers[resource as keyof Contract] ?? {}
    return Object.entries(routes).flatMap(([name, route]) => {
      const handler = own[name]
      return handler ? [{ route: route as Route, handler }] : []
    })
  })
}

/**
 * Orders paths so that a fixed segment comes before a parameter at the same position: `/chats/unread` is tried before
 * `/chats/:phone`. Everything else stays as it was.
 */
export function fixedSegmentsFirst(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = Number(left[at]?.startsWith(':')) - Number(right[at]?.startsWith(':'))
    if (difference !== 0) return difference
  }
  return 0
}
