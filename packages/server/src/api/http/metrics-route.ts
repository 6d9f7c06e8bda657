import type Koa from 'koa'
import { routed } from './router.ts'
import type { RequestState } from './state.ts'

/** Responds to `GET /metrics` with the text of `scrape`. */
export function metrics(scrape: () => Promise<{ type: string; body: string }>): Koa.Middleware<RequestState> {
  return routed((router) => {
    router.get('/metrics', async (ctx) => {
      const { type, body } = await scrape()
      ctx.set('Cache-Control', 'no-store')
      ctx.type = type
      ctx.body = body
    })
  })
}
