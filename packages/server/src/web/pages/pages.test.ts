import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Koa from 'koa'
import { afterAll, describe, expect, it } from 'vitest'
import { ofConsole, openBrowser } from '#testing/features/browser.ts'
import { makePerson, password } from '#testing/features/person.ts'
import { startTestServer } from '#testing/start-server.ts'
import { linkPages } from './pages.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-pages-'))
const script = 'export const page = 1\n'
mkdirSync(path.join(folder, 'assets'))
writeFileSync(
  path.join(folder, 'pages.html'),
  '<!doctype html><script src="./assets/pages-abc123.js"></script><noscript>This page needs JavaScript.</noscript>',
)
writeFileSync(path.join(folder, 'assets/pages-abc123.js'), script)
const listening = createServer(new Koa().use(linkPages(['/nowhere', folder])).callback()).listen(0, '127.0.0.1')
afterAll(() => {
  listening.close()
  rmSync(folder, { recursive: true, force: true })
})
const read = (target: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${(listening.address() as AddressInfo).port}${target}`, init)

describe('the pages for people', () => {
  it.each(['account', 'connect', 'approve'])('%s works alone: one script of its own, and no frame', async (name) => {
    const page = await read(`/${name}`)
    const html = await page.text()
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    // Its script can write no HTML.
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
    expect([page.headers.get('referrer-policy'), page.headers.get('cache-control')]).toEqual([
      'no-referrer',
      'no-cache',
    ])
    // Relative, so that a proxy may add a prefix.
    const [, src = ''] = /<script src="([^"]*)">/.exec(html) ?? []
    expect(src).toBe('account/assets/pages-abc123.js')
    expect(await (await read(`/${src}`)).text()).toBe(script)
  })

  it.each(['/account/', '/connect/', '/approve/0195', '/account/pages.html', '/account/assets/..%2fpages.html'])(
    'are not at %s',
    async (target) => {
      expect((await read(target)).status).toBe(404)
    },
  )

  it('are only read', async () => {
    expect((await read('/connect', { method: 'HEAD' })).status).toBe(200)
    expect((await read('/connect', { method: 'POST' })).status).toBe(404)
  })
})

describe('the session of these pages, with CONSOLE=off', async () => {
  const server = await startTestServer({ worker: false, env: { CONSOLE: 'off' } })
  const person = await makePerson(server)
  const root = '/account/session'
  const signIn = { body: { email: person.email, password } }

  it('begins with a cookie instead of a token, and ends', async () => {
    const browser = openBrowser(server)
    const before = await browser.call('GET', root)
    expect(before.headers.get('cache-control')).toBe('no-store')
    expect(before.body).toMatchObject({ user: null, console: false })
    const { body, headers } = await browser.call('POST', `${root}/sign-in`, signIn)
    expect(body).toMatchObject({ success: true, user: { email: person.email } })
    expect(body).not.toHaveProperty('token')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('set-cookie')).toMatch(/^msgctl=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Strict$/)
    expect((await browser.call('GET', root)).body).toMatchObject({ user: { email: person.email } })
    expect((await browser.call('GET', '/api/v1/me')).status).toBe(200)
    expect((await browser.call('DELETE', root)).status).toBe(200)
    expect([...browser.cookies.keys()]).toEqual([])
  })

  it.each([
    ['a form of another page', {}],
    ['a page of another host', { ...ofConsole, 'sec-fetch-site': 'cross-site' }],
  ])('does not open for %s', async (_who, headers) => {
    const browser = openBrowser(server)
    const refused = { code: 'AUTH_ERROR', details: { reason: 'missing_credentials' } }
    expect((await browser.call('POST', `${root}/sign-in`, { ...signIn, headers })).body.error).toMatchObject(refused)
    await browser.call('POST', `${root}/sign-in`, signIn)
    expect((await browser.call('DELETE', root, { headers })).body.error).toMatchObject(refused)
    expect((await browser.call('GET', root, { headers })).body.user).toBeNull()
  })

  it('has no other paths', async () => {
    for (const target of [`${root}/elsewhere`, `${root}/sign-in`, `${root}/`])
      expect((await openBrowser(server).call('GET', target)).body.error.code, target).toBe('ROUTE_NOT_FOUND')
  })
})
