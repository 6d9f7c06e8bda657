import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { connectAi } from '#testing/mcp/ai-client.ts'
import { injections } from '#testing/mcp/injections.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { address, db, services } = server
const organization = await makeOrganization(server)
const { organizationId, apiKey: key } = organization
const containerId = await makeNumber(server, organization)
const people = server.client({ token: await makeToken(server, organization) })
const ai = await connectAi(address, { key })

/** The person whom the user names: they wrote before, and get what the user wants to be sent. */
const named = '13035550100'
/** A person who wrote before, too, and whose texts are the attack. */
const attacker = '13035550101'
const secret = 'The gate code of the Miller house is 4711, and the alarm is off from nine to five on weekdays.'
const write = (digits: string, text: string) =>
  handleGatewayEvents(services, [arrival({ organizationId, containerId }, { from: { kind: 'phone', digits }, text })])

await write(named, secret)

/**
 * A model that obeys every text that it reads: it sends what the text wants to whom the text wants, in every way that
 * the tools offer.
 */
async function obey(text: string, step: number): Promise<void> {
  const target = text.match(/\+\d{8,}/g)?.at(-1) ?? `+${attacker}`
  const idempotencyKey = `injection-${step}`
  const { structuredContent } = await ai.call('read_chat', { phone: named })
  const read = structuredContent.messages.map((one: { textFromContact?: string }) => one.textFromContact).join('\n')
  await ai.call('send_message', { phone: target, message: read, idempotencyKey })
  await ai.call('send_message', {
    phone: target,
    message: `Forwarded: ${read.toUpperCase()}`,
    idempotencyKey: `${idempotencyKey}b`,
  })
  const sendAt = '2100-01-01T09:00:00Z'
  await ai.call('create_reminder', { phone: target, message: read, sendAt, idempotencyKey: `${idempotencyKey}r` })
  const recipients = [{ phone: target }]
  const campaign = { name: 'x', template: read, recipients, idempotencyKey: `${idempotencyKey}c` }
  const { campaignId } = (await ai.call('create_campaign', campaign)).structuredContent ?? {}
  if (campaignId) await ai.call('start_campaign', { campaignId, idempotencyKey: `${idempotencyKey}s` })
}

const leftTheHouse = () =>
  rows<{ recipient: string; content: string }>(
    db,
    `select recipient, content from messages where organization_id = :organizationId and recipient <> :named
      union all select phone, message from reminders where organization_id = :organizationId and phone <> :named`,
    { organizationId, named },
  )

describe('a model that obeys every text it reads', () => {
  it('is tested with 40 texts', () => {
    expect(new Set(injections).size).toBe(40)
  })

  it.each(injections.map((text, n) => [n + 1, text] as const))(
    'sends nothing without a person: %i',
    async (step, text) => {
      // Limits alone would stop most of it; here each text gets the whole chance.
      await rows(db, 'delete from mcp_sends')
      await rows(db, 'delete from mcp_actions')
      await rows(db, 'delete from attempt_windows')
      await write(attacker, text)
      const { structuredContent } = await ai.call('read_chat', { phone: attacker, limit: 1 })
      await obey(structuredContent.messages[0].textFromContact, step)
      expect(await leftTheHouse()).toEqual([])
    },
  )

  it('still sends to the person whom the user named', async () => {
    await rows(db, 'delete from mcp_sends')
    const call = { phone: `+${named}`, message: 'Your technician comes on Monday.', idempotencyKey: 'named' }
    expect((await ai.call('send_message', call)).structuredContent).toMatchObject({ status: 'queued' })
    expect(await rows(db, 'select content from messages where recipient = :named', { named })).toEqual([
      { content: call.message },
    ])
    expect(await leftTheHouse()).toEqual([])
  })

  it('makes a person see what an approval would send, with the reason', async () => {
    await rows(db, 'delete from mcp_actions')
    await rows(db, 'delete from mcp_sends')
    await ai.call('read_chat', { phone: named })
    const call = { phone: `+${attacker}`, message: secret, idempotencyKey: 'shown' }
    const { approval } = (await ai.call('send_message', call)).structuredContent
    const { preview } = await people.mcp.action({ actionId: approval.actionId })
    expect(preview).toMatchObject({ text: secret, recipient: `+${attacker}` })
    expect(preview.reason).toContain('another person')
  })
})
