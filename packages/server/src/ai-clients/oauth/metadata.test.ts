import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { MCP_ALLOWED_ORIGINS: 'https://ai.example.com' } })
const documents = [
  '/.well-known/oauth-protected-resource/api/v1/mcp',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
]

/** Sends a request by hand, since fetch sets Host itself. Returns the status and the headers that a browser reads. */
function send(method: string, path: string, headers: Readonly<Record<string, string>>) {
  return new Promise<{ status: number | undefined; allowed: string | undefined; methods: string | undefined }>(
    (resolve, reject) => {
      request(`${server.address}${path}`, { method, headers }, (response) => {
        response.resume()
        const { 'access-control-allow-origin': allowed, 'access-control-allow-methods': methods } = response.headers
        resolve({ status: response.statusCode, allowed, methods })
      })
        .on('error', reject)
        .end()
    },
  )
}

describe.each(documents)('%s', (path) => {
  it.each(['https://evil.example', 'https://ai.example.com', 'null'])('is open to scripts of %s', async (origin) => {
    expect(await send('GET', path, { origin })).toMatchObject({ status: 200, allowed: '*' })
    const asked = { origin, 'access-control-request-method': 'GET' }
    expect(await send('OPTIONS', path, asked)).toEqual({ status: 204, allowed: '*', methods: 'GET' })
  })

  it('is served under the own name only', async () => {
    const { status } = await send('GET', path, { host: 'evil.example', origin: 'https://evil.example' })
    expect(status).toBe(403)
  })
})

it('no other route of OAuth is open to scripts of other websites', async () => {
  for (const [method, path] of [
    ['POST', '/api/v1/oauth/register'],
    ['GET', '/api/v1/oauth/authorize'],
    ['POST', '/api/v1/oauth/token'],
    ['POST', '/api/v1/oauth/revoke'],
  ] as const) {
    for (const way of [method, 'OPTIONS']) {
      const refused = await send(way, path, { origin: 'https://evil.example' })
      expect([way, path, refused]).toEqual([way, path, { status: 403, allowed: undefined, methods: undefined }])
    }
  }
})
