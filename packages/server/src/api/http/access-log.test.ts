import { describe, expect, it } from 'vitest'
import { makeTenant, startEdge } from '#testing/features/http-edge.ts'

const lines: string[] = []
const edge = await startEdge(
  { chats: { thread: async ({ params }) => ({ phone: params.phone, name: null, messages: [] }) } },
  { onLog: (line) => lines.push(line) },
)

/** The line of one request; it is written when the answer has left, a moment after the caller has it. */
async function lineOf(requestId: string | null) {
  for (;;) {
    const line = lines.map((text) => JSON.parse(text)).find((each) => each.requestId === requestId)
    if (line) return line
    await new Promise(setImmediate)
  }
}

describe('the log of requests', () => {
  it('has a line for each, with the route as a template', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    const { headers } = await edge.call('GET', '/chats/12025550100?limit=7', {
      key,
      headers: { 'X-Request-Id': 'from-the-caller' },
    })
    expect(await lineOf(headers.get('x-request-id'))).toMatchObject({
      msg: 'request',
      inboundId: 'from-the-caller',
      route: 'GET /chats/:phone',
      status: 200,
      duration_ms: expect.any(Number),
      organizationId,
    })
  })

  it('has the code of an error, and no inbound id of an odd form', async () => {
    const { headers } = await edge.call('GET', '/chats/12025550100', { headers: { 'X-Request-Id': 'a b' } })
    const line = await lineOf(headers.get('x-request-id'))
    expect(line).toMatchObject({ status: 401, error_code: 'AUTH_ERROR' })
    expect(line).not.toHaveProperty('inboundId')
  })

  it('holds neither keys nor phones nor the query', async () => {
    const { key } = await makeTenant(edge.db)
    const { headers } = await edge.call('GET', '/chats/12025550177?limit=9&search=canary', { key })
    await lineOf(headers.get('x-request-id'))
    const all = lines.join('')
    for (const secret of [key, '12025550177', 'canary', 'limit=9']) expect(all).not.toContain(secret)
  })
})
