import type Koa from 'koa'
import type { CombinedGateway } from '../gateway/combined.ts'
import { InboxFull } from '../gateway/inbox/inbox.ts'
import { readBody } from '../http/body.ts'

const pathForm = /^\/gateway\/(?<driver>[a-z]{1,32})\/(?<host>[\w-]{1,64})$/
/** Reports carry texts and thumbnails; files are fetched separately. */
const bounds = { maxBytes: 1024 * 1024, timeoutMs: 10_000 }
/** Reports that one process reads at a time: at most 100 MiB. */
const mostAtOnce = 100
const retryAfterSeconds = '1'

/**
 * Takes the reports of hosts of the chat networks: POST /gateway/:driver/:hostId, outside of the API. The driver verifies
 * each with the key of its host. Responds with 200 after the commit, with 401 and nothing else to everything that is
 * refused, and with 503 when the report has to come again.
 */
export function gatewayRoute(gateway: Pick<CombinedGateway, 'receive'>): Koa.Middleware {
  let reading = 0
  return async (ctx, next) => {
    const { driver, host } = pathForm.exec(ctx.path)?.groups ?? {}
    if (ctx.method !== 'POST' || driver === undefined || host === undefined) return next()
    ctx.set('Cache-Control', 'no-store')
    if (reading >= mostAtOnce) return refuseForNow(ctx)
    reading += 1
    try {
      const raw = await readBody(ctx.req, bounds)
      const result = await gateway.receive(driver, host, raw, ctx.headers)
      ctx.status = result === 'stored' ? 200 : 401
      ctx.body = ''
    } catch (error) {
      if (!(error instanceof InboxFull)) throw error
      refuseForNow(ctx)
    } finally {
      reading -= 1
    }
  }
}

function refuseForNow(ctx: Koa.Context): void {
  ctx.status = 503
  ctx.set('Retry-After', retryAfterSeconds)
  ctx.body = ''
}
