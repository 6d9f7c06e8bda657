import type { GatewayEvent } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival, later, typed } from '#testing/features/arrivals.ts'
import { makeNumber, makeNumberKey, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { storeMessages } from '#testing/stored-messages.ts'

const server = await startTestServer({ worker: false })
const { db } = server
const receive = (...events: GatewayEvent[]) => handleGatewayEvents(server.services, events)
const from = (digits: string) => ({ kind: 'phone', digits }) as const

/** An organization with two numbers, the first its default, and the key of the second. */
async function makeTwo() {
  const organization = await makeOrganization(server)
  const { organizationId } = organization
  const first = { organizationId, containerId: await makeNumber(server, organization) }
  const second = { organizationId, containerId: await makeNumber(server, organization) }
  const apiKey = await makeNumberKey(server, organization, second.containerId)
  return { organizationId, first, second, client: server.client(organization), keyed: server.client({ apiKey }) }
}

/** So many people write one text each, the last one last. */
const crowd = (number: { organizationId: string; containerId: string }, count: number) =>
  receive(
    ...Array.from({ length: count }, (_, n) =>
      arrival(number, { from: from(`1404555${String(n).padStart(4, '0')}`), text: `text ${n}` }, later(n)),
    ),
  )

describe('GET /chats', () => {
  it('lists the newest first, 50 by default, at most 200 of up to 500', async () => {
    const { first, client } = await makeTwo()
    await crowd(first, 210)
    const { chats } = await client.chats.list()
    expect(chats).toHaveLength(50)
    expect(chats.map(({ lastMessage }) => lastMessage).slice(0, 3)).toEqual(['text 209', 'text 208', 'text 207'])
    for (const [limit, found] of [
      [1, 1],
      [200, 200],
      [201, 200],
      [500, 200],
    ] as const) {
      expect((await client.chats.list({ limit })).chats).toHaveLength(found)
    }
    for (const limit of [0, 501])
      await expect(client.chats.list({ limit })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('finds a part of a number, as it is typed, or of a name in any case', async () => {
    const { first, client } = await makeTwo()
    await receive(
      arrival(first, { from: from('14045550101'), senderName: 'Zoë O\u2019Neil' }),
      arrival(first, { from: from('14045550102'), senderName: '100%_sure' }, later(1)),
      arrival(first, { from: { kind: 'lid', id: '998877@lid' }, senderName: 'Hidden' }, later(2)),
    )
    const phonesOf = async (search: string) => (await client.chats.list({ search })).chats.map(({ phone }) => phone)
    expect(await phonesOf('+1 (404) 555-0101')).toEqual(['14045550101'])
    expect(await phonesOf('0102')).toEqual(['14045550102'])
    expect(await phonesOf('55501')).toEqual(['14045550102', '14045550101'])
    expect(await phonesOf('zo\u00cb')).toEqual(['14045550101'])
    expect(await phonesOf('zoe\u0308')).toEqual(['14045550101'])
    expect(await phonesOf('%_')).toEqual(['14045550102'])
    expect(await phonesOf('_')).toEqual(['14045550102'])
    expect(await phonesOf('8877')).toEqual(['998877@lid'])
    expect(await phonesOf('998877@lid')).toEqual(['998877@lid'])
    for (const suffix of ['lid', '@lid', '@']) expect(await phonesOf(suffix)).toEqual([])
    expect(await phonesOf('nobody')).toEqual([])
    expect(await phonesOf('')).toHaveLength(3)
  })

  it('finds what stands far behind the newest thousand, and the newest first of what is frequent', async () => {
    const { first, client } = await makeTwo()
    await receive(arrival(first, { from: from('442071234567'), senderName: 'Rare Bird' }, later(-1000)))
    for (let n = 0; n < 1200; n += 400) {
      await receive(
        ...Array.from({ length: 400 }, (_, at) =>
          arrival(first, { from: from(`1405${String(n + at).padStart(7, '0')}`), senderName: 'Usual' }, later(n + at)),
        ),
      )
    }
    expect((await client.chats.list({ search: 'rare b' })).chats).toMatchObject([{ phone: '442071234567' }])
    const { chats } = await client.chats.list({ search: 'usual', limit: 2 })
    expect(chats.map(({ phone }) => phone)).toEqual(['14050001199', '14050001198'])
    expect((await client.chats.list({ search: 'usual', limit: 200 })).chats).toHaveLength(200)
  })

  it('shows what the service sent, with a file named and without its link', async () => {
    const { first, client } = await makeTwo()
    const { messageId } = await client.alert.sendPoll({
      phone: '12025550121',
      question: 'Tea?',
      options: ['yes', 'no'],
    })
    const chatNow = async () => (await client.chats.list()).chats[0]
    expect(await chatNow()).toMatchObject({ lastMessage: '[poll] Tea?', lastDirection: 'out', unread: 0 })
    const become = (kind: string, content: string) =>
      rows(db, 'update messages set kind = :kind, content = :content where id = :messageId', {
        kind,
        content,
        messageId,
      })
    await become('image', '[image] https://files.example/a.png')
    expect(await chatNow()).toMatchObject({ lastMessage: '', lastAttachment: 'Photo' })
    await become('file', 'The invoice')
    expect(await chatNow()).toMatchObject({ lastMessage: 'The invoice', lastAttachment: 'File' })
    await receive(
      arrival(
        first,
        {
          from: from('12025550121'),
          type: 'file',
          text: '',
          media: { mimetype: 'application/pdf', filename: 'offer.pdf', sizeBytes: 9 },
        },
        later(1e9),
      ),
    )
    expect(await chatNow()).toMatchObject({ lastMessage: '', lastAttachment: 'offer.pdf', lastDirection: 'in' })
  })

  it('forgets a deleted campaign’s messages, and the chats that had nothing else', async () => {
    const { organizationId, first, client } = await makeTwo()
    const campaign = await client.campaigns.create({
      name: 'Spring',
      template: 'Hello',
      recipients: [{ phone: '12025550121' }, { phone: '12025550122' }],
    })
    await storeMessages(db, organizationId, {
      type: 'bulk',
      status: 'sending',
      recipient: '12025550121',
      content: 'Hello',
    })
    await storeMessages(db, organizationId, {
      type: 'bulk',
      status: 'sending',
      recipient: '12025550122',
      content: 'Hello',
    })
    await rows(
      db,
      `update messages set campaign_id = :id, container_id = :containerId, status = 'sent', sent_at = service_now(),
              gateway_message_id = network_client_id where organization_id = :organizationId`,
      { id: campaign.campaign.id, containerId: first.containerId, organizationId },
    )
    await receive(arrival(first, { from: from('12025550122'), text: 'Hi' }))
    expect((await client.chats.list()).chats.map(({ lastMessage }) => lastMessage)).toEqual(['Hello', 'Hello'])
    await client.campaigns.delete({ id: campaign.campaign.id })
    expect((await client.chats.list()).chats).toMatchObject([
      { phone: '12025550122', lastMessage: 'Hi', lastDirection: 'in' },
    ])
    expect((await client.chats.thread({ phone: '12025550121' })).messages).toEqual([])
  })

  it('is empty without a number, like the unread messages and every thread', async () => {
    const client = server.client(await makeOrganization(server))
    expect((await client.chats.list()).chats).toEqual([])
    expect((await client.chats.unread()).messages).toEqual([])
    expect(await client.chats.thread({ phone: '14045550101' })).toMatchObject({ phone: '14045550101', messages: [] })
  })

  it('responds with NOT_FOUND for the number of another organization', async () => {
    const client = server.client(await makeOrganization(server))
    const { first } = await makeTwo()
    await expect(client.chats.list({ containerId: first.containerId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('GET /chats/:phone', () => {
  it('shows the last 50 messages by default, the oldest of them first, with their status or type', async () => {
    const { first, client } = await makeTwo()
    const phone = '14045550199'
    await receive(
      ...Array.from({ length: 60 }, (_, n) => arrival(first, { from: from(phone), text: `text ${n}` }, later(n))),
      { ...typed(first, phone, 'typed'), at: later(70) },
    )
    const { messages } = await client.chats.thread({ phone: '+1 404-555-0199' })
    expect(messages).toHaveLength(50)
    expect(messages.at(0)).toEqual({
      id: expect.any(String),
      direction: 'in',
      text: 'text 11',
      at: later(11).toISOString(),
      type: 'chat',
    })
    expect(messages.at(-1)).toMatchObject({ direction: 'out', text: 'typed', status: 'sent' })
    expect((await client.chats.thread({ phone, limit: 500 })).messages).toHaveLength(61)
    await expect(client.chats.thread({ phone, limit: 501 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('is empty for a phone without messages', async () => {
    const { client } = await makeTwo()
    expect(await client.chats.thread({ phone: '14045550188' })).toMatchObject({
      phone: '14045550188',
      name: null,
      messages: [],
    })
    await expect(client.chats.thread({ phone: 'nobody' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('unread messages', () => {
  it('are listed oldest first and stay unread until a caller marks them, each once', async () => {
    const { first, client } = await makeTwo()
    await crowd(first, 5)
    const { messages } = await client.chats.unread({ limit: 3 })
    expect(messages.map(({ text }) => text)).toEqual(['text 0', 'text 1', 'text 2'])
    expect((await client.chats.unread()).messages).toHaveLength(5)
    const ids = messages.map(({ id }) => id)
    expect(await client.chats.ack({ ids: [...ids, ids[0] ?? '', crypto.randomUUID()] })).toMatchObject({ marked: 3 })
    expect(await client.chats.ack({ ids })).toMatchObject({ marked: 0 })
    expect((await client.chats.unread()).messages.map(({ text }) => text)).toEqual(['text 3', 'text 4'])
    expect((await client.chats.list()).chats.map(({ unread }) => unread)).toEqual([1, 1, 0, 0, 0])
  })

  it('of one person are marked at once: on every number for the account, on its own for a number’s key', async () => {
    const { first, second, client, keyed } = await makeTwo()
    const phone = '14045550177'
    await receive(
      arrival(first, { from: from(phone) }),
      arrival(second, { from: from(phone) }),
      arrival(second, { from: from(phone) }, later(1)),
    )
    const own = (await client.chats.unread()).messages.map(({ id }) => id)
    expect(await keyed.chats.ack({ ids: own })).toMatchObject({ marked: 0 })
    expect(await keyed.chats.read({ phone })).toMatchObject({ marked: 2 })
    expect((await keyed.chats.list()).chats).toMatchObject([{ unread: 0 }])
    expect(await client.chats.read({ phone })).toMatchObject({ marked: 1 })
    expect((await client.chats.list()).chats).toMatchObject([{ unread: 0 }])
    expect(await client.chats.read({ phone: '14045550166' })).toMatchObject({ marked: 0 })
  })

  it('are only its own number’s for a number’s key, whatever it requests', async () => {
    const { first, second, keyed } = await makeTwo()
    await receive(
      arrival(first, { from: from('14045550155'), text: 'to the first' }),
      arrival(second, { from: from('14045550155'), text: 'to the second' }),
    )
    const containerId = first.containerId
    expect((await keyed.chats.unread({ containerId })).messages).toMatchObject([{ text: 'to the second' }])
    expect((await keyed.chats.list({ containerId })).chats).toMatchObject([{ lastMessage: 'to the second' }])
    expect((await keyed.chats.thread({ phone: '14045550155', containerId })).messages).toMatchObject([
      { text: 'to the second' },
    ])
  })
})
