import { describe, expect, it } from 'vitest'
import { rows } from '../db/db.ts'
import { handleGatewayEvents } from '../process/gateway-events.ts'
import { arrival } from '../testing/features/arrivals.ts'
import { makeNumber, makeOrganization, makeToken } from '../testing/make.ts'
import { connectAi } from '../testing/mcp/ai-client.ts'
import { startTestServer } from '../testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { address, services, db } = server
const organization = await makeOrganization(server)
const { organizationId, apiKey: key } = organization
const containerId = await makeNumber(server, organization)
const people = server.client({ token: await makeToken(server, organization) })
const ai = await connectAi(address, { key })
const friend = '13035550100'
const sendAt = '2100-01-01T09:00:00Z'
await handleGatewayEvents(services, [
  arrival({ organizationId, containerId }, { from: { kind: 'phone', digits: friend }, text: 'hello' }),
])

describe('tools that manage', () => {
  it('mark chats read', async () => {
    expect((await ai.call('mark_read', { phone: friend })).structuredContent).toEqual({ marked: 1 })
    expect((await ai.call('list_unread')).structuredContent.messages).toEqual([])
  })

  it('plan reminders to people who wrote, and cancel them', async () => {
    const call = { phone: friend, message: 'See you.', sendAt, idempotencyKey: 'r1' }
    const { reminderId, status } = (await ai.call('create_reminder', call)).structuredContent
    expect(status).toBe('scheduled')
    expect((await ai.call('list_reminders')).structuredContent).toMatchObject({ total: 1 })
    expect((await ai.call('cancel_reminder', { reminderId })).structuredContent.status).toBe('cancelled')
    const stranger = { ...call, phone: '+13035550777', idempotencyKey: 'r2' }
    expect((await ai.call('create_reminder', stranger)).structuredContent.approval.state).toBe('pending')
  })

  it('prepare campaigns, which a person starts', async () => {
    const draft = {
      name: 'Spring',
      template: 'Hello {{name}}',
      recipients: [
        { phone: '+13035550201', variables: { name: 'Jane' } },
        { phone: '+13035550202', variables: { name: 'José' } },
      ],
      idempotencyKey: 'c1',
    }
    const { campaignId, status } = (await ai.call('create_campaign', draft)).structuredContent
    expect(status).toBe('draft')
    expect((await ai.call('create_campaign', draft)).structuredContent.campaignId).toBe(campaignId)
    const { approval } = (await ai.call('start_campaign', { campaignId, idempotencyKey: 's1' })).structuredContent
    const { preview } = await people.mcp.action({ actionId: approval.actionId })
    expect(preview).toMatchObject({
      people: 2,
      samples: [
        { phone: '13035550201', text: 'Hello Jane' },
        { phone: '13035550202', text: 'Hello José' },
      ],
    })
    expect((await ai.call('get_campaign', { campaignId })).structuredContent.status).toBe('draft')
    expect((await people.mcp.approve({ actionId: approval.actionId })).action.state).toBe('done')
    expect((await ai.call('get_campaign', { campaignId })).structuredContent.status).toBe('sending')
    const unknown = { campaignId: organizationId, idempotencyKey: 's2' }
    expect(await ai.refusal('start_campaign', unknown)).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('are in the activity log as the AI client', async () => {
    const { entries } = await people.activity.list({ actor: 'ai_client' })
    expect(entries.map(({ action, actor }) => [action, actor.kind, actor.id])).toEqual([
      ['campaign.sent', 'ai_client', null],
      ['campaign.created', 'ai_client', null],
    ])
  })
})

describe('secrets', () => {
  it('stand in no answer of a tool', async () => {
    // MCP_CANARY_RUNS=10000 is the whole proof.
    const runs = Number(process.env.MCP_CANARY_RUNS ?? 200)
    await people.webhook.set({ webhookUrl: 'https://example.com/hook' })
    const { requestId } = await people.otp.send({ phone: '+13125550121' })
    const [code] = await rows<{ content: string }>(db, 'select content from messages where id = :requestId', {
      requestId,
    })
    const calls: [string, Record<string, unknown>][] = [
      ['list_numbers', {}],
      ['find_chats', {}],
      ['list_unread', {}],
      ['find_contacts', { search: '1' }],
      ['read_chat', { phone: '+13125550121' }],
      ['get_message', { messageId: requestId }],
      ['list_campaigns', {}],
      ['list_reminders', {}],
    ]
    expect(code?.content).toContain('OTP')
    for (let n = 0; n < runs; n++) {
      if (n % 100 === 0) await rows(db, 'delete from attempt_windows')
      const [name, args] = calls[n % calls.length] ?? ['list_numbers', {}]
      const text = JSON.stringify(await ai.call(name, args))
      expect(text).not.toMatch(/ms[kn]_[0-9a-f]|whsec_|m[ar]t_[0-9a-f]|apiKeyPreview|data:image|\b\d{6}\b is your/)
      expect(text).not.toContain(key.slice(0, 12))
    }
  })
})
