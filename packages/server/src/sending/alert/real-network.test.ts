import { GatewayError } from '@msgctl/network/errors'
import type { Gateway, NetAddress } from '@msgctl/network/gateway'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { applyReceipts } from '#sending/messages/receipts/receipt.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { rebuildContent } from './forward.ts'

const server = await startTestServer()
const { services, db } = server
const { gateway } = services
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)
const { organizationId } = organization
const phone = '12025550121'

/** Replaces calls of the network for one test. */
function network(change: Partial<Gateway>) {
  const original = { ...gateway }
  Object.assign(gateway, change)
  onTestFinished(() => void Object.assign(gateway, original))
}

/** What sends nothing, and notes where it should have gone. */
function noting() {
  const sent: NetAddress[] = []
  const send: Gateway['send'] = async (_session, to, _content, { clientId }) => {
    sent.push(to)
    return { ref: { networkId: clientId, chat: to, raw: null }, status: 'sent' }
  }
  return {
    sent,
    send,
    forward: (session, to, _message, { fallback: _, ...options }) => send(session, to, text, options),
  } as {
    sent: NetAddress[]
    send: Gateway['send']
    forward: Gateway['forward']
  }
}
const text = { kind: 'text', text: 'x' } as const

async function blockedUntil(): Promise<Date | null> {
  const [number] = await rows<{ at: Date | null }>(
    db,
    'select blocked_until as at from numbers where organization_id = :organizationId and id = :containerId',
    { organizationId, containerId },
  )
  return number?.at ?? null
}

describe('a network that lets the account begin no new chats', () => {
  it.each([
    ['a day', undefined, 24 * 3600],
    ['the time that it names', 7200, 7200],
  ])('fails the message at once, and blocks the number for %s', async (_what, seconds, expected) => {
    await rows(db, 'update numbers set blocked_until = null where organization_id = :organizationId', {
      organizationId,
    })
    const now = services.clock.now().getTime()
    const until = seconds === undefined ? {} : { blockedUntil: new Date(now + seconds * 1000) }
    let calls = 0
    network({
      send: async () => {
        calls += 1
        throw new GatewayError('new_chat_refused', 'The network lets this number begin no new chats now.', until)
      },
    })
    const { messageId } = await client.alert.send({ phone, message: 'hello', priority: 'high' })
    const { message } = await eventually(
      () => client.messages.get({ id: messageId }),
      (answer) => answer.message.status === 'failed',
    )
    expect(message).toMatchObject({
      errorCode: 'GATEWAY_ERROR',
      error: 'The network lets this number begin no new chats now.',
      attempts: 1,
    })
    expect(calls).toBe(1)
    const blockedSeconds = ((await blockedUntil())?.getTime() ?? 0) / 1000 - now / 1000
    expect(blockedSeconds).toBeGreaterThan(expected - 1)
    expect(blockedSeconds).toBeLessThan(expected + 60)
  })

  it('says so to the caller of a direct send', async () => {
    await rows(db, 'update numbers set blocked_until = null where organization_id = :organizationId', {
      organizationId,
    })
    network({
      send: async () => {
        throw new GatewayError('new_chat_refused', 'The network lets this number begin no new chats now.')
      },
    })
    await expect(client.alert.sendLocation({ phone, latitude: 1, longitude: 2 })).rejects.toMatchObject({
      code: 'GATEWAY_ERROR',
      details: { reason: 'new_chat_refused', outcome: 'not_sent' },
    })
    expect(await blockedUntil()).not.toBeNull()
  })
})

describe('the address of a recipient', () => {
  const asked = '5511987654321'
  const own = '551187654321'

  it('is the one that the network gave at the check, in the queue, in direct sends and in forwards', async () => {
    network({
      check: async (_session, digits) => new Map(digits.map((one) => [one, { exists: true, address: address(own) }])),
    })
    const noted = noting()
    network({ send: noted.send, forward: noted.forward })
    const { messageId } = await client.alert.send({ phone: asked, message: 'hello', priority: 'high' })
    await eventually(
      () => client.messages.get({ id: messageId }),
      ({ message }) => message.status === 'sent',
    )
    await client.alert.sendLocation({ phone: asked, latitude: 1, longitude: 2 })
    await client.alert.forward({ messageId, phone: asked })
    expect(noted.sent).toEqual([address(own), address(own), address(own)])
    expect((await client.messages.get({ id: messageId })).message.recipient).toBe(asked)
  })

  it('is the one of the message in later changes', async () => {
    const chats: NetAddress[] = []
    const noted = noting()
    network({
      send: noted.send,
      edit: async (_session, { chat }, _text, { timeoutMs }) => {
        expect(timeoutMs).toBeGreaterThan(0)
        chats.push(chat)
      },
      revoke: async (_session, { chat }) => void chats.push(chat),
    })
    const { messageId } = await client.alert.send({ phone: asked, message: 'hello', priority: 'high' })
    await eventually(
      () => client.messages.get({ id: messageId }),
      ({ message }) => message.status === 'sent',
    )
    await client.alert.edit({ messageId, message: 'hello again' })
    await client.alert.delete({ messageId })
    expect(chats).toEqual([address(own), address(own)])
  })

  function address(digits: string) {
    return { kind: 'phone', digits } as const
  }
})

describe('a message that reached a phone', () => {
  async function known(recipient: string) {
    return rows<{ onNetwork: boolean; days: number }>(
      db,
      `select on_network,
         round(extract(epoch from valid_until - (select service_now())) / 86400)::int as days
         from recipient_checks where organization_id = :organizationId and digits = :recipient`,
      { organizationId, recipient },
    )
  }

  it.each([
    ['real', 'other', [{ onNetwork: true, days: 30 }]],
    ['simulated', 'simulator', []],
  ])('is as good as a check on a %s network: %s', async (_what, name, expected) => {
    const number = await makeNumber(server, organization)
    await rows(db, 'update numbers set gateway = :name where organization_id = :organizationId and id = :number', {
      name,
      organizationId,
      number,
    })
    const recipient = `1202555${name === 'other' ? '7001' : '7002'}`
    const networkId = crypto.randomUUID()
    await rows(
      db,
      `insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                             network_client_id, gateway_message_id, sent_at, due_at, queue_at, created_at)
       select gen_random_uuid(), :organizationId, :number, 'alert', 'text', :recipient, 'x', 'normal', 'sent',
              :networkId, :networkId, now, now, now, now from (select service_now() as now) t`,
      { organizationId, number, recipient, networkId },
    )
    const receipt = {
      containerId: number,
      networkId,
      status: 'delivered',
      at: services.clock.now(),
      error: null,
    } as const
    await applyReceipts(services, [receipt])
    expect(await known(recipient)).toEqual(expected)
  })
})

it.each([
  [
    { kind: 'text', content: 'hello' },
    { kind: 'text', text: 'hello', linkPreview: true },
  ],
  [
    { kind: 'link', content: 'see https://a.example' },
    { kind: 'text', text: 'see https://a.example', linkPreview: true },
  ],
  [
    { kind: 'location', content: '[location] 1.5,-2' },
    { kind: 'location', latitude: 1.5, longitude: -2 },
  ],
  [
    { kind: 'location', content: '[location] 1e-7,2 Our office' },
    { kind: 'location', latitude: 1e-7, longitude: 2, name: 'Our office' },
  ],
  [{ kind: 'location', content: 'no label' }, null],
  [{ kind: 'image', content: '[image] https://a.example/a.png' }, null],
  [{ kind: 'poll', content: '[poll] Tea?' }, null],
] as const)('rebuilds %o for a forward', (message, content) => {
  expect(rebuildContent(message)).toEqual(content)
})
