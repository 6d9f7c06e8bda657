import { describe, expect, it } from 'vitest'
import { startEdge } from '#testing/features/http-edge.ts'
import { buildServer } from '#testing/worker-process.ts'

// Renders the pages when their inputs have changed.
await buildServer()
const { server } = await startEdge({})

/** Requests a path and follows no redirect. */
function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.address}${path}`, { redirect: 'manual', ...init })
}

describe('GET /docs', () => {
  it('is a page that is revalidated each time and that no other page may frame', async () => {
    const response = await get('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('allows the browser to use this host only, and nothing that stands in the page itself', async () => {
    const policy = (await get('/docs')).headers.get('content-security-policy') ?? ''
    const rules = policy.split('; ').map((rule) => rule.split(' '))
    expect(rules[0]).toEqual(['default-src', "'none'"])
    const sources = new Set(rules.flatMap(([, ...allowed]) => allowed))
    expect([...sources].sort()).toEqual(["'none'", "'self'", 'data:'])
  })

  it('is compressed on request, and not sent again to a browser that has it', async () => {
    const plain = await get('/docs', { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const packed = await get('/docs', { headers: { 'accept-encoding': 'gzip' } })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('vary')).toBe('Accept-Encoding')
    expect(await packed.text()).toBe(await plain.text())
    const headers = { 'if-none-match': plain.headers.get('etag') ?? '', 'cache-control': 'max-age=0' }
    expect((await get('/docs', { headers })).status).toBe(304)
  })

  it('serves HEAD, redirects a slash at the end, and knows no other path or method', async () => {
    const head = await get('/docs', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const slash = await get('/docs/events/')
    expect([slash.status, new URL(slash.headers.get('location') ?? '', slash.url).pathname]).toEqual([
      302,
      '/docs/events',
    ])
    expect((await get('/docs/nowhere')).status).toBe(404)
    expect((await get('/docs/assets/')).status).toBe(404)
    expect((await get('/docs', { method: 'POST' })).status).toBe(404)
  })
})

describe('GET /docs/assets', () => {
  it('lets browsers keep a file whose address has its version', async () => {
    const [style] = /docs\/assets\/style\.css\?v=[\w-]+/.exec(await (await get('/docs')).text()) ?? []
    const versioned = await get(`/${style}`)
    expect(versioned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(versioned.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect((await get('/docs/assets/style.css')).headers.get('cache-control')).toBe('no-cache')
  })
})
