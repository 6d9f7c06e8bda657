import { operate, type SimRequest } from '#networks/simulator/routes.ts'
import { testSimToken } from '#testing/sim.ts'
import type { Network } from './network.ts'

/** What the headers of a program on this machine hold. */
export const local = { host: '127.0.0.1:3000', 'content-type': 'application/json', 'x-sim-token': testSimToken }

/** Calls a route as a program on this machine would; `change` makes another caller of it. */
export function call(
  network: Network,
  method: string,
  path: string,
  body: unknown = {},
  change: Partial<SimRequest> = {},
) {
  const url = new URL(path, 'http://127.0.0.1')
  return operate(network.ctx, {
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: local,
    remoteAddress: '127.0.0.1',
    body: async () => body,
    ...change,
  })
}
