import { SemaphoreFull, semaphore } from '@msgctl/network/semaphore'
import type Koa from 'koa'
import { networkOf } from '#api/access/limit-key.ts'
import { readBody } from '#api/http/body.ts'
import { clientIp } from '#api/http/client-ip.ts'
import { routed } from '#api/http/router.ts'
import type { RequestState } from '#api/http/state.ts'
import { InboxFull } from '#networks/gateway/inbox/inbox.ts'
import type { RunningServices } from './start-services.ts'

const pathForm = /^\/gateway\/([a-z]{1,32})\/([\w-]{1,64})$/
/** Reports carry texts and thumbnails; files are fetched separately. */
const bounds = { maxBytes: 1024 * 1024, timeoutMs: 10_000 }
const retryAfterSeconds = '1'
/**
 * Reports that one process reads at a time, at most 100 MiB. One address that sends slowly leaves a host half of its
 * permits, and one host leaves the others theirs.
 */
const most = { ofAddress: 30, ofHost: 60, inAll: 100 } as const

/**
 * Takes the reports of hosts of the chat networks: POST /gateway/:driver/:hostId, outside of the API. A body is read
 * only for a known host and with a signature of the right form; the driver verifies it with the key of its host.
 * Responds with 200 after the commit, with 401 and nothing else to everything that is refused, and with 503 when the
 * report has to come again.
 */
export function gatewayRoute({
  gateway,
  config,
}: Pick<RunningServices, 'gateway' | 'config'>): Koa.Middleware<RequestState> {
  const addressOf = clientIp(config.trustedProxies)
  const addresses = semaphore({ limitPerKey: () => most.ofAddress, maxQueued: 0 })
  const hosts = semaphore({ limit: most.inAll, limitPerKey: () => most.ofHost, maxQueued: 0 })

  async function serve(ctx: Koa.Context, driver: string, host: string): Promise<void> {
    ctx.set('Cache-Control', 'no-store')
    ctx.body = ''
    if (!(await gateway.admits(driver, host, ctx.headers))) {
      ctx.status = 401
      return
    }
    const receive = async () => gateway.receive(driver, host, await readBody(ctx.req, bounds), ctx.headers)
    try {
      const address = networkOf(addressOf(ctx.req))
      const result = await addresses.run(address, () => hosts.run(`${driver} ${host}`, receive))
      ctx.status = result === 'stored' ? 200 : 401
    } catch (error) {
      if (!(error instanceof InboxFull || error instanceof SemaphoreFull)) throw error
      ctx.status = 503
      ctx.set('Retry-After', retryAfterSeconds)
    }
  }

  return routed((router) => {
    router.post(pathForm, (ctx) => {
      const [driver = '', host = ''] = ctx.captures ?? []
      return serve(ctx, driver, host)
    })
  })
}
