import Router from '@koa/router'
import type Koa from 'koa'
import type { RequestState } from './state.ts'

/**
 * Returns a middleware with the routes that `register` adds. Paths are compared exactly: the case of letters counts,
 * and so does a slash at the end. A request that no route matches is passed on.
 */
export function routed(register: (router: Router<RequestState>) => void, prefix = ''): Koa.Middleware<RequestState> {
  const router = new Router<RequestState>({ prefix, sensitive: true, strict: true })
  register(router)
  return router.routes() as Koa.Middleware<RequestState>
}
