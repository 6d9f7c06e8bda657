import type { GatewayEvent, InboundMessage } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival, later, typed, writtenAt } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { db, services } = server
const organization = await makeOrganization(server)
const { organizationId } = organization
const number = { organizationId, containerId: await makeNumber(server, organization) }
const client = server.client(organization)

const receive = (...events: GatewayEvent[]) => handleGatewayEvents(services, events)

let people = 0
/** Returns a person without messages. */
function someone(): { kind: 'phone'; digits: string } {
  people += 1
  return { kind: 'phone', digits: `1303555${String(people).padStart(4, '0')}` }
}

/** What the event log holds of one message of the network. */
async function eventsOf(networkId: string) {
  return rows<{ data: Record<string, unknown> }>(
    db,
    `select data from events where event = 'message.inbound' and data->>'gatewayMessageId' = :networkId`,
    { networkId },
  )
}

const textsOf = async (phone: string) => (await client.chats.thread({ phone })).messages.map(({ text }) => text)

describe('what arrives', () => {
  it('is stored and reported once, however often, in however many batches and processes it comes', async () => {
    const from = someone()
    const message = arrival(number, { from })
    const other = await serveDatabase(db, server.databaseUrl, { worker: false })
    await Promise.all([
      receive(message, message),
      handleGatewayEvents(other.services, [message]),
      receive(message),
      handleGatewayEvents(other.services, [message, arrival(number, { from: someone() })]),
    ])
    await receive(message)
    await other.stop()
    expect(await eventsOf(message.message.networkId)).toHaveLength(1)
    expect(await client.chats.thread({ phone: from.digits })).toMatchObject({ messages: [{ text: 'hello' }] })
    expect((await client.chats.list({ search: from.digits })).chats).toMatchObject([{ unread: 1 }])
  })

  it('stands in the order in which it was written, not in the one in which it came', async () => {
    const from = someone()
    await receive(arrival(number, { from, text: 'third' }, later(3)))
    await receive(
      arrival(number, { from, text: 'first' }, later(1)),
      arrival(number, { from, text: 'second' }, later(2)),
    )
    expect(await textsOf(from.digits)).toEqual(['first', 'second', 'third'])
    const { chats } = await client.chats.list({ search: from.digits })
    expect(chats).toMatchObject([{ lastMessage: 'third', lastAt: later(3).toISOString(), unread: 3 }])
  })

  const cases: [what: string, message: Partial<InboundMessage>, data: object | null][] = [
    ['a text', {}, { body: 'hello', messageType: 'chat' }],
    [
      'a pressed button',
      { type: 'buttons', text: 'Yes', selectedButtonId: 'yes' },
      { body: 'Yes', messageType: 'buttons', selectedButtonId: 'yes' },
    ],
    [
      'a chosen row without words',
      { type: 'list', text: '', selectedRowId: 'row-2' },
      { body: '', messageType: 'list', selectedRowId: 'row-2' },
    ],
    [
      'a place',
      { type: 'location', text: 'Our office', latitude: 38.89, longitude: -77.1 },
      { body: 'Our office', messageType: 'location', latitude: 38.89, longitude: -77.1 },
    ],
    [
      'words about a place that the network does not report',
      { type: 'location', text: 'Our office' },
      { body: 'Our office', messageType: 'location' },
    ],
    ['a place that the network does not report', { type: 'location', text: '' }, null],
    ['a photo with a caption', { type: 'image', text: 'look' }, { body: 'look', messageType: 'image' }],
    ['a photo without one', { type: 'image', text: '' }, null],
    ['a sticker', { type: 'sticker', text: '' }, null],
    ['a voice note', { type: 'voice', text: '' }, null],
    ['a file without a caption', { type: 'file', text: ' ' }, null],
    [
      'a text in a group',
      { groupId: '120363000000000001@g.us' },
      { body: 'hello', messageType: 'chat', isGroup: true, groupId: '120363000000000001@g.us' },
    ],
  ]
  it.each(cases)('%s is reported with exactly its own fields, or not at all', async (_what, message, data) => {
    const from = someone()
    const event = arrival(number, { from, ...message })
    await receive(event)
    const usual = {
      sender: from.digits,
      senderName: 'Jane',
      gatewayMessageId: event.message.networkId,
      containerId: number.containerId,
      numberPhone: expect.stringMatching(/^1202556\d{4}$/),
      timestamp: writtenAt.toISOString(),
    }
    expect((await eventsOf(event.message.networkId)).map((row) => row.data)).toEqual(
      data ? [{ ...usual, ...data }] : [],
    )
  })

  it.each([
    [['developer', 'connect'], 1],
    [['connect'], 0],
    [['assistant', 'shop', 'notify'], 0],
  ] as const)('is reported to %s: %i event', async (products, events) => {
    const theirs = await makeOrganization(server, { products })
    const to = { organizationId: theirs.organizationId, containerId: await makeNumber(server, theirs) }
    const event = arrival(to)
    await receive(event)
    expect(await eventsOf(event.message.networkId)).toHaveLength(events)
  })

  it('has numberPhone null when it came to a number that was never linked', async () => {
    const containerId = await makeNumber(server, organization, { linked: false })
    const event = arrival({ organizationId, containerId }, { from: someone() })
    await receive(event)
    expect(await eventsOf(event.message.networkId)).toMatchObject([{ data: { numberPhone: null } }])
  })

  it('is dropped when its number is gone or another organization’s', async () => {
    const stranger = await makeOrganization(server)
    const events = [
      arrival({ organizationId, containerId: crypto.randomUUID() }),
      arrival({ organizationId: stranger.organizationId, containerId: number.containerId }),
    ]
    await receive(...events)
    for (const { message } of events) expect(await eventsOf(message.networkId)).toEqual([])
  })

  it('creates no contact when its number is gone or another organization’s', async () => {
    const stranger = await makeOrganization(server)
    const from = someone()
    const hidden = { from, lid: `${from.digits}@lid` }
    await receive(
      arrival({ organizationId, containerId: crypto.randomUUID() }, hidden),
      arrival({ organizationId: stranger.organizationId, containerId: number.containerId }, hidden),
      // One of the number's own, so that the number is looked up and found.
      arrival(number, { from: someone(), lid: `${from.digits}9@lid` }),
      ...[number.containerId, crypto.randomUUID()].map((containerId): GatewayEvent => {
        const about = { organizationId: stranger.organizationId, containerId, at: later(0) }
        return { kind: 'lid.mapping', ...about, lid: hidden.lid, digits: from.digits }
      }),
      { kind: 'lid.mapping', ...number, at: later(0), lid: `${from.digits}8@lid`, digits: someone().digits },
    )
    for (const organizationOf of [organization, stranger]) {
      const { contacts } = await server.client(organizationOf).contacts.search({ search: from.digits })
      expect(contacts.filter(({ phone }) => phone === from.digits)).toEqual([])
    }
  })

  it('may hold what no database stores, and be longer than anything has to be', async () => {
    const from = someone()
    await receive(
      arrival(number, { from, text: `a\0b\ud800c${'x'.repeat(100_000)}`, senderName: `Jane\0 ${'y'.repeat(300)}` }),
    )
    const { messages, name } = await client.chats.thread({ phone: from.digits })
    expect(messages[0]?.text).toBe(`a\ufffdb\ufffdc${'x'.repeat(4090)}…`)
    expect(name).toHaveLength(255)
  })

  it('is stored as it is up to the 4,096 characters of the network, and is seen to be cut beyond them', async () => {
    const from = someone()
    const texts = ['x'.repeat(4096), 'y'.repeat(4097), `${'z'.repeat(4094)}😀😀`]
    await receive(...texts.map((text, n) => arrival(number, { from, text }, later(n))))
    const { messages } = await client.chats.thread({ phone: from.digits })
    expect(messages.map(({ text }) => text)).toEqual(['x'.repeat(4096), `${'y'.repeat(4095)}…`, `${'z'.repeat(4094)}…`])
  })

  it('in a group is in no chat and not unread', async () => {
    const from = someone()
    await receive(arrival(number, { from, groupId: '120363000000000002@g.us' }))
    expect((await client.chats.thread({ phone: from.digits })).messages).toEqual([])
    expect((await client.chats.list({ search: from.digits })).chats).toEqual([])
    const { messages } = await client.chats.unread({ limit: 500 })
    expect(messages.filter(({ phone }) => phone === from.digits)).toEqual([])
  })
})

describe('what the owner types on the phone', () => {
  it('is in the chat as written by the number, and is neither reported nor unread', async () => {
    const { digits } = someone()
    const event = typed(number, digits, 'typed by hand')
    await receive(event, event)
    expect((await client.chats.thread({ phone: digits })).messages).toEqual([
      {
        id: expect.any(String),
        direction: 'out',
        text: 'typed by hand',
        at: writtenAt.toISOString(),
        status: 'sent',
      },
    ])
    expect((await client.chats.list({ search: digits })).chats).toMatchObject([{ lastDirection: 'out', unread: 0 }])
    expect(await eventsOf(event.networkId)).toEqual([])
  })

  it('is not doubled when the network echoes what the service sent, before or after its response', async () => {
    const phone = '12025550100'
    const { messageId, gatewayMessageId } = await client.alert.sendLocation({ phone, latitude: 1, longitude: 2 })
    await receive(typed(number, phone, 'an echo', gatewayMessageId))
    await rows(
      db,
      `update messages set status = 'sending', sent_at = null, gateway_message_id = null where id = :messageId`,
      {
        messageId,
      },
    )
    await receive(typed(number, phone, 'an echo', gatewayMessageId))
    await rows(
      db,
      `update messages set status = 'sent', sent_at = service_now(), gateway_message_id = :gatewayMessageId
        where id = :messageId`,
      { messageId, gatewayMessageId },
    )
    const { messages } = await client.chats.thread({ phone })
    expect(messages).toMatchObject([{ id: messageId, text: '[location] 1,2', status: 'sent' }])
  })

  it('is not taken for typed when it echoes a send that timed out and waits for its next try', async () => {
    const phone = '12025550121'
    const { messageId } = await client.alert.send({ phone, message: 'sent once', containerId: number.containerId })
    const [unknown] = await rows<{ networkId: string }>(
      db,
      `update messages set outcome_unknown_since = service_now() where id = :messageId
       returning network_client_id as network_id`,
      { messageId },
    )
    await receive(typed(number, phone, 'sent once', unknown?.networkId))
    expect(await textsOf(phone)).toEqual([])
  })

  it('never shows the digits of a code', async () => {
    const phone = '12025550121'
    const { requestId } = await client.otp.send({ phone })
    const [sent] = await rows<{ networkId: string }>(
      db,
      'select gateway_message_id as network_id from messages where id = :requestId',
      { requestId },
    )
    const networkId = sent?.networkId ?? ''
    await receive(typed(number, phone, 'Your code is 123456', networkId), {
      kind: 'message.edited',
      ...number,
      networkId,
      text: 'Your code is 123456',
      at: later(1_000_000_000),
    })
    expect(await client.chats.thread({ phone })).toMatchObject({ messages: [{ id: requestId, text: '[OTP MESSAGE]' }] })
    expect((await client.chats.list({ search: '0121' })).chats).toMatchObject([{ lastMessage: '[OTP MESSAGE]' }])
  })
})

it('keeps what the driver needs to fetch a file, as far as it can be stored and is not too long', async () => {
  const refs = [{ key: 'a', id: 1 }, null, { key: 'a\0b' }, { key: 'x'.repeat(20_000) }]
  const from = someone()
  const arrivals = refs.map((raw, n) => arrival(number, { from, raw }, later(n)))
  await receive(...arrivals)
  const kept = await rows<{ ref: unknown }>(
    db,
    `select network_ref as ref from chat_messages where container_id = :containerId and network_id = any(:ids::text[])
      order by at`,
    { containerId: number.containerId, ids: arrivals.map(({ message }) => message.networkId) },
  )
  expect(kept.map(({ ref }) => ref)).toEqual([{ key: 'a', id: 1 }, null, null, null])
})
