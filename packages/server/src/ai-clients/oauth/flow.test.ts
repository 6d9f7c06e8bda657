import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { findErrorFacts } from '@msgctl/contract'
import * as oidc from 'openid-client'
import { describe, expect, it } from 'vitest'
import { linkTokenTo, makePerson } from '#testing/features/person.ts'
import { startFileServer } from '#testing/file-server.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { connectAi, post } from '#testing/mcp/ai-client.ts'
import { consent, registerClient } from '#testing/mcp/consent.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { address, baseUrl } = server
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const token = await makeToken(server, organization)
const people = server.client({ token })

/** A client's memory of OAuth, whose browser is the consent page of a test. */
function provider(metadataUrl?: string) {
  const kept: Record<string, unknown> = {}
  let code: { code: string; iss: string | null } | undefined
  const own: OAuthClientProvider = {
    redirectUrl: 'http://localhost:60351/callback',
    clientMetadata: { client_name: 'Flow', redirect_uris: ['http://localhost:60351/callback'] },
    ...(metadataUrl && { clientMetadataUrl: metadataUrl }),
    clientInformation: () => kept.client as never,
    saveClientInformation(client) {
      kept.client = client
    },
    tokens: () => kept.tokens as never,
    saveTokens(tokens) {
      kept.tokens = tokens
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier
    },
    saveDiscoveryState(state) {
      kept.discovery = state
    },
    discoveryState: () => kept.discovery as never,
    codeVerifier: () => kept.verifier as string,
    async redirectToAuthorization(url) {
      const back = await consent(server, url, { token })
      code = { code: back.searchParams.get('code') ?? '', iss: back.searchParams.get('iss') }
    },
  }
  return { own, kept, code: () => code }
}

/** Connects the protocol's client, which does all of OAuth by itself. */
async function connectBySdk(metadataUrl?: string) {
  const { own, kept, code } = provider(metadataUrl)
  const transport = () => new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { authProvider: own })
  const first = transport()
  const client = new Client({ name: 'flow', version: '1' })
  await expect(client.connect(first)).rejects.toThrow(UnauthorizedError)
  const { code: received = '', iss } = code() ?? {}
  await first.finishAuth(received, iss ?? undefined)
  const connected = new Client({ name: 'flow', version: '1' })
  await connected.connect(transport())
  return { client: connected, kept }
}

describe('OAuth for AI clients', () => {
  it('connects the client 2.x by itself: 401, metadata, registration, PKCE, token', async () => {
    const { client, kept } = await connectBySdk()
    const { structuredContent } = await client.callTool({ name: 'list_numbers', arguments: {} })
    expect(structuredContent).toMatchObject({ numbers: [{ containerId }] })
    expect(kept.client).toMatchObject({ client_id: expect.stringMatching(/^[0-9a-f]{32}$/) })
    await client.close()
    const { connections } = await people.mcp.connections()
    expect(connections).toMatchObject(
      [{ client: { name: 'Flow', host: null }, person: { name: 'owner' }, scopes: ['read'], containerId: null }].map(
        (one) => ({ ...one, person: { name: expect.any(String) } }),
      ),
    )
  })

  it('connects a client whose id is the address of its document', async () => {
    const files = await startFileServer()
    const id = `${files.address}/client.json`
    files.on('/client.json', (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ client_id: id, client_name: 'Documented', redirect_uris: ['http://localhost/callback'] }),
      )
    })
    const url = (await registerClient(server, 'http://localhost/callback')).authorizeUrl({
      client_id: id,
      redirect_uri: 'http://localhost:60351/callback',
    })
    const back = await consent(server, url, { token })
    expect(back.origin).toBe('http://localhost:60351')
    const [latest] = (await people.mcp.connections()).connections
    expect(latest?.client).toEqual({ id, name: 'Documented', host: new URL(files.address).host })
  })

  it('satisfies openid-client: discovery, registration, iss, resource, refresh, reuse, revocation', async () => {
    const resource = `${baseUrl}/mcp`
    const config = await oidc.dynamicClientRegistration(
      new URL(address),
      { redirect_uris: ['https://ai.example.com/cb'], client_name: 'Independent' },
      oidc.None(),
      { algorithm: 'oauth2', execute: [oidc.allowInsecureRequests] },
    )
    const verifier = oidc.randomPKCECodeVerifier()
    const state = oidc.randomState()
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: 'https://ai.example.com/cb',
      scope: 'read send',
      resource,
      state,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const back = await consent(server, url, { token, scopes: ['read', 'send'] })
    const tokens = await oidc.authorizationCodeGrant(
      config,
      back,
      { pkceCodeVerifier: verifier, expectedState: state },
      { resource },
    )
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read send', expires_in: 3600 })
    const next = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '', { scope: 'read' })
    expect(next.scope).toBe('read')
    expect(
      (await post(address, 'tools/list', { headers: { Authorization: `Bearer ${next.access_token}` } })).status,
    ).toBe(200)
    await oidc.tokenRevocation(config, next.access_token)
    expect(
      (await post(address, 'tools/list', { headers: { Authorization: `Bearer ${next.access_token}` } })).status,
    ).toBe(401)
    await expect(oidc.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('gives a person no more than asked, and binds to one number', async () => {
    const client = await registerClient(server)
    const { access_token: key, scope } = await client.connect({ token, scopes: ['read'], containerId })
    expect(scope).toBe('read')
    const ai = await connectAi(address, { key })
    expect((await ai.client.listTools()).tools.map(({ name }) => name)).not.toContain('list_reminders')
    expect((await ai.call('list_numbers')).structuredContent.numbers).toMatchObject([{ containerId }])
    const refused = await post(address, 'tools/call', {
      headers: { Authorization: `Bearer ${key}` },
      params: { name: 'send_message', arguments: {} },
    })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringMatching(/error="insufficient_scope", scope="read send"/),
    ])
    const { error } = (await refused.json()) as { error: { code: string; details: unknown } }
    expect(error).toMatchObject({ code: 'KEY_SCOPE', details: { required: 'send', scopes: ['read'] } })
    expect(findErrorFacts(error.code)?.status).toBe(refused.status)
  })
})

describe('a connection ends', () => {
  const works = async (key: string) =>
    (await post(address, 'tools/list', { headers: { Authorization: `Bearer ${key}` } })).status === 200

  it.each<
    [
      string,
      (
        id: string,
        client: Awaited<ReturnType<typeof registerClient>>,
        tokens: { refresh_token: string },
      ) => Promise<unknown>,
    ]
  >([
    ['when its person ends it', (id) => people.mcp.endConnection({ connectionId: id })],
    [
      'when an old refresh token comes back after 30 s',
      async (_id, client, { refresh_token }) => {
        const form = { grant_type: 'refresh_token', client_id: client.clientId, refresh_token }
        expect((await client.token(form)).status).toBe(200)
        expect((await client.token(form)).status).toBe(200)
        await server.advance(31)
        expect((await client.token(form)).body.error).toBe('invalid_grant')
      },
    ],
  ])('%s', async (_name, end) => {
    const client = await registerClient(server)
    const tokens = await client.connect({ token })
    expect(await works(tokens.access_token)).toBe(true)
    const [latest] = (await people.mcp.connections()).connections
    await end(latest?.id ?? '', client, tokens)
    expect(await works(tokens.access_token)).toBe(false)
    expect((await people.mcp.connections()).connections.map(({ id }) => id)).not.toContain(latest?.id)
    const { entries } = await people.activity.list({ action: 'ai_connection.ended' })
    expect(entries[0]?.subject).toBe(latest?.id)
  })

  it('when its member is removed', async () => {
    const member = await makeToken(server, organization, 'member')
    const client = await registerClient(server)
    const tokens = await client.connect({ token: member })
    const [latest] = (await people.mcp.connections()).connections
    await expect(server.client({ token: member }).mcp.connections()).resolves.toMatchObject({
      connections: [{ id: latest?.id }],
    })
    await people.team.remove({ userId: latest?.person.id ?? '' })
    expect(await works(tokens.access_token)).toBe(false)
  })

  it('when its person sets a new password by a link', async () => {
    const person = await makePerson(server)
    const client = await registerClient(server)
    const tokens = await client.connect({ token: person.token })
    expect(await works(tokens.access_token)).toBe(true)
    await server.client({}).auth.forgotPassword({ email: person.email })
    const link = await linkTokenTo(server, person.email, 'reset')
    await server.client({}).auth.resetPassword({ token: link, password: 'another long password' })
    expect(await works(tokens.access_token)).toBe(false)
    const form = { grant_type: 'refresh_token', client_id: client.clientId, refresh_token: tokens.refresh_token }
    expect((await client.token(form)).body.error).toBe('invalid_grant')
  })

  it('can be narrowed, and never widened', async () => {
    const client = await registerClient(server)
    await client.connect({ token, scopes: ['read', 'send'] })
    const [latest] = (await people.mcp.connections()).connections
    const connectionId = latest?.id ?? ''
    expect(
      (await people.mcp.updateConnection({ connectionId, scopes: ['read'], containerId })).connection,
    ).toMatchObject({
      scopes: ['read'],
      containerId,
    })
    for (const wider of [{ scopes: ['read' as const, 'send' as const] }, { containerId: null }]) {
      await expect(people.mcp.updateConnection({ connectionId, ...wider })).rejects.toMatchObject({
        code: 'FORBIDDEN_ACTION',
        details: { reason: 'consent_needed' },
      })
    }
  })
})
