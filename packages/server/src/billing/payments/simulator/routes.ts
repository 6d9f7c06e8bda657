import { limits } from '@msgctl/contract'
import { parseOptions, toIssues } from '@msgctl/contract/issues'
import type Koa from 'koa'
import { readBody, readJson } from '#api/http/body.ts'
import { validationError } from '#api/http/parse.ts'
import { routed } from '#api/http/router.ts'
import type { RequestState } from '#api/http/state.ts'
import { requireLocalAddress, requireLocalCaller } from '#networks/simulator/control/guard.ts'
import { apiError } from '#platform/errors.ts'
import type { PaySim } from './context.ts'
import { payRoutes } from './control.ts'
import { renderPage, submitPage } from './pages/pages.ts'

const bodyBounds = { maxBytes: 65_536, timeoutMs: 10_000, marks: limits.bodyMarks }
const prefix = '/sim/payments/'

async function operate(sim: PaySim, koa: Koa.Context): Promise<unknown> {
  const local = koa.path.slice(prefix.length)
  const found = payRoutes.find(({ method, path }) => method === koa.method && path.test(local))
  if (!found) throw apiError('ROUTE_NOT_FOUND', 'The simulated payment provider has no such route.')
  const hasBody = koa.method === 'POST' || koa.method === 'PUT'
  const input = hasBody ? await readJson(koa.req, bodyBounds) : { ...koa.query }
  const parsed = found.input.safeParse(input, parseOptions)
  if (!parsed.success) throw validationError(toIssues(parsed.error.issues, input, hasBody ? 'body' : 'query'))
  return found.run(sim, found.path.exec(local)?.[1] ?? '', parsed.data as never)
}

/**
 * The routes under /sim/payments, for programs on this machine with the token, and the pages of the simulated provider,
 * for people on this machine: the id in the address of a page is what they need. Mount them only where payments are
 * simulated.
 */
export function paySimRoutes(sim: PaySim, token: string | null): Koa.Middleware<RequestState> {
  return routed((router) => {
    router.all(`${prefix}{*path}`, async (koa) => {
      koa.set('Cache-Control', 'no-store')
      requireLocalCaller(koa.headers, koa.socket.remoteAddress, token)
      koa.body = await operate(sim, koa)
    })
    router.get('/simulated-payments/:kind/:id', async (koa) => {
      requireLocalAddress(koa.headers, koa.socket.remoteAddress)
      sendPage(koa, await renderPage(sim, koa.params.kind ?? '', koa.params.id ?? ''))
    })
    router.post('/simulated-payments/:kind/:id', async (koa) => {
      requireLocalAddress(koa.headers, koa.socket.remoteAddress)
      const form = new URLSearchParams((await readBody(koa.req, bodyBounds)).toString('utf8'))
      sendPage(koa, await submitPage(sim, koa.params.kind ?? '', koa.params.id ?? '', form))
    })
  })
}

function sendPage(koa: Koa.Context, page: { status: number; html: string }): void {
  koa.set('Cache-Control', 'no-store')
  // With no-referrer, a browser would send the form of the page with the origin null, which is refused.
  koa.set('Referrer-Policy', 'same-origin')
  koa.status = page.status
  koa.type = 'text/html; charset=utf-8'
  koa.body = page.html
}
