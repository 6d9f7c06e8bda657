import { describe, expect, it } from 'vitest'
import { challengeOf, turnOn } from '#testing/features/authenticator.ts'
import { type Browser, ofConsole, openBrowser } from '#testing/features/browser.ts'
import { makePerson, newEmail, password } from '#testing/features/person.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { SERVICE_NAME: 'Example' } })
const person = await makePerson(server)
const root = '/console/session'
const me = '/api/v1/me'

async function signedIn(origin?: string) {
  const browser = openBrowser(server, origin)
  const { body, headers } = await browser.call('POST', `${root}/sign-in`, { body: { email: person.email, password } })
  return { browser, body, cookie: headers.get('set-cookie') ?? '' }
}

/** The cookies of a browser as it sends them. */
const cookieOf = ({ cookies }: Browser) => [...cookies].map((pair) => pair.join('=')).join('; ')

describe('the session of the console', () => {
  it('begins with a cookie instead of a token', async () => {
    const { browser, body, cookie } = await signedIn()
    expect(body).toMatchObject({ success: true, twoFactorRequired: false, user: { email: person.email } })
    expect(body).not.toHaveProperty('token')
    expect(cookie).toMatch(/^msgctl=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/)
    expect((await browser.call('GET', me)).body).toMatchObject({ success: true, email: person.email })
  })

  it('has a cookie for this host over https only, when the page came so', async () => {
    const { browser, cookie } = await signedIn('https://console.example.com')
    expect(cookie).toMatch(/^__Host-msgctl=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/)
    expect((await browser.call('GET', me)).status).toBe(200)
  })

  it.each([
    ['a form of another page', {}],
    ['a page of another host', { ...ofConsole, 'sec-fetch-site': 'cross-site' }],
    ['a page of a sibling of this host', { ...ofConsole, 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { ...ofConsole, 'sec-fetch-site': 'none' }],
  ])('does not open for %s', async (_who, headers) => {
    const { browser } = await signedIn()
    const request = { body: { phone: '12025550100', message: 'x' }, headers }
    const refused = { code: 'AUTH_ERROR', details: { reason: 'missing_credentials' } }
    expect((await browser.call('POST', '/api/v1/alert/send', request)).body.error).toMatchObject(refused)
    expect((await browser.call('GET', me, { headers })).body.error).toMatchObject(refused)
    expect((await browser.call('DELETE', root, { headers })).body.error).toMatchObject(refused)
    expect((await browser.call('GET', root, { headers })).body.user).toBeNull()
    expect((await browser.call('GET', me)).status).toBe(200)
    const signIn = { body: { email: person.email, password }, headers }
    expect((await openBrowser(server).call('POST', `${root}/sign-in`, signIn)).status).toBe(401)
  })

  it('comes after a key and a token', async () => {
    const { browser } = await signedIn()
    const reasonWith = async (headers: Record<string, string>) =>
      (await browser.call('GET', me, { headers: { ...ofConsole, ...headers } })).body.error?.details.reason
    expect(await reasonWith({ 'x-api-key': 'nope' })).toBe('invalid_api_key')
    expect(await reasonWith({ authorization: 'Bearer nope' })).toBe('invalid_session')
    expect(await reasonWith({})).toBeUndefined()
  })

  it('ends on the service and in the browser', async () => {
    const { browser } = await signedIn()
    const cookie = cookieOf(browser)
    const again = () => openBrowser(server).call('GET', me, { headers: { ...ofConsole, cookie } })
    expect((await again()).status).toBe(200)
    expect(await browser.call('DELETE', root)).toMatchObject({ status: 200, body: { success: true } })
    expect([...browser.cookies.keys()]).toEqual([])
    expect((await again()).body.error).toMatchObject({ code: 'AUTH_ERROR', details: { reason: 'invalid_session' } })
  })

  it('ends in the browser also after it has ended elsewhere', async () => {
    const { browser } = await signedIn()
    await person.client.auth.endSessions()
    expect((await browser.call('GET', root)).body.user).toBeNull()
    expect(await browser.call('DELETE', root)).toMatchObject({ status: 200, body: { success: true } })
    expect([...browser.cookies.keys()]).toEqual([])
  })

  it('begins with a sign-up, and changes with the organization', async () => {
    const browser = openBrowser(server)
    const body = { name: 'Eve', email: newEmail(), password, organizationName: 'First' }
    expect((await browser.call('POST', `${root}/sign-up`, { body })).status).toBe(201)
    const made = await browser.call('POST', `${root}/new-organization`, { body: { name: 'Second' } })
    expect(made.status).toBe(201)
    const { organizations } = (await browser.call('GET', '/api/v1/organizations')).body
    const organizationId = organizations.find(({ name }: { name: string }) => name === 'First').id
    const before = browser.cookies.get('msgctl')
    expect((await browser.call('POST', `${root}/switch`, { body: { organizationId } })).status).toBe(200)
    expect(browser.cookies.get('msgctl')).not.toBe(before)
    expect((await browser.call('GET', root)).body.organization).toEqual({ id: organizationId, name: 'First' })
  })

  it('begins after the second step only', async () => {
    const careful = await makePerson(server)
    const { authenticator } = await turnOn(careful.client)
    const browser = openBrowser(server)
    const body = { email: careful.email, password }
    const { body: first } = await browser.call('POST', `${root}/sign-in`, { body })
    expect(first).toMatchObject({ twoFactorRequired: true, challenge: expect.any(String) })
    expect([...browser.cookies.keys()]).toEqual([])
    const second = { challenge: first.challenge, code: authenticator.code() }
    expect((await browser.call('POST', `${root}/two-factor`, { body: second })).status).toBe(200)
    expect((await browser.call('GET', root)).body.user).toMatchObject({ email: careful.email })
    await expect(challengeOf(server.client({}), careful)).resolves.toEqual(expect.any(String))
  })

  it('has the errors of the routes that it calls', async () => {
    const browser = openBrowser(server)
    const wrong = { email: person.email, password: 'wrong' }
    const { status, body } = await browser.call('POST', `${root}/sign-in`, { body: wrong })
    expect([status, body.error.details]).toEqual([401, { reason: 'invalid_credentials' }])
    expect((await browser.call('POST', `${root}/sign-in`, { body: {} })).body.error.code).toBe('VALIDATION_ERROR')
    expect((await browser.call('POST', `${root}/elsewhere`, { body: {} })).body.error.code).toBe('ROUTE_NOT_FOUND')
  })
})

describe('GET /console/session', () => {
  it('says what the page needs, before and after the sign-in', async () => {
    const offered = { simulator: true, payments: false, signUp: true, console: true }
    const service = { success: true, serviceName: 'Example', ...offered }
    const nobody = { user: null, organization: null, features: [], platformAdmin: false }
    const seen = await openBrowser(server).call('GET', root)
    expect(seen.body).toEqual({ ...service, ...nobody })
    expect(seen.headers.get('cache-control')).toBe('no-store')
    const { browser } = await signedIn()
    expect((await browser.call('GET', root)).body).toEqual({
      ...service,
      user: { id: person.userId, name: person.name, email: person.email, memberRole: 'owner' },
      organization: { id: person.organizationId, name: 'Ada Engines' },
      platformAdmin: false,
      features: expect.arrayContaining(['campaigns', 'inbox', 'webhooks']),
    })
  })

  it('has nothing below it that is read, no page of the console either', async () => {
    for (const target of [`${root}/`, `${root}/sign-in`, `${root}/elsewhere`])
      expect((await fetch(server.address + target)).status, target).toBe(404)
  })

  it('knows persons only, no keys and tokens of programs', async () => {
    const headers = { ...ofConsole, authorization: `Bearer ${person.token}` }
    expect((await openBrowser(server).call('GET', root, { headers })).body.user).toBeNull()
  })
})

describe('a code that opens the console', () => {
  const welcome = (code: string) => openBrowser(server).call('POST', `${root}/welcome`, { body: { code } })

  it('signs in once, in the organization that it was made in', async () => {
    const { code } = await person.client.auth.consoleCode()
    const browser = openBrowser(server)
    const first = await browser.call('POST', `${root}/welcome`, { body: { code } })
    expect(first).toMatchObject({ status: 200, body: { user: { organization: { id: person.organizationId } } } })
    expect((await browser.call('GET', me)).status).toBe(200)
    expect((await welcome(code)).body.error.code).toBe('INVALID_LINK')
  })

  it('is replaced by the next one, and expires after 15 minutes', async () => {
    const { code: old } = await person.client.auth.consoleCode()
    const { code } = await person.client.auth.consoleCode()
    expect((await welcome(old)).body.error.code).toBe('INVALID_LINK')
    await server.advance(15 * 60 + 1)
    expect((await welcome(code)).body.error.code).toBe('INVALID_LINK')
  })

  it('does not replace the second step', async () => {
    const careful = await makePerson(server)
    await turnOn(careful.client)
    const { code } = await careful.client.auth.consoleCode()
    const { body, headers } = await welcome(code)
    expect(body).toMatchObject({ twoFactorRequired: true, challenge: expect.any(String) })
    expect(headers.get('set-cookie')).toBeNull()
  })
})
