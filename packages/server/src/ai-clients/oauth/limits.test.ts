import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { startFileServer } from '#testing/file-server.ts'
import { makeOrganization, makeToken } from '#testing/make.ts'
import { documentedClient, type HandClient, registerClient } from '#testing/mcp/consent.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const { baseUrl } = server

describe('the limits of the specification', () => {
  it.each([
    [
      'register',
      60,
      () =>
        fetch(`${baseUrl}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }),
    ],
    ['authorize', 60, () => fetch(`${baseUrl}/oauth/authorize`, { redirect: 'manual' })],
    [
      'revoke',
      60,
      () => fetch(`${baseUrl}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token: 'x' }) }),
    ],
    [
      'token',
      120,
      () =>
        fetch(`${baseUrl}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({ client_id: 'x', grant_type: 'y' }),
        }),
    ],
  ])('%s takes %i requests', async (_name, allowed, request) => {
    await rows(server.db, 'delete from attempt_windows')
    const statuses = await Promise.all(Array.from({ length: allowed + 2 }, async () => (await request()).status))
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })
})

describe('requests for tokens', () => {
  const { tokens: allowed, windowSeconds } = limits.oauth
  const forgotten = (clientId: string) => ({
    client_id: clientId,
    grant_type: 'refresh_token',
    refresh_token: `mrt_${'0'.repeat(64)}`,
  })

  /** Asks as often as this at once. Returns how many got each status. */
  async function askTimes(times: number, ask: () => Promise<{ status: number }>): Promise<Record<number, number>> {
    const counts: Record<number, number> = {}
    for (const { status } of await Promise.all(Array.from({ length: times }, ask))) {
      counts[status] = (counts[status] ?? 0) + 1
    }
    return counts
  }

  /** Connects a client for a person of an organization of its own. Returns a function that refreshes its tokens. */
  async function connected(client: HandClient, ip: string) {
    const token = await makeToken(server, await makeOrganization(server))
    let { refresh_token } = await client.connect({ token })
    return async () => {
      const form = { grant_type: 'refresh_token', client_id: client.clientId, refresh_token }
      const { status, body } = await client.token(form, ip)
      refresh_token = body.refresh_token ?? refresh_token
      return { status }
    }
  }

  it('of strangers lock no connection of a client out that everybody shares', async () => {
    const client = documentedClient(server, await startFileServer(), '/shared.json')
    const refresh = await connected(client, '203.0.113.1')
    const besideStrangers = await connected(client, '203.0.113.2')
    const failing = () => client.token(forgotten(client.clientId), '203.0.113.2')
    expect(await askTimes(allowed + 5, failing)).toEqual({ 400: allowed, 429: 5 })
    expect(await refresh()).toEqual({ status: 200 })
    // The servers of an AI provider send the requests of all its users, good and bad ones.
    expect(await besideStrangers()).toEqual({ status: 200 })
    await server.advance(windowSeconds)
    expect(await failing()).toMatchObject({ status: 400 })
  })

  it('that succeed count for their connection', async () => {
    const client = documentedClient(server, await startFileServer(), '/busy.json')
    const [busy, other] = [await connected(client, '203.0.113.3'), await connected(client, '203.0.113.3')]
    // The exchange of the code was the first one.
    expect(await askTimes(allowed - 1, busy)).toEqual({ 200: allowed - 1 })
    expect(await busy()).toEqual({ status: 429 })
    expect(await other()).toEqual({ status: 200 })
    await server.advance(windowSeconds)
    expect(await busy()).toEqual({ status: 200 })
  })

  it('of an app that registered count for the app', async () => {
    const [client, another] = [await registerClient(server), await registerClient(server)]
    const refresh = await connected(client, '203.0.113.4')
    expect(await askTimes(allowed - 1, () => client.token(forgotten(client.clientId), '203.0.113.5'))).toEqual({
      400: allowed - 1,
    })
    expect(await refresh()).toEqual({ status: 429 })
    expect(await (await connected(another, '203.0.113.4'))()).toEqual({ status: 200 })
  })
})
