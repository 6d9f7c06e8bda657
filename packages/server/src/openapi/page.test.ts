import { describe, expect, it } from 'vitest'
import { startEdge } from '../testing/features/http-edge.ts'
import { openapiHandlers } from './routes.ts'

const { server } = await startEdge({})

/** Asks for a path and follows nothing. */
function request(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.address}${path}`, { redirect: 'manual', ...init })
}

async function htmlOf(path: string): Promise<string> {
  return (await request(path)).text()
}

/** What a page loads on its own: scripts, styles, pictures, and the document that the reference is made from. */
function loadedBy(html: string): string[] {
  const elements = [...html.matchAll(/<(?:script|link|img|iframe|redoc)\b[^>]*>/g)].map(([element]) => element)
  return elements.flatMap((element) =>
    [...element.matchAll(/(?:src|href|spec-url)="([^"]*)"/g)].map(([, to]) => `${to}`),
  )
}

describe('GET /openapi.json', () => {
  it('is kept with a strong ETag, and not sent again to who has it', async () => {
    const { server: own } = await startEdge({ openapi: openapiHandlers })
    const url = `${own.address}/api/v1/openapi.json`
    const [first, second] = [await fetch(url), await fetch(url)]
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    expect([second.headers.get('etag'), await second.text()]).toEqual([etag, await first.text()])
    const again = await fetch(url, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })
})

describe('GET /docs', () => {
  it('is a page that is revalidated each time and that no other page may frame', async () => {
    const response = await request('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('loads from its own host only, by relative addresses, and everything it loads is there', async () => {
    const loaded = loadedBy(await htmlOf('/docs'))
    expect(loaded.sort()).toEqual(['api/v1/openapi.json', 'data:,', 'docs/redoc.js'])
    expect((await request('/docs/redoc.js')).status).toBe(200)
  })

  it('forbids the browser to contact other hosts', async () => {
    const policy = (await request('/docs')).headers.get('content-security-policy') ?? ''
    const rules = policy.split('; ').map((rule) => rule.split(' '))
    expect(rules[0]).toEqual(['default-src', "'none'"])
    const sources = new Set(rules.flatMap(([, ...allowed]) => allowed))
    expect([...sources].sort()).toEqual(["'none'", "'self'", "'unsafe-inline'", 'blob:', 'data:'])
    expect(rules.find(([name]) => name === 'script-src')).toEqual(['script-src', "'self'"])
  })

  it('responds to HEAD without a body, sends the path with a slash at its end to the one without, and knows no other', async () => {
    const head = await request('/docs', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const slash = await request('/docs/')
    expect([slash.status, slash.headers.get('location')]).toEqual([302, '../docs'])
    expect((await request('/docs/redoc.standalone.js.map')).status).toBe(404)
    expect((await request('/docs', { method: 'POST' })).status).toBe(404)
  })
})

describe('GET /docs/redoc.js', () => {
  it('is one script that names no host whose files it would load', async () => {
    const response = await request('/docs/redoc.js')
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const text = await response.text()
    expect(text.length).toBeGreaterThan(500_000)
    expect(text.match(/cdn\.redoc|fonts\.(?:googleapis|gstatic)|unpkg\.com|jsdelivr/g)).toBeNull()
  })

  it('is packed for those who take it packed, and is the same then', async () => {
    const plain = await request('/docs/redoc.js', { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const packed = await request('/docs/redoc.js', { headers: { 'accept-encoding': 'gzip' } })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(400_000)
    expect(packed.headers.get('vary')).toBe('Accept-Encoding')
    expect((await packed.text()) === (await plain.text())).toBe(true)
  })

  it('is sent once to those who remember it', async () => {
    const etag = (await request('/docs/redoc.js')).headers.get('etag') ?? ''
    const again = await request('/docs/redoc.js', {
      headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
    })
    expect([again.status, (await again.text()).length]).toEqual([304, 0])
  })
})
