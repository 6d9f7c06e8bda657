import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { eventually } from '#testing/eventually.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { codeTo } from '#testing/features/otp.ts'
import { makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import type { Canary } from '#testing/matrix/canaries.ts'
import { connectAi } from '#testing/mcp/ai-client.ts'
import { registerClient } from '#testing/mcp/consent.ts'
import { startTestServer } from '#testing/start-server.ts'

/** MCP_CANARY_RUNS=10000 (`npm run proof -- mcp-canary`) is the whole proof. */
const runs = Number(process.env.MCP_CANARY_RUNS ?? 200)

const server = await startTestServer()
const { address, services, db } = server
const organization = await makeOrganization(server)
const { organizationId, apiKey } = organization
const containerId = await makeNumber(server, organization)
const session = await makeToken(server, organization)
const people = server.client({ token: session })
const friend = '13035550100'
const phone = '13125550121'

/** Returns every secret of the organization, the codes and the QR included. */
async function plantSecrets(): Promise<Canary[]> {
  const numberKey = await makeNumberKey(server, organization, containerId)
  const { signingSecret } = await people.webhook.set({ webhookUrl: 'https://example.com/hook/a-secret-path' })
  const oauth = await registerClient(server)
  const tokens = await oauth.connect({ token: session, scopes: ['read', 'send', 'manage'] })
  const waiting = await makeNumber(server, organization, { label: 'Waiting', linked: false })
  const { qr } = (await eventually(
    () => people.numbers.qr({ containerId: waiting, format: 'raw' }).catch(() => ({})),
    (found) => 'qr' in found,
  )) as { qr: { text: string } }
  await people.otp.send({ phone: `+${phone}`, containerId })
  const code = await codeTo(server, containerId, phone)
  return [
    ['the account key', apiKey],
    ['the preview of the account key', apiKey.slice(0, 12)],
    ['the key of a number', numberKey],
    ['the preview of that key', numberKey.slice(0, 12)],
    ['the secret of the webhook', signingSecret ?? 'whsec_'],
    ['the path of the webhook', 'a-secret-path'],
    ['the session', session],
    ['the access token', tokens.access_token],
    ['the refresh token', tokens.refresh_token],
    ['the QR', qr.text],
    ['the code', code],
  ]
}

it(`lets no secret, QR, preview of a key or code into ${runs} results of tools`, { timeout: 3_600_000 }, async () => {
  const secrets = await plantSecrets()
  await handleGatewayEvents(services, [
    arrival({ organizationId, containerId }, { from: { kind: 'phone', digits: friend }, text: 'hello' }),
  ])
  const ai = await connectAi(address, { key: apiKey })
  const sendAt = '2100-01-01T09:00:00Z'
  const messages = await rows<{ id: string }>(db, 'select id from messages where organization_id = :organizationId', {
    organizationId,
  })
  const calls: [name: string, args: (n: number) => Record<string, unknown>][] = [
    ['list_numbers', () => ({})],
    ['find_chats', () => ({})],
    ['list_unread', () => ({})],
    ['find_contacts', () => ({ search: '1' })],
    ['read_chat', (n) => ({ phone: n % 2 === 0 ? phone : friend })],
    ['get_message', (n) => ({ messageId: messages[n % messages.length]?.id })],
    ['check_numbers', () => ({ phones: [`+${friend}`] })],
    ['list_campaigns', () => ({})],
    ['list_reminders', () => ({})],
    ['get_campaign', () => ({ campaignId: organizationId })],
    ['get_action', () => ({ actionId: organizationId })],
    ['send_message', (n) => ({ phone: `+${friend}`, message: `hello ${n}`, idempotencyKey: `send-${n}` })],
    ['send_message', (n) => ({ phone: '+13035550777', message: 'hello', idempotencyKey: `wait-${n % 5}` })],
    ['create_reminder', (n) => ({ phone: friend, message: 'hello', sendAt, idempotencyKey: `remind-${n % 5}` })],
    ['cancel_reminder', () => ({ reminderId: organizationId })],
    ['mark_read', () => ({ phone: friend })],
    ['read_chat', () => ({ phone: apiKey })],
  ]
  const leaked: string[] = []
  for (let n = 0; n < runs; n += 1) {
    // An AI client may make 120 requests a minute.
    if (n % 100 === 0) await rows(db, 'delete from attempt_windows')
    const [name, args] = calls[n % calls.length] as (typeof calls)[number]
    const answer = JSON.stringify(await ai.call(name, args(n)))
    for (const [what, secret] of secrets) if (answer.includes(secret)) leaked.push(`${what} in ${name}`)
    expect(answer).not.toMatch(/ms[kn]_[0-9a-f]|whsec_|m[ar]t_[0-9a-f]|apiKeyPreview|data:image/)
  }
  expect(leaked).toEqual([])
})
