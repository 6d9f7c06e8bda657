import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { startFileServer } from '#testing/file-server.ts'
import { makeOrganization, makeToken } from '#testing/make.ts'
import { answerRequest, documentedClient, openAuthorization, registerClient } from '#testing/mcp/consent.ts'
import { startTestServer } from '#testing/start-server.ts'
import { deleteStaleClients } from './client-store.ts'

const server = await startTestServer({ worker: false })
const organization = await makeOrganization(server)
const token = await makeToken(server, organization)
const files = await startFileServer()
const allowed = [await registerClient(server), documentedClient(server, files, '/allowed.json')]
const unknown = [await registerClient(server), documentedClient(server, files, '/unknown.json')]
for (const client of allowed) await client.connect({ token })

/** Resets the limits by address, which all rows of these tables share. */
const forgetAttempts = () => rows(server.db, 'delete from attempt_windows')

const faults: readonly [string, Record<string, string | null>][] = [
  ['without a response type', { response_type: null }],
  ['for an implicit grant', { response_type: 'token' }],
  ['without PKCE', { code_challenge: null }],
  ['with a plain challenge', { code_challenge_method: 'plain' }],
  ['without a method, which would be plain', { code_challenge_method: null }],
  ['with a short challenge', { code_challenge: 'abc' }],
  ['for the fragment', { response_mode: 'fragment' }],
  ['for another resource', { resource: 'https://evil.example.com/mcp' }],
  ['for an unknown scope', { scope: 'read admin' }],
  ['with a long state', { state: 'x'.repeat(2001) }],
]

describe('authorize redirects no faulty request', () => {
  it.each(faults)('%s', async (_name, changed) => {
    await forgetAttempts()
    // The person who registers a client can allow it, too.
    for (const client of [...allowed, ...unknown]) {
      const response = await fetch(client.authorizeUrl(changed), { redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
      expect(await response.text()).toContain('This AI client cannot be connected')
    }
  })

  it('with a parameter that is there twice', async () => {
    for (const client of allowed) {
      const url = client.authorizeUrl()
      url.searchParams.append('redirect_uri', 'https://evil.example.com/')
      expect((await fetch(url, { redirect: 'manual' })).status).toBe(400)
    }
  })
})

describe('clients', () => {
  const kept = (id: string) => rows(server.db, 'select id from oauth_clients where id = :id', { id })

  it('that registered are deleted after a day in which no person allowed them, however often they ask', async () => {
    await forgetAttempts()
    const [asking, used] = [await registerClient(server), await registerClient(server)]
    await answerRequest(server, await openAuthorization(asking.authorizeUrl()), '/deny', { token })
    await openAuthorization(asking.authorizeUrl())
    await used.connect({ token })
    await server.advance(25 * 60 * 60)
    await deleteStaleClients(server.db)
    expect([await kept(asking.clientId), await kept(used.clientId)]).toEqual([[], [{ id: used.clientId }]])
  })

  it('with a document are noted as allowed, also once the document is read again', async () => {
    await forgetAttempts()
    const [documented] = allowed.slice(1)
    const noted = () =>
      rows(server.db, 'select 1 as found from oauth_clients where id = :id and used_at is not null', {
        id: documented?.clientId ?? '',
      })
    await server.advance(2 * 24 * 60 * 60)
    await deleteStaleClients(server.db)
    await openAuthorization(documented?.authorizeUrl() ?? '')
    expect(await noted()).toEqual([{ found: 1 }])
  })
})
