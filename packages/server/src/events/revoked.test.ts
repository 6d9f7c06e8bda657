import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })

/** A heartbeat comes after 15 s. */
const beforeHeartbeat = ''

/** Opens a stream over HTTP. The returned function waits for its end, and returns what came until then. */
async function opened(credentials: { apiKey: string } | { token: string }) {
  const headers: Record<string, string> =
    'apiKey' in credentials ? { 'x-api-key': credentials.apiKey } : { authorization: `Bearer ${credentials.token}` }
  const response = await fetch(`${server.baseUrl}/events/stream`, { headers })
  expect(response.status).toBe(200)
  const reader = response.body?.getReader()
  await reader?.read()
  return async () => {
    for (let text = ''; ; ) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) return text
      text += new TextDecoder().decode(value)
    }
  }
}

describe('a stream whose credential ends', () => {
  it('ends at once when the key is regenerated, while another stream continues', async () => {
    const [one, other] = [await makeOrganization(server), await makeOrganization(server)]
    const ended = await opened(one)
    let otherEnded = false
    void (await opened(other))().then(() => {
      otherEnded = true
    })
    await server.client(one).account.regenerateKey()
    expect(await ended()).toBe(beforeHeartbeat)
    expect(otherEnded).toBe(false)
  })

  it.each([
    ['the organization is deactivated', 'update organizations set deactivated_at = service_now() where id = :id'],
    ['the key is deleted', 'delete from api_keys where organization_id = :id'],
  ])('ends at once when %s by another process', async (_why, change) => {
    const one = await makeOrganization(server)
    const ended = await opened(one)
    await rows(server.db, change, { id: one.organizationId })
    expect(await ended()).toBe(beforeHeartbeat)
  })
})
