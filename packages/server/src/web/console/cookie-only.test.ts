import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { turnOn } from '#testing/features/authenticator.ts'
import { type Browser, ofConsole, openBrowser } from '#testing/features/browser.ts'
import { makePerson, newEmail, password } from '#testing/features/person.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const person = await makePerson(server)
const root = '/console/session'
const me = '/api/v1/me'
const unknown = { code: 'AUTH_ERROR', details: { reason: 'invalid_session' } }
const missing = { code: 'AUTH_ERROR', details: { reason: 'missing_credentials' } }

const tokenOf = ({ cookies }: Browser) => cookies.get('msgctl') ?? cookies.get('__Host-msgctl') ?? ''

/** Calls with a token as programs do. */
async function asBearer(token: string) {
  const response = await fetch(server.address + me, { headers: { authorization: `Bearer ${token}` } })
  const { error } = (await response.json()) as { error?: unknown }
  return { status: response.status, error }
}

/** Calls as the page of the console, with these cookies and further headers. */
async function asPage(cookie: string, headers: Record<string, string> = {}) {
  const { status, body } = await openBrowser(server).call('GET', me, { headers: { ...ofConsole, cookie, ...headers } })
  return { status, error: body.error }
}

async function signedIn(origin?: string): Promise<Browser> {
  const browser = openBrowser(server, origin)
  await browser.call('POST', `${root}/sign-in`, { body: { email: person.email, password } })
  return browser
}

/** The ways in which a session of the console begins. Each returns a browser that holds one. */
const beginnings: Readonly<Record<string, () => Promise<Browser>>> = {
  'a sign-in': () => signedIn(),
  'a sign-in over https': () => signedIn('https://console.example.com'),
  'a sign-up': async () => {
    const browser = openBrowser(server)
    const body = { name: 'Eve', email: newEmail(), password, organizationName: 'First' }
    await browser.call('POST', `${root}/sign-up`, { body })
    return browser
  },
  'a code': async () => {
    const { code } = await person.client.auth.consoleCode()
    const browser = openBrowser(server)
    await browser.call('POST', `${root}/welcome`, { body: { code } })
    return browser
  },
  'a second step': async () => {
    const careful = await makePerson(server)
    const { authenticator } = await turnOn(careful.client)
    const browser = openBrowser(server)
    const first = await browser.call('POST', `${root}/sign-in`, { body: { email: careful.email, password } })
    const second = { challenge: first.body.challenge, code: authenticator.code() }
    await browser.call('POST', `${root}/two-factor`, { body: second })
    return browser
  },
  'a new organization': async () => {
    const browser = await signedIn()
    await browser.call('POST', `${root}/new-organization`, { body: { name: 'Second' } })
    return browser
  },
  'a switch': async () => {
    const browser = await signedIn()
    await browser.call('POST', `${root}/switch`, { body: { organizationId: person.organizationId } })
    return browser
  },
}

describe('the token in the cookie', () => {
  it.each(Object.entries(beginnings))('of %s is refused as Bearer', async (_what, begin) => {
    const browser = await begin()
    expect((await browser.call('GET', me)).status).toBe(200)
    expect(await asBearer(tokenOf(browser))).toEqual({ status: 401, error: expect.objectContaining(unknown) })
    expect((await browser.call('GET', me)).status).toBe(200)
  })

  it('is not one that was issued to a program', async () => {
    const { token } = person
    expect((await asBearer(token)).status).toBe(200)
    for (const name of ['msgctl', '__Host-msgctl']) {
      expect(await asPage(`${name}=${token}`)).toEqual({ status: 401, error: expect.objectContaining(unknown) })
    }
  })

  it('works both ways in a session of before the upgrade', async () => {
    const token = tokenOf(await signedIn())
    await rows(server.db, 'update user_tokens set carrier = null')
    expect((await asBearer(token)).status).toBe(200)
    expect((await asPage(`msgctl=${token}`)).status).toBe(200)
  })
})

describe('the name of the cookie for plain http', () => {
  it.each<[string, Record<string, string>]>([
    ['Origin', { origin: 'https://console.example.com' }],
    ['the page itself', { 'x-requested-by': 'console-https' }],
  ])('does not count where the page came over https, as %s says', async (_who, headers) => {
    const token = tokenOf(await signedIn('https://console.example.com'))
    expect(await asPage(`msgctl=${token}`, headers)).toEqual({ status: 401, error: expect.objectContaining(missing) })
    expect((await asPage(`__Host-msgctl=${token}`, headers)).status).toBe(200)
    const planted = tokenOf(await signedIn())
    expect((await asPage(`msgctl=${planted}; __Host-msgctl=${token}`, headers)).status).toBe(200)
    expect((await asPage(`__Host-msgctl=a b; msgctl=${planted}`, headers)).status).toBe(401)
  })

  it('counts where the page came over http', async () => {
    const token = tokenOf(await signedIn())
    expect((await asPage(`msgctl=${token}`)).status).toBe(200)
    expect((await asPage(`msgctl=${token}`, { origin: 'http://10.0.0.5:3000' })).status).toBe(200)
  })
})
