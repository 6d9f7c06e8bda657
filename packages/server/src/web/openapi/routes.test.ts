import { expect, it } from 'vitest'
import { startEdge } from '#testing/features/http-edge.ts'
import { openapiHandlers } from './routes.ts'

it('GET /openapi.json has a strong ETag, and is not sent again to a caller that has it', async () => {
  const { server } = await startEdge({ openapi: openapiHandlers })
  const url = `${server.address}/api/v1/openapi.json`
  const [first, second] = [await fetch(url), await fetch(url)]
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{43}"$/)
  expect([second.headers.get('etag'), await second.text()]).toEqual([etag, await first.text()])
  const again = await fetch(url, { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

it.each([
  [{}, { url: '/api/v1', description: 'The service that this document comes from.' }],
  [{ PUBLIC_URL: 'https://example.com/msgctl' }, { url: 'https://example.com/msgctl/api/v1' }],
])('GET /openapi.json with %o names the address of the API', async (env, server) => {
  const edge = await startEdge({ openapi: openapiHandlers }, { env })
  expect((await edge.call('GET', '/openapi.json')).body.servers).toEqual([server])
})
