import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import Koa from 'koa'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestServer } from '#testing/start-server.ts'
import { consolePage } from './page.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-console-'))
const script = 'export const console = 1\n'
mkdirSync(path.join(folder, 'assets'))
writeFileSync(
  path.join(folder, 'index.html'),
  '<!doctype html><title>Console</title><script src="./assets/main-abc123.js"></script>',
)
writeFileSync(path.join(folder, 'assets/main-abc123.js'), script)
writeFileSync(path.join(folder, 'assets/main-abc123.js.gz'), gzipSync(script))

const app = new Koa().use(consolePage(['/nowhere', folder]))
const listening = createServer(app.callback()).listen(0, '127.0.0.1')
afterAll(() => {
  listening.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Seen {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Makes a request and returns the body as it was sent, without decoding it. */
function read(target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Seen> {
  const { port } = listening.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: target, headers, method }, async (response) => {
      const parts: Buffer[] = []
      for await (const part of response) parts.push(part as Buffer)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) })
    })
    request.on('error', reject)
  })
}

describe('the files of the console', () => {
  it.each(['/console/', '/console/messages', '/console/campaigns/0195/edit', '/console/index.html'])(
    'are its page at %s, which is asked for again each time',
    async (target) => {
      const { status, headers, body } = await read(target)
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ])
      expect(body.toString()).toContain('<title>Console</title>')
      const again = await read(target, { 'if-none-match': headers.etag ?? '' })
      expect([again.status, again.body.length]).toEqual([304, 0])
    },
  )

  it.each([
    ['/console/', './assets/'],
    ['/console/messages', './assets/'],
    ['/console/messages/', '../assets/'],
    ['/console/campaigns/0195/edit', '../../assets/'],
  ])('have addresses that lead from %s to %s, also below a prefix', async (target, assets) => {
    expect((await read(target)).body.toString()).toContain(`src="${assets}main-abc123.js"`)
  })

  it('have a strict policy', async () => {
    const { headers } = await read('/console/')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' " +
        "blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors " +
        "'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    })
  })

  it('with a hash in their name are kept for good, and are sent packed', async () => {
    const { headers, body } = await read('/console/assets/main-abc123.js', { 'accept-encoding': 'br, gzip' })
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    })
    expect(gunzipSync(body).toString()).toBe(script)
    expect((await read('/console/assets/main-abc123.js')).body.toString()).toBe(script)
  })

  it.each(['/console/assets/gone.js', '/console/main.js', '/console/../package.json', '/console/%2e%2e/package.json'])(
    'do not include %s',
    async (target) => {
      expect((await read(target)).status).toBe(404)
    },
  )

  it('are where a browser is led that asks for the service', async () => {
    const led = await read('/', { accept: 'text/html,*/*' })
    expect([led.status, led.headers.location]).toEqual([302, 'console/'])
    expect((await read('/console')).headers.location).toBe('console/')
    expect((await read('/', { accept: 'application/json' })).status).toBe(404)
    expect((await read('/console/', {}, 'POST')).status).toBe(404)
  })
})

describe('CONSOLE=off', () => {
  it('leaves nothing of the console', async () => {
    const server = await startTestServer({ worker: false, env: { CONSOLE: 'off' } })
    for (const target of ['/', '/console', '/console/', '/console/session']) {
      const response = await fetch(server.address + target, { headers: { accept: 'text/html' }, redirect: 'manual' })
      expect(response.status, target).toBe(404)
    }
  })
})
