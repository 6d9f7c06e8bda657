import { describe, expect, it } from 'vitest'
import { rows } from '../db/db.ts'
import { startFileServer } from '../testing/file-server.ts'
import { makeOrganization, makeToken } from '../testing/make.ts'
import { answerRequest, documentedClient, openAuthorization, registerClient } from '../testing/mcp/consent.ts'
import { startTestServer } from '../testing/start-server.ts'
import { deleteStaleClients } from './client-store.ts'

const server = await startTestServer({ worker: false })
const { address } = server
const organization = await makeOrganization(server)
const token = await makeToken(server, organization)
const files = await startFileServer()
const allowed = [await registerClient(server), documentedClient(server, files, '/allowed.json')]
const unknown = [await registerClient(server), documentedClient(server, files, '/unknown.json')]
for (const client of allowed) await client.connect({ token })

/** Resets the limits by address, which all rows of these tables share. */
const forgetAttempts = () => rows(server.db, 'delete from attempt_windows')

const faults: readonly [string, Record<string, string | null>, string][] = [
  ['without a response type', { response_type: null }, 'invalid_request'],
  ['for an implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
  ['without PKCE', { code_challenge: null }, 'invalid_request'],
  ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['without a method, which would be plain', { code_challenge_method: null }, 'invalid_request'],
  ['with a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
  ['for the fragment', { response_mode: 'fragment' }, 'invalid_request'],
  ['for another resource', { resource: 'https://evil.example.com/mcp' }, 'invalid_target'],
  ['for an unknown scope', { scope: 'read admin' }, 'invalid_scope'],
  ['with a long state', { state: 'x'.repeat(2001) }, 'invalid_request'],
]

describe('authorize redirects to a client that a person allowed, with an error', () => {
  it.each(faults)('%s', async (_name, changed, error) => {
    await forgetAttempts()
    for (const client of allowed) {
      const response = await fetch(client.authorizeUrl(changed), { redirect: 'manual' })
      const location = new URL(response.headers.get('location') ?? '')
      expect([response.status, location.origin, location.searchParams.get('error')]).toEqual([
        303,
        'https://ai.example.com',
        error,
      ])
      expect(location.searchParams.get('iss')).toBe(address)
      expect(location.searchParams.get('code')).toBeNull()
    }
  })

  it('nothing when a parameter is there twice', async () => {
    for (const client of allowed) {
      const url = client.authorizeUrl()
      url.searchParams.append('redirect_uri', 'https://evil.example.com/')
      expect((await fetch(url, { redirect: 'manual' })).status).toBe(400)
    }
  })
})

describe('authorize redirects to no client that no person allowed', () => {
  it.each(faults)('%s', async (_name, changed) => {
    await forgetAttempts()
    for (const client of unknown) {
      const response = await fetch(client.authorizeUrl(changed), { redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
      expect(await response.text()).toContain('This AI client cannot be connected')
    }
  })

  it('until a person allows it: opening the page, or denying it, is not enough', async () => {
    await forgetAttempts()
    const [asking, session] = [await registerClient(server), await makeToken(server, organization)]
    const refused = async () => (await fetch(asking.authorizeUrl({ scope: 'all' }), { redirect: 'manual' })).status
    const opened = await openAuthorization(asking.authorizeUrl())
    expect(await refused()).toBe(400)
    await answerRequest(server, opened, '/deny', { token: session })
    expect(await refused()).toBe(400)
    await asking.connect({ token: session })
    expect(await refused()).toBe(303)
  })
})

describe('clients', () => {
  const kept = (id: string) => rows(server.db, 'select id from oauth_clients where id = :id', { id })

  it('that registered are deleted after a day in which no person allowed them, however often they ask', async () => {
    await forgetAttempts()
    const [asking, used] = [await registerClient(server), await registerClient(server)]
    await openAuthorization(asking.authorizeUrl())
    await used.connect({ token })
    await server.advance(25 * 60 * 60)
    await deleteStaleClients(server.db)
    expect([await kept(asking.clientId), await kept(used.clientId)]).toEqual([[], [{ id: used.clientId }]])
  })

  it('with a document stay allowed when the document is read again', async () => {
    await forgetAttempts()
    const [documented] = allowed.slice(1)
    await server.advance(2 * 24 * 60 * 60)
    await deleteStaleClients(server.db)
    const response = await fetch(documented?.authorizeUrl({ scope: 'all' }) ?? '', { redirect: 'manual' })
    expect(response.status).toBe(303)
  })
})
