import { newSecretsKeys } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { connectAi } from '#testing/mcp/ai-client.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

const secrets = newSecretsKeys()
const server = await startTestServer({ worker: false, env: { SECRETS_KEYS: secrets } })
const { address, services, db } = server

/** Makes an organization that a person has written to, with an AI client that uses its key. */
async function makeTenant() {
  const organization = await makeOrganization(server)
  const { apiKey: key, organizationId } = organization
  const containerId = await makeNumber(server, organization)
  const friend = '13035550100'
  await handleGatewayEvents(services, [
    arrival({ organizationId, containerId }, { from: { kind: 'phone', digits: friend }, text: 'hello' }),
  ])
  const token = await makeToken(server, organization)
  return {
    organization,
    organizationId,
    friend,
    containerId,
    ai: await connectAi(address, { key }),
    people: server.client({ token }),
  }
}

let keys = 0
const message = (phone: string, text = 'Your order is ready.') => {
  keys += 1
  return { phone, message: text, idempotencyKey: `key-${keys}` }
}
const sentTo = (organizationId: string) =>
  rows<{ recipient: string; content: string }>(
    db,
    'select recipient, content from messages where organization_id = :organizationId order by created_at',
    { organizationId },
  )

describe('send_message', () => {
  it('sends to a person who wrote before, once for each idempotencyKey', async () => {
    const { ai, friend, organizationId } = await makeTenant()
    const call = message(`+${friend}`)
    const first = await ai.call('send_message', call)
    expect(first.structuredContent).toMatchObject({ messageId: expect.any(String), status: 'queued' })
    expect((await ai.call('send_message', call)).structuredContent).toEqual(first.structuredContent)
    expect(await sentTo(organizationId)).toEqual([{ recipient: friend, content: 'Your order is ready.' }])
    expect(await ai.refusal('send_message', { ...call, message: 'Other' })).toMatchObject({ code: 'CONFLICT' })
  })

  it('waits for a person before it sends to a stranger, and is carried out once', async () => {
    const { ai, people, organizationId, containerId } = await makeTenant()
    const call = { ...message('+13035550999'), containerId }
    const { approval } = (await ai.call('send_message', call)).structuredContent
    expect(approval).toMatchObject({
      state: 'pending',
      approvalUrl: `${address}/approve#action=${approval.actionId}`,
    })
    expect((await ai.call('send_message', call)).structuredContent.approval.actionId).toBe(approval.actionId)
    expect(await sentTo(organizationId)).toEqual([])
    const shown = await people.mcp.action({ actionId: approval.actionId })
    expect(shown.preview).toMatchObject({ recipient: '+13035550999', text: 'Your order is ready.', people: 1 })

    const { action } = await people.mcp.approve({ actionId: approval.actionId })
    expect(action).toMatchObject({ state: 'done', decidedBy: { name: 'Owner' }, result: { status: 'queued' } })
    expect(await sentTo(organizationId)).toHaveLength(1)
    await expect(people.mcp.approve({ actionId: approval.actionId })).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'not_pending' },
    })
    const repeated = (await ai.call('send_message', call)).structuredContent
    expect(repeated).toMatchObject({ messageId: action.result?.messageId, approval: { state: 'done' } })
    expect((await ai.call('get_action', { actionId: approval.actionId })).structuredContent.state).toBe('done')
    expect(await sentTo(organizationId)).toHaveLength(1)
    const [row] = await rows<{ sealed: string | null }>(
      db,
      'select arguments_sealed as sealed from mcp_actions where organization_id = :organizationId',
      { organizationId },
    )
    expect(row?.sealed).toBeNull()
  })

  it('is not carried out when a person denies it, or no person decides within 15 minutes', async () => {
    const { ai, people, organizationId } = await makeTenant()
    const { approval } = (await ai.call('send_message', message('+13035550998'))).structuredContent
    expect((await people.mcp.deny({ actionId: approval.actionId })).action.state).toBe('denied')
    const late = (await ai.call('send_message', message('+13035550997'))).structuredContent.approval
    await server.advance(901)
    await expect(people.mcp.approve({ actionId: late.actionId })).rejects.toMatchObject({ code: 'FORBIDDEN_ACTION' })
    expect((await people.mcp.actions({ state: 'expired' })).actions.map(({ id }) => id)).toEqual([late.actionId])
    expect(await sentTo(organizationId)).toEqual([])
  })

  it('is carried out once when two people approve in two processes', async () => {
    const { ai, organization, organizationId } = await makeTenant()
    const { approval } = (await ai.call('send_message', message('+13035550996'))).structuredContent
    const other = await serveDatabase(db, server.databaseUrl, { worker: false, env: { SECRETS_KEYS: secrets } })
    const token = await makeToken(server, organization, 'admin')
    const settled = await Promise.allSettled(
      [server, other, server, other].map((one) => one.client({ token }).mcp.approve({ actionId: approval.actionId })),
    )
    await other.stop()
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await sentTo(organizationId)).toHaveLength(1)
  })

  it('asks for everyone when the organization wants it, and for what would fail not at all', async () => {
    const { ai, people, friend } = await makeTenant()
    await people.mcp.setSettings({ approve: 'all' })
    expect((await ai.call('send_message', message(friend))).structuredContent.approval.state).toBe('pending')
    expect(await ai.refusal('send_message', message(friend, ' '))).toMatchObject({ code: 'VALIDATION_ERROR' })
    const unknown = { ...message(friend), containerId: '0190b1a1-0c2d-7b3e-8f44-5a6b7c8da001' }
    expect(await ai.refusal('send_message', unknown)).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is limited to 5 a minute, and to what the organization allows in an hour', async () => {
    const { ai, people, friend } = await makeTenant()
    for (let n = 0; n < 5; n++) await ai.call('send_message', message(friend))
    expect(await ai.refusal('send_message', message(friend))).toMatchObject({
      code: 'RATE_LIMIT',
      details: { retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 60) },
    })
    await people.mcp.setSettings({ sendsPerHour: 6 })
    await server.advance(61)
    await ai.call('send_message', message(friend))
    const refused = await ai.refusal('send_message', message(friend))
    expect(refused.details.retryAfterSeconds).toBeGreaterThan(3000)
    await people.mcp.setSettings({ sendsPerHour: 0 })
    expect(await ai.refusal('send_message', message(friend))).toMatchObject({ code: 'RATE_LIMIT' })
  })

  it('lets 20 actions of a client wait', async () => {
    const { ai } = await makeTenant()
    await Promise.all(Array.from({ length: 20 }, (_, n) => ai.call('send_message', message(`+1303556${1000 + n}`))))
    expect(await ai.refusal('send_message', message('+13035569999'))).toMatchObject({
      code: 'RATE_LIMIT',
      details: { reason: 'too_many_pending' },
    })
  })
})

describe('what an organization decides', () => {
  it('can turn AI clients off, and take scopes from keys', async () => {
    const { ai, people, friend } = await makeTenant()
    await people.mcp.setSettings({ keyScopes: ['read'] })
    expect((await ai.client.listTools()).tools.map(({ name }) => name)).not.toContain('send_message')
    expect(await ai.refusal('send_message', message(friend))).toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'scope' },
    })
    await people.mcp.setSettings({ enabled: false })
    await expect(ai.call('list_numbers')).rejects.toThrow()
  })

  it('takes what writes from a client that only reads', async () => {
    const { organization, friend } = await makeTenant()
    for (const readonly of [{ headers: { 'X-MCP-Readonly': 'true' } }, { query: '?readonly=1' }]) {
      const ai = await connectAi(address, { key: organization.apiKey, ...readonly })
      expect((await ai.client.listTools()).tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
      expect(await ai.refusal('send_message', message(friend))).toMatchObject({ code: 'FORBIDDEN_ACTION' })
    }
  })

  it('sees each call without its texts, and each decision in the activity log', async () => {
    const { ai, people, friend } = await makeTenant()
    await ai.call('send_message', message(friend, 'a secret text'))
    await ai.refusal('read_chat', { phone: 'x' })
    const { approval } = (await ai.call('send_message', message('+13035550995'))).structuredContent
    await people.mcp.deny({ actionId: approval.actionId })
    const { calls } = await people.mcp.calls({})
    expect(calls).toMatchObject([
      { tool: 'send_message', outcome: 'waiting', phone: '…0995', connection: { id: null, name: 'account key' } },
      { tool: 'read_chat', outcome: 'failed', code: 'VALIDATION_ERROR' },
      { tool: 'send_message', outcome: 'ok', phone: '…0100' },
    ])
    expect(JSON.stringify(calls)).not.toContain('secret')
    const page = await people.mcp.calls({ tool: 'send_message', limit: 1 })
    expect((await people.mcp.calls({ tool: 'send_message', cursor: page.nextCursor ?? '' })).calls).toHaveLength(1)
    expect((await people.activity.list({ action: 'ai_action' })).entries).toMatchObject([
      { action: 'ai_action.denied' },
    ])
  })
})
