import { describe, expect, it } from 'vitest'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { connectAi } from '#testing/mcp/ai-client.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { address, services } = server
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
    const named = { ...call, message: 'Dear {{name}}', sendAt: '2099-01-01T09:00', timeZone: 'Asia/Tokyo' }
    const missing = await ai.call('create_reminder', { ...named, idempotencyKey: 'r3' })
    expect(JSON.stringify(missing)).toContain('must have a value for {{name}}')
    const filled = { ...named, variables: { name: 'Jane' }, idempotencyKey: 'r4' }
    expect((await ai.call('create_reminder', filled)).structuredContent).toMatchObject({
      status: 'scheduled',
      sendAt: '2099-01-01T00:00:00.000Z',
    })
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
