import { beforeAll, describe, expect, it } from 'vitest'
import { startEdge } from '#testing/features/http-edge.ts'
import { openapiHandlers } from './routes.ts'
import { buildSite } from './site/site.ts'

const { server } = await startEdge({})

/** Requests a path and follows no redirect. */
function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.address}${path}`, { redirect: 'manual', ...init })
}

const site = buildSite()
const pages = [...site].filter(([, { type }]) => type === 'html').map(([path]) => path)
const texts = new Map([...site].map(([path, { text }]) => [path, text]))

/** Returns the values of an attribute. */
function valuesOf(html: string, attribute: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => value)
}

describe('GET /openapi.json', () => {
  it('has a strong ETag, and is not sent again to a caller that has it', async () => {
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

it.each([
  [{}, { url: '/api/v1', description: 'The service that this document comes from.' }],
  [{ PUBLIC_URL: 'https://example.com/msgctl' }, { url: 'https://example.com/msgctl/api/v1' }],
])('GET /openapi.json with %o names the address of the API', async (env, server) => {
  const edge = await startEdge({ openapi: openapiHandlers }, { env })
  expect((await edge.call('GET', '/openapi.json')).body.servers).toEqual([server])
})

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

describe('the pages', () => {
  let addresses: Set<string>
  beforeAll(() => {
    addresses = new Set(['api/v1/openapi.json', ...site.keys()])
  })

  it('are an overview, the guides, a page for each resource, the events and the errors', () => {
    expect(pages.length).toBeGreaterThan(25)
    expect(pages).toEqual(expect.arrayContaining(['docs', 'docs/guides/errors', 'docs/api/campaigns', 'docs/events']))
  })

  it.each(pages)('load and link to what exists, by relative addresses, with anchors that exist: %s', (path) => {
    const html = texts.get(path) ?? ''
    const base = new URL(`https://host.example/${path}`)
    const targets = [...valuesOf(html, 'href'), ...valuesOf(html, 'src')].filter((one) => one !== 'data:,')
    expect(targets.filter((one) => /^(?:[a-z]+:|\/)/.test(one))).toEqual([])
    const dead = targets.filter((one) => {
      const { pathname, hash } = new URL(one.replaceAll('&amp;', '&'), base)
      const target = pathname.slice(1)
      if (!addresses.has(target)) return true
      return hash !== '' && !(texts.get(target) ?? '').includes(` id="${decodeURIComponent(hash.slice(1))}"`)
    })
    expect(dead).toEqual([])
  })

  it.each(pages)('use each id once, and hold no script and no style of their own: %s', (path) => {
    const html = texts.get(path) ?? ''
    const ids = valuesOf(html, 'id')
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(html).not.toMatch(/<style|\sstyle="|\son[a-z]+="|<script>/)
  })

  it('show every route with its samples, every event by its name and every code', () => {
    expect(texts.get('docs/api/alert')).toContain('id="send"')
    expect(texts.get('docs/api/alert')).toContain('data-language="msgctl"')
    expect(texts.get('docs/events')).toContain('id="message.inbound"')
    expect(texts.get('docs/errors')).toContain('id="NUMBER_NOT_ON_NETWORK"')
    const index = JSON.parse(texts.get('docs/search.json') ?? '[]') as string[][]
    for (const title of [
      'NUMBER_NOT_ON_NETWORK',
      'message.inbound',
      'Create a campaign',
      'Reminder',
      'Idempotency keys',
    ]) {
      expect(index.map(([name]) => name)).toContain(title)
    }
  })

  it('escape what stands in the contract', () => {
    expect(texts.get('docs/events')).toContain('t=&lt;unix seconds&gt;')
  })
})

describe('GET /docs/assets', () => {
  it('lets browsers keep a file whose address has its version', async () => {
    const [style = ''] = valuesOf(texts.get('docs') ?? '', 'href').filter((one) => one.includes('style.css'))
    const versioned = await get(`/${style}`)
    expect(versioned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(versioned.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect((await get('/docs/assets/style.css')).headers.get('cache-control')).toBe('no-cache')
  })
})
