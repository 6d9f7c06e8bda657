import { verify } from '@msgctl/webhook-verifier'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeAssistantOf, strictData } from '#testing/features/assistant.ts'
import { startModelServer } from '#testing/features/model-server.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const model = await startModelServer()
const ai = { AI_URL: model.url, AI_MODEL: 'fake', AI_PRICE_IN: '1', AI_PRICE_OUT: '1' }
const server = await startTestServer({ env: ai })
await server.services.clock.freeze()

/** Business hours that are over at every time. */
const closed = { timeZone: 'UTC', week: [] }
const shop = { enabled: true, currency: 'EUR', askName: false, askAddress: false }
const unknown = ['xylophone tuning']
const person = ['I want to speak to someone please']

type Input = Parameters<typeof makeAssistantOf>[2]

/** What happens, what is written, the event, and which of `lang` and `reason` it has. */
const cases: [string, Input, texts: readonly string[], event: string, optional: Record<string, string>][] = [
  ['an unknown question', {}, unknown, 'bot.needs_review', { lang: 'en' }],
  ['a handoff', {}, person, 'bot.handoff', { lang: 'en' }],
  ['a third failure', {}, ['trombone', 'violin', 'guitar'], 'bot.handoff', { lang: 'en' }],
  ['a handoff outside business hours', { hours: closed }, person, 'bot.handoff', { reason: 'away' }],
  [
    'a question outside business hours',
    { hours: closed, outsideHours: 'away' },
    unknown,
    'bot.needs_review',
    { reason: 'away' },
  ],
  ['a used up allowance', {}, unknown, 'bot.needs_review', { lang: 'en', reason: 'ai_quota' }],
]

describe('a webhook receiver', () => {
  it.each(cases)('is sent %s', async (name, input, texts, event, optional) => {
    model.mood = 'wrong ids'
    const receiver = await startReceiver()
    const organization = await makeOrganization(server, { granted: false })
    const { client, customer, botId } = await makeAssistantOf(server, organization, input)
    const { signingSecret } = await client.webhook.set({ webhookUrl: receiver.url })
    if (name === 'a used up allowance') await useUpAllowance(organization.organizationId)
    const jane = customer()
    for (const text of texts) await jane.says(text)
    const bodies = () => receiver.received.map(({ body }) => JSON.parse(body)).filter((one) => one.event === event)
    await expect.poll(bodies).toHaveLength(1)
    const request = receiver.received.find(({ body }) => JSON.parse(body).event === event)
    const now = () => server.services.clock.now().getTime()
    const { data } = await verify(request?.body ?? '', request?.headers ?? {}, signingSecret ?? '', { now })
    const given = { botId, conversationId: expect.any(String), contactPhone: jane.phone, question: texts.at(-1) }
    expect(strictData(event, data)).toEqual({ ...given, ...optional, timestamp: expect.any(String) })
  })

  it('is sent an order', async () => {
    const receiver = await startReceiver()
    const organization = await makeOrganization(server, { granted: false })
    const { client, customer, botId } = await makeAssistantOf(server, organization, { shop })
    await client.bots.addProduct({ botId, name: 'Cake', price: 4 })
    await client.webhook.set({ webhookUrl: receiver.url })
    const jane = customer()
    for (const text of ['2 cake', 'order', 'yes']) await jane.says(text)
    const orders = () =>
      receiver.received.map(({ body }) => JSON.parse(body)).filter((one) => one.event === 'commerce.order')
    await expect.poll(orders).toHaveLength(1)
    const placed = { botId, contactPhone: jane.phone, orderNumber: '1001', total: 8, currency: 'EUR' }
    expect(strictData('commerce.order', orders()[0].data)).toEqual({ ...placed, timestamp: expect.any(String) })
  })
})

async function useUpAllowance(organizationId: string): Promise<void> {
  await rows(
    server.db,
    `insert into ai_usage (organization_id, period, used_micro_usd) values (:organizationId, 'trial', 2000000)`,
    { organizationId },
  )
}
