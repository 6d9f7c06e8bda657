import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { byCredential } from '#api/access/limit-key.ts'
import { rows } from '#platform/db/db.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
await server.services.clock.freeze()
const { batchMessages, requestsPerMinute } = limits.mcp

const message = (n: number, params: object = {}) => ({ jsonrpc: '2.0', id: n, method: 'tools/list', params })
const batchOf = (count: number) => Array.from({ length: count }, (_, n) => message(n))

async function post(key: string, body: unknown, revision?: string) {
  const response = await fetch(`${server.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': key,
      ...(revision !== undefined && { 'mcp-protocol-version': revision }),
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

/** Returns how often the organization's key counts as having called in this minute. */
async function counted(organizationId: string): Promise<number> {
  const { bucket } = byCredential('calls of an AI client', { organizationId, credential: 'account' })
  const [window] = await rows<{ attempts: number }>(
    server.db,
    'select attempts from attempt_windows where bucket = :bucket',
    { bucket },
  )
  return window?.attempts ?? 0
}

const invalidRequest = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.any(String) } }

describe('a batch of messages', () => {
  it.each([undefined, '2025-03-26'])(
    'is taken from clients of revision %s, and each message counts',
    async (revision) => {
      const { apiKey, organizationId } = await makeOrganization(server)
      const { status, text } = await post(apiKey, batchOf(batchMessages), revision)
      expect(status).toBe(200)
      for (let n = 0; n < batchMessages; n++) expect(text).toContain(`"id":${n}`)
      expect(await counted(organizationId)).toBe(batchMessages)
    },
  )

  it('is refused when its messages are more than the key may still send in this minute', async () => {
    const { apiKey, organizationId } = await makeOrganization(server)
    const batches = Math.ceil(requestsPerMinute / batchMessages)
    const statuses: number[] = []
    for (let n = 0; n <= batches; n++) statuses.push((await post(apiKey, batchOf(batchMessages))).status)
    expect(statuses).toEqual([...Array<number>(batches).fill(200), 429])
    expect(await counted(organizationId)).toBeGreaterThan(requestsPerMinute)
    const { text } = await post(apiKey, message(1))
    expect(JSON.parse(text).error).toMatchObject({ code: 'RATE_LIMIT', details: { retryAfterSeconds: 60 } })
  })

  it.each<[string, unknown, string?]>([
    ['of 11 messages', batchOf(batchMessages + 1)],
    ['of 100 messages', batchOf(100)],
    ['of none', []],
    ['of revision 2025-06-18', batchOf(2), '2025-06-18'],
    ['of revision 2025-11-25', batchOf(2), '2025-11-25'],
    ['of revision 2026-07-28', batchOf(2), '2026-07-28'],
    ['of one message of a revision without batches', batchOf(1), '2025-06-18'],
    ['of a batch', [batchOf(2)]],
  ])('%s is an invalid request', async (_what, body, revision) => {
    const { apiKey, organizationId } = await makeOrganization(server)
    const { status, text } = await post(apiKey, body, revision)
    expect([status, JSON.parse(text)]).toEqual([400, invalidRequest])
    expect(await counted(organizationId)).toBe(1)
  })

  it('holds no message of the newest revision', async () => {
    const { apiKey } = await makeOrganization(server)
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const { status, text } = await post(apiKey, [message(1), message(2, { _meta })])
    expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: -32_600 } }])
  })
})
