import { describe, expect, it } from 'vitest'
import { hashCredential } from '#api/access/authenticate.ts'
import { endAccess } from '#api/access/end-access.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { mailsTo, makePerson, type Person } from '#testing/features/person.ts'
import { teamsOn } from '#testing/features/team.ts'
import { startFileServer } from '#testing/file-server.ts'
import { answerRequest, documentedClient, openAuthorization, registerClient } from '#testing/mcp/consent.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const { db } = server
const { makeOwner, joined } = teamsOn(server)

describe('the mail about a new AI client', () => {
  const mailed = async ({ email }: Person) =>
    (await mailsTo(server, email)).filter(({ kind }) => kind === 'ai_client_connected').length

  it('goes to each person who allows it, and once', async () => {
    const client = documentedClient(server, await startFileServer(), '/shared.json')
    const owner = await makeOwner()
    const colleague = await joined(owner)
    await client.connect(owner)
    expect([await mailed(owner), await mailed(colleague)]).toEqual([1, 0])
    await client.connect(colleague)
    expect([await mailed(owner), await mailed(colleague)]).toEqual([1, 1])
    await client.connect(colleague)
    expect(await mailed(colleague)).toBe(1)
  })
})

describe('a session that ends while it makes other access', () => {
  /** Ends all access of a person, and commits when `call` waits for that. Returns what the call responds with. */
  async function endDuring({ userId }: Person, call: () => Promise<Response>): Promise<Response> {
    const responded = await transaction(db, async (trx) => {
      await endAccess(trx, { userId, organizationId: null, keep: hashCredential('another session') })
      const response = call()
      await eventually(
        () =>
          rows(db, `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
        (waiting) => waiting.length > 0,
      )
      // Not awaited here, because it waits for the commit.
      return { response }
    })
    return responded.response
  }

  it('allows no AI client', async () => {
    const person = await makePerson(server)
    const client = await registerClient(server)
    const asked = await openAuthorization(client.authorizeUrl())
    const { token } = person
    const body = { scopes: ['read'], containerId: null }
    const response = await endDuring(person, () => answerRequest(server, asked, '/approve', { token, body }))
    expect(response.status).toBe(401)
    expect(await rows(db, 'select id from mcp_connections where user_id = :userId', { ...person })).toEqual([])
  })

  it('makes no code for the console', async () => {
    const person = await makePerson(server)
    const headers = { authorization: `Bearer ${person.token}` }
    const response = await endDuring(person, () =>
      fetch(`${server.baseUrl}/auth/console-code`, { method: 'POST', headers }),
    )
    expect(response.status).toBe(401)
    expect(
      await rows(db, `select kind from account_links where user_id = :userId and kind = 'welcome'`, { ...person }),
    ).toEqual([])
  })
})
