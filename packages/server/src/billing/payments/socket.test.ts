import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { startFaultProxy } from '#testing/end-to-end/fault-proxy.ts'
import { seededRandom } from '#testing/features/lane.ts'
import { openPage, simProvider, stateOf, subscriptionOf } from '#testing/payments/sim-provider.ts'
import { openProvider } from './open-provider.ts'
import { type Provider, ProviderError } from './provider.ts'
import { payCheckoutPage } from './simulator/control.ts'
import { simulatedFetch } from './simulator/http/fetch.ts'
import { customersOf } from './simulator/store.ts'

const rounds = process.env.BILLING === 'full' ? 20 : 1
const world = await simProvider()
const { sim } = world

/** The simulator behind a socket, which other tests spare themselves. */
async function listen(): Promise<string> {
  const carry = simulatedFetch(sim)
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await buffer(request)).toString('utf8')
      const key = request.headers['idempotency-key']
      const found = await carry(`http://127.0.0.1${request.url}`, {
        method: request.method ?? 'GET',
        headers: typeof key === 'string' ? { 'idempotency-key': key } : {},
        ...(body !== '' && { body }),
      })
      response.writeHead(found.status, { 'content-type': 'application/json' })
      response.end(await found.text())
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUpAfterFile(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as { port: number }
  return `http://127.0.0.1:${port}`
}

/** Repeats a call until it says how it ended. */
async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ProviderError && error.failure.kind === 'unavailable')) throw error
    }
  }
}

it(
  'over sockets that break at any byte, repeated calls buy once, change once and charge once',
  async () => {
    const proxy = await startFaultProxy(await listen(), { percent: 25, random: seededRandom(7) })
    cleanUpAfterFile(() => proxy.stop())
    const provider: Provider = await openProvider({
      secretKey: 'sk_test_simulated',
      webhookSecrets: [],
      timeoutSeconds: 2,
      tax: false,
      fetch: (url, init) => fetch(String(url).replace(/^https:\/\/[^/]+/, proxy.address), init),
    })
    for (let round = 0; round < rounds; round++) {
      const organizationId = randomUUID()
      const fields = { organizationId, email: 'a@example.com', name: 'Acme', key: `customer:${organizationId}` }
      const customerId = await repeated(() => provider.saveCustomer(fields))
      expect(await customersOf(sim.db, organizationId)).toEqual([customerId])
      const page = await openPage(world, customerId, [{ item: 'notify', quantity: 1 }])
      await payCheckoutPage(sim, page, { card: '4242424242424242', authenticate: true })
      const { id } = await subscriptionOf(world, customerId)
      const changes = [{ item: 'shop', quantity: 1 }] as const
      const change = { subscriptionId: id, changes, period: 'month', currency: 'USD', ifPaid: true } as const
      expect(await repeated(() => provider.change({ key: `${organizationId}:change`, ...change }))).toMatchObject({
        done: true,
      })
      expect(await repeated(() => provider.read(customerId))).toEqual(await stateOf(world, customerId))
      const { invoices } = await stateOf(world, customerId)
      expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid'])
    }
  },
  60_000 + rounds * 30_000,
)
