import { contract, listErrors, type Route, splitEndpoint } from '@msgctl/contract'
import { expect, it } from 'vitest'
import { jobs, jobsFor } from '#process/jobs.ts'
import { makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const routes: Route[] = Object.values({ ...contract.billing, ...contract.payments })

it.each(routes.map((route) => [route.endpoint, route] as const))(
  'without payments %s responds with PAYMENT_NOT_CONFIGURED',
  async (_endpoint, route) => {
    const token = await makeToken(server, await makeOrganization(server))
    const { method, path } = splitEndpoint(route.endpoint)
    const id = crypto.randomUUID()
    const response = await fetch(`${server.baseUrl}${path.replace(':invoiceId', id)}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method !== 'GET' && { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' }),
      },
      ...(method !== 'GET' && { body: JSON.stringify(route.example.input ?? {}) }),
    })
    const { error } = (await response.json()) as { error: { code: string } }
    expect([response.status, error.code]).toEqual([503, 'PAYMENT_NOT_CONFIGURED'])
    expect(listErrors(route)).toContain('PAYMENT_NOT_CONFIGURED')
  },
)

it('without payments nothing of them is loaded or run', () => {
  expect(server.services.payments).toBeNull()
  const names = jobsFor({ payments: null }).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('billing.'))).toEqual([])
  expect(jobs.length - names.length).toBeGreaterThanOrEqual(4)
})
