import { contract, type Route, splitEndpoint } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { connectAi, post } from '#testing/mcp/ai-client.ts'
import { answerRequest, consent, openAuthorization, registerClient } from '#testing/mcp/consent.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { ALLOW_PRIVATE_TARGETS: undefined } })
const { address, baseUrl } = server
const organization = await makeOrganization(server)
await makeNumber(server, organization)
const token = await makeToken(server, organization)
const client = await registerClient(server)
const stranger = await registerClient(server)
const works = async (key: string) =>
  (await post(address, 'tools/list', { headers: { Authorization: `Bearer ${key}` } })).status === 200

/** Resets the limits by address, which all rows of these tables share. */
const forgetAttempts = () => rows(server.db, 'delete from attempt_windows')

describe('authorize never redirects', () => {
  it.each<[string, Record<string, string | null>]>([
    ['without a client', { client_id: null }],
    ['for an unknown client', { client_id: '0'.repeat(32) }],
    ['without a redirect address', { redirect_uri: null }],
    ['to another address', { redirect_uri: 'https://evil.example.com/' }],
    ['to a longer address', { redirect_uri: 'https://ai.example.com/callback/x' }],
    ['to an address with a user', { redirect_uri: 'https://ai.example.com@evil.example.com/callback' }],
    ['to a script', { redirect_uri: 'javascript:alert(1)' }],
    ['for a document at this machine', { client_id: 'https://127.0.0.1/client.json' }],
    ['for a document at localhost', { client_id: 'https://localhost/client.json' }],
    ['for a document at a private address', { client_id: 'https://10.0.0.1/client.json' }],
    ['for a document at a decimal address', { client_id: 'https://2130706433/client.json' }],
    ['for a document at an octal address', { client_id: 'https://0177.0.0.1/client.json' }],
    ['for a document at a hexadecimal address', { client_id: 'https://0x7f.1/client.json' }],
    ['for a document at a mapped address', { client_id: 'https://[::ffff:127.0.0.1]/client.json' }],
    ['for a document at IPv6', { client_id: 'https://[::1]/client.json' }],
    ['for a document at a link-local address', { client_id: 'https://169.254.169.254/latest/meta-data' }],
    ['for a document at an internal name', { client_id: 'https://metadata.internal/client.json' }],
    ['for a document by http', { client_id: 'http://ai.example.com/client.json' }],
    ['for a document with a user', { client_id: 'https://user@ai.example.com/client.json' }],
    ['for a document with a fragment', { client_id: 'https://ai.example.com/client.json#x' }],
    ['for a host without a path', { client_id: 'https://ai.example.com/' }],
    ['for a path with dots', { client_id: 'https://ai.example.com/a/../client.json' }],
    ['for a file', { client_id: 'file:///etc/passwd' }],
  ])('%s', async (_name, changed) => {
    await forgetAttempts()
    const response = await fetch(client.authorizeUrl(changed), { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('a code', () => {
  it.each<[string, (form: Record<string, string>) => Record<string, string>, string]>([
    ['of another client', (form) => ({ ...form, client_id: stranger.clientId }), 'invalid_grant'],
    [
      'for another redirect address',
      (form) => ({ ...form, redirect_uri: 'https://ai.example.com/x' }),
      'invalid_grant',
    ],
    ['with another verifier', (form) => ({ ...form, code_verifier: stranger.verifier }), 'invalid_grant'],
    ['with a short verifier', (form) => ({ ...form, code_verifier: 'abc' }), 'invalid_grant'],
    ['without a verifier', ({ code_verifier: _none, ...form }) => form, 'invalid_request'],
    ['without a redirect address', ({ redirect_uri: _none, ...form }) => form, 'invalid_request'],
    ['without a client', ({ client_id: _none, ...form }) => form, 'invalid_request'],
    ['that is made up', (form) => ({ ...form, code: 'x'.repeat(43) }), 'invalid_grant'],
    ['for another resource', (form) => ({ ...form, resource: 'https://evil.example.com' }), 'invalid_target'],
    ['by a password grant', (form) => ({ ...form, grant_type: 'password' }), 'unsupported_grant_type'],
    ['by client credentials', (form) => ({ ...form, grant_type: 'client_credentials' }), 'unsupported_grant_type'],
  ])('%s gives nothing', async (_name, change, error) => {
    await forgetAttempts()
    const back = await consent(server, client.authorizeUrl(), { token })
    const form = client.codeForm(back.searchParams.get('code') ?? '')
    expect((await client.token(change(form))).body).toMatchObject({ error })
    expect((await client.token(form)).status).toBe(200)
  })

  it('expires after a minute', async () => {
    const back = await consent(server, client.authorizeUrl(), { token })
    await server.advance(61)
    expect((await client.token(client.codeForm(back.searchParams.get('code') ?? ''))).body.error).toBe('invalid_grant')
  })

  it('that is used twice ends its connection, also in two processes at once', async () => {
    await forgetAttempts()
    const other = await serveDatabase(server.db, server.databaseUrl, { worker: false })
    const back = await consent(server, client.authorizeUrl(), { token })
    const form = new URLSearchParams(client.codeForm(back.searchParams.get('code') ?? ''))
    const answers = await Promise.all(
      [baseUrl, other.baseUrl].map((base) => fetch(`${base}/oauth/token`, { method: 'POST', body: form })),
    )
    await other.stop()
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const issued = (await answers.find(({ ok }) => ok)?.json()) as { access_token: string }
    expect(await works(issued.access_token)).toBe(false)
  })
})

describe('a refresh token', () => {
  it('of another client gives nothing', async () => {
    await forgetAttempts()
    const { refresh_token } = await client.connect({ token })
    const form = { grant_type: 'refresh_token', client_id: stranger.clientId, refresh_token }
    expect((await stranger.token(form)).body.error).toBe('invalid_grant')
  })

  it('gives no more than was given', async () => {
    const { refresh_token } = await client.connect({ token })
    const form = { grant_type: 'refresh_token', client_id: client.clientId, refresh_token, scope: 'read send' }
    expect((await client.token(form)).body.error).toBe('invalid_scope')
  })

  it('gives two windows in two processes a pair each at once, and ends the connection of a late one', async () => {
    const other = await serveDatabase(server.db, server.databaseUrl, { worker: false })
    const { refresh_token } = await client.connect({ token })
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: client.clientId, refresh_token })
    const refresh = (base: string) => fetch(`${base}/oauth/token`, { method: 'POST', body: form })
    const answers = await Promise.all([baseUrl, other.baseUrl].map(refresh))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const issued = (await Promise.all(answers.map((answer) => answer.json()))) as { access_token: string }[]
    expect(new Set(issued.map(({ access_token }) => access_token)).size).toBe(2)
    await server.advance(31)
    const late = await Promise.all([baseUrl, other.baseUrl].map(refresh))
    await other.stop()
    expect(late.map(({ status }) => status)).toEqual([400, 400])
    for (const { access_token } of issued) expect(await works(access_token)).toBe(false)
  })

  it('is not revoked by another client', async () => {
    const { access_token, refresh_token } = await client.connect({ token })
    const form = new URLSearchParams({ token: refresh_token, client_id: stranger.clientId })
    expect((await fetch(`${baseUrl}/oauth/revoke`, { method: 'POST', body: form })).status).toBe(200)
    expect(await works(access_token)).toBe(true)
  })

  it('expires after 90 idle days, and an access token after an hour', async () => {
    const { access_token, refresh_token } = await client.connect({ token })
    await server.advance(3601)
    expect(await works(access_token)).toBe(false)
    await server.advance(90 * 24 * 3600)
    const form = { grant_type: 'refresh_token', client_id: client.clientId, refresh_token }
    expect((await client.token(form)).body.error).toBe('invalid_grant')
  })
})

describe('consent', () => {
  const person = () => makeToken(server, organization)
  const body = { scopes: ['read'], containerId: null }
  const reasonOf = async (response: Response) => {
    const { error } = (await response.json()) as { error?: { code: string; details?: { reason?: string } } }
    return [response.status, error?.code, error?.details?.reason]
  }

  it('is refused in another browser, and in one without a cookie', async () => {
    await forgetAttempts()
    const victim = await openAuthorization(client.authorizeUrl())
    const attacker = await openAuthorization(client.authorizeUrl())
    for (const cookie of [victim.cookie, '', 'msgctl_consent=x']) {
      const response = await answerRequest(server, { ...attacker, cookie }, '/approve', { token: await person(), body })
      expect(await reasonOf(response)).toEqual([400, 'OAUTH_REQUEST_INVALID', 'other_browser'])
    }
  })

  it('is given once', async () => {
    const asked = await openAuthorization(client.authorizeUrl())
    const session = await person()
    expect((await answerRequest(server, asked, '/approve', { token: session, body })).status).toBe(200)
    for (const verb of ['/approve', '/deny', ''] as const) {
      const response = await answerRequest(server, asked, verb, {
        token: session,
        ...(verb === '/approve' && { body }),
      })
      expect(await reasonOf(response)).toEqual([400, 'OAUTH_REQUEST_INVALID', 'answered'])
    }
  })

  it('is too late after ten minutes', async () => {
    const asked = await openAuthorization(client.authorizeUrl())
    const session = await person()
    await server.advance(601)
    const response = await answerRequest(server, asked, '/approve', { token: session, body })
    expect(await reasonOf(response)).toEqual([400, 'OAUTH_REQUEST_INVALID', 'expired'])
  })

  it('is denied to the client', async () => {
    const asked = await openAuthorization(client.authorizeUrl())
    const response = await answerRequest(server, asked, '/deny', { token: await person() })
    const { redirectTo } = (await response.json()) as { redirectTo: string }
    expect(redirectTo).toContain('error=access_denied')
    expect(redirectTo).not.toContain('code=')
  })

  it('gives no more than the client asked for, and no number of others', async () => {
    const asked = await openAuthorization(client.authorizeUrl({ scope: 'read' }))
    const session = await person()
    const other = await makeNumber(server, await makeOrganization(server))
    const more = { scopes: ['read', 'send'], containerId: null }
    const foreign = { scopes: ['read'], containerId: other }
    expect((await reasonOf(await answerRequest(server, asked, '/approve', { token: session, body: more })))[1]).toBe(
      'VALIDATION_ERROR',
    )
    expect((await reasonOf(await answerRequest(server, asked, '/approve', { token: session, body: foreign })))[1]).toBe(
      'NOT_FOUND',
    )
  })

  it('needs a person with Connect', async () => {
    const asked = await openAuthorization(client.authorizeUrl())
    const without = await makeOrganization(server, { products: ['notify'] })
    const session = await makeToken(server, without)
    expect((await reasonOf(await answerRequest(server, asked, '', { token: session })))[1]).toBe('PRODUCT_REQUIRED')
    const response = await fetch(`${baseUrl}/oauth/requests/${asked.requestId}/approve`, {
      method: 'POST',
      headers: { cookie: asked.cookie, 'x-api-key': organization.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect((await reasonOf(response))[1]).toBe('USER_REQUIRED')
  })
})

describe('the token of an AI client', () => {
  const routes = Object.values<Record<string, Route>>(contract)
    .flatMap((named) => Object.values(named))
    .filter(({ access }) => access.keys !== 'public')

  it(`works at none of the ${routes.length} other routes`, async () => {
    await forgetAttempts()
    const { access_token, refresh_token } = await client.connect({ token: await makeToken(server, organization) })
    expect(routes.length).toBeGreaterThan(80)
    for (const { endpoint } of routes) {
      const { method, path } = splitEndpoint(endpoint)
      const response = await fetch(`${baseUrl}${path.replace(/:\w+/g, '0190b1a1-0c2d-7b3e-8f44-5a6b7c8da001')}`, {
        method,
        headers: { authorization: `Bearer ${access_token}` },
      })
      const { error } = (await response.json()) as { error: { code: string } }
      expect([endpoint, response.status, error.code]).toEqual([endpoint, 403, 'OAUTH_TOKEN_SCOPE'])
    }
    expect(await works(refresh_token)).toBe(false)
    expect(await works(`mat_${'0'.repeat(64)}`)).toBe(false)
  })

  it('reads nothing of another organization', async () => {
    const other = await makeOrganization(server)
    const { access_token: key } = await client.connect({ token: await makeToken(server, other) })
    const ai = await connectAi(address, { key })
    expect((await ai.call('list_numbers')).structuredContent.numbers).toEqual([])
  })

  it('is answered with the way to OAuth when it is missing or wrong', async () => {
    const response = await post(address, 'tools/list', {})
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer scope="read", resource_metadata="${address}/.well-known/oauth-protected-resource/api/v1/mcp"`,
    )
    const wrong = await post(address, 'tools/list', { headers: { Authorization: `Bearer mat_${'0'.repeat(64)}` } })
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })
})
