import { describe, expect, it } from 'vitest'
import { toLid } from '#networks/simulator/people/lid.ts'
import { rows } from '#platform/db/db.ts'
import { testsDirect } from '#testing/direct/test-gateway.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { testedEngine } from '#testing/waha/test-gateway.ts'

/** Real networks report the hidden id of every person, the simulator those of some. */
const hiddenId = testedEngine === null && !testsDirect ? {} : { lid: expect.stringMatching(/@lid$/) }

const server = await startTestServer()
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)
// Everything happens at one moment, so that a reply never seems older than the message before it.
await server.services.clock.freeze()
const [number] = await rows<{ phone: string }>(server.db, 'select phone_number as phone from numbers where id = :id', {
  id: containerId,
})

/** The events of a kind about one person, as the event log of the API shows them. */
async function eventsOf(event: 'message.inbound' | 'poll.vote' | 'message.delivered' | 'message.read', person: string) {
  const { events } = await client.events.list({ types: event, limit: 500 })
  return events.filter(({ data }) => JSON.stringify(data).includes(person))
}

/** Sends a text and returns the thread once it holds as many messages. */
async function converse(phone: string, messages: number) {
  await client.alert.send({ phone, message: 'are you there?' })
  return eventually(
    () => client.chats.thread({ phone }),
    (thread) => thread.messages.length >= messages,
  )
}

const chatOf = async (search: string) => (await client.chats.list({ search })).chats

describe('people who reply', () => {
  it('0130 echoes: both messages are in the thread, the reply is unread and reported as an event', async () => {
    const phone = '12025550130'
    const thread = await converse(phone, 2)
    expect(thread).toMatchObject({ phone, name: 'Sim 0130' })
    expect(thread.messages).toMatchObject([
      { direction: 'out', text: 'are you there?' },
      { direction: 'in', text: 'are you there?', type: 'chat' },
    ])
    const [sent, answer] = thread.messages
    const listed = await client.messages.get({ id: sent?.id ?? '' })
    expect(listed.message.content).toBe('are you there?')
    const [reported, ...more] = await eventsOf('message.inbound', phone)
    expect(more).toEqual([])
    expect(reported?.data).toEqual({
      sender: phone,
      senderName: 'Sim 0130',
      body: 'are you there?',
      messageType: 'chat',
      gatewayMessageId: expect.any(String),
      containerId,
      numberPhone: number?.phone,
      timestamp: answer?.at,
    })
    expect(await chatOf('0130')).toEqual([
      {
        containerId,
        phone,
        name: 'Sim 0130',
        lastMessage: 'are you there?',
        lastDirection: 'in',
        lastAt: answer?.at,
        unread: 1,
        ...hiddenId,
      },
    ])
    const { messages } = await client.chats.unread()
    expect(messages.filter((one) => one.phone === phone)).toEqual([
      { id: answer?.id, containerId, phone, name: 'Sim 0130', text: 'are you there?', type: 'chat', at: answer?.at },
    ])
  })

  it('0131 replies STOP and is opted out', async () => {
    await converse('12025550131', 2)
    const { contacts } = await client.contacts.search({ search: '0131' })
    expect(contacts).toMatchObject([{ phone: '12025550131', name: 'Sim 0131', optedOut: true, saved: false }])
  })

  it('0132 replies 1, which decides nothing', async () => {
    const { messages } = await converse('12025550132', 2)
    expect(messages[1]).toMatchObject({ text: '1' })
    expect((await client.contacts.search({ search: '0132' })).contacts).toMatchObject([{ optedOut: false }])
    expect(await eventsOf('message.inbound', '12025550132')).toMatchObject([{ data: { body: '1' } }])
  })

  it('0133 votes in a poll: an event and no message', async () => {
    const phone = '12025550133'
    await client.alert.sendPoll({ phone, question: 'Tea?', options: ['yes', 'no'] })
    await eventually(
      () => eventsOf('poll.vote', phone),
      (events) => events.length === 1,
    )
    expect((await client.chats.thread({ phone })).messages).toMatchObject([{ direction: 'out', text: '[poll] Tea?' }])
    expect(await chatOf('0133')).toMatchObject([{ lastDirection: 'out', unread: 0 }])
  })

  it('0134 sends a location, with its coordinates in the event', async () => {
    const { messages } = await converse('12025550134', 2)
    expect(messages[1]).toMatchObject({ type: 'location', text: '[location] 38.8895,-77.0353' })
    const [reported] = await eventsOf('message.inbound', '12025550134')
    expect(reported?.data).toMatchObject({ messageType: 'location', body: '', latitude: 38.8895, longitude: -77.0353 })
  })

  it('0135 sends a voice note, which is stored and not reported as an event', async () => {
    const { messages } = await converse('12025550135', 2)
    expect(messages[1]).toMatchObject({ direction: 'in', type: 'voice', text: '' })
    expect(await chatOf('0135')).toMatchObject([{ lastMessage: '', lastAttachment: 'Voice note', unread: 1 }])
    expect(await eventsOf('message.inbound', '12025550135')).toEqual([])
  })

  it('0136 sends a photo without a caption, which is stored and not reported as an event', async () => {
    const { messages } = await converse('12025550136', 2)
    expect(messages[1]).toMatchObject({ direction: 'in', type: 'image', text: '' })
    expect(await chatOf('0136')).toMatchObject([{ lastMessage: '', lastAttachment: 'Photo', unread: 1 }])
    expect(await eventsOf('message.inbound', '12025550136')).toEqual([])
  })
})

describe('people whose receipts come as they like', () => {
  it.each(['0123', '0124'])('%s is read in the end, and stands once in the thread', async (last4) => {
    const phone = `1202555${last4}`
    await converse(phone, 1)
    const { messages } = await eventually(
      () => client.chats.thread({ phone }),
      (thread) => thread.messages[0]?.status === 'read',
    )
    expect(messages).toMatchObject([{ direction: 'out', status: 'read' }])
    expect(await eventsOf('message.read', phone)).toHaveLength(1)
  })
})

describe('people whom not everything reaches', () => {
  const statusOf = async (phone: string) => (await client.chats.thread({ phone })).messages.map(({ status }) => status)

  it.each([
    ['0100', 'read'],
    ['0110', 'failed'],
    ['0121', 'delivered'],
    ['0122', 'read'],
    ['0150', 'read'],
  ])('%s: what was sent stands in the thread as %s', async (last4, status) => {
    const phone = `1202555${last4}`
    await client.alert.send({ phone, message: 'are you there?' })
    const statuses = await eventually(
      () => statusOf(phone),
      (all) => all[0] === status,
    )
    expect(statuses).toEqual([status])
    expect(await chatOf(last4)).toMatchObject([{ lastDirection: 'out', lastMessage: 'are you there?' }])
  })

  it('0112: a message that was sent, its response lost, is in the thread once receipts confirm it', async () => {
    const phone = '12025550112'
    const send = client.alert.sendLocation({ phone, latitude: 1, longitude: 2 })
    await expect(send).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
    expect(
      await eventually(
        () => statusOf(phone),
        ([status]) => status === 'read',
      ),
    ).toEqual(['read'])
  })

  it.each([
    ['0101', 'NUMBER_NOT_ON_NETWORK', ['message.failed']],
    ['0111', 'GATEWAY_ERROR', ['message.failed']],
    ['0113', 'UPSTREAM_TIMEOUT', []],
    ['0160', 'GATEWAY_ERROR', ['message.failed', 'number.warning']],
  ])('%s: what did not go out is in no chat: %s', async (last4, code, kinds) => {
    const phone = `1202555${last4}`
    const other = await makeOrganization(server)
    await makeNumber(server, other)
    const sender = server.client(other)
    await expect(sender.alert.sendLocation({ phone, latitude: 1, longitude: 2 })).rejects.toMatchObject({ code })
    const { events } = await sender.events.list()
    expect(events.map(({ event }) => event)).toEqual(kinds)
    expect((await sender.chats.list()).chats).toEqual([])
    expect((await sender.chats.thread({ phone })).messages).toEqual([])
  })

  it('0102: a text to a phone that cannot be checked is refused, and in no chat', async () => {
    const phone = '12025550102'
    const code = 'NUMBER_VALIDATION_UNAVAILABLE'
    await expect(client.alert.send({ phone, message: 'are you there?' })).rejects.toMatchObject({ code, status: 503 })
    expect(await chatOf('0102')).toEqual([])
  })

  it('0120: the message is sent, and read once the phone is on', async () => {
    const phone = '12025550120'
    await client.alert.sendLocation({ phone, latitude: 1, longitude: 2 })
    expect(await statusOf(phone)).toEqual(['sent'])
    await sim(server, `POST people/${phone}/online`)
    await eventually(
      () => statusOf(phone),
      ([status]) => status === 'read',
    )
    expect(await eventsOf('message.read', phone)).toHaveLength(1)
  })
})

describe('people whose number is hidden', () => {
  it('0140 is one person with two ids once contacts are synced', async () => {
    const phone = '12025550140'
    const lid = toLid(phone)
    await client.alert.send({ phone, message: 'to the number' })
    const { networkId } = await sim<{ networkId: string }>(server, 'POST inbound', {
      containerId,
      from: phone,
      text: 'from the hidden id',
    })
    const [reported] = await eventually(
      () => eventsOf('message.inbound', networkId),
      (events) => events.length === 1,
    )
    expect(reported?.data).toMatchObject({ sender: lid })
    expect(await chatOf(lid)).toMatchObject([{ phone: lid, unread: 1 }])

    const synced = await client.contacts.sync()
    // The worker receives the pair too. Either may join it first, so the counts are not checked here.
    expect(synced).toMatchObject({ saved: 3, importing: true })
    const chats = await eventually(
      () => chatOf('0140'),
      ([chat]) => chat?.lid === lid,
    )
    expect(chats).toMatchObject([{ phone, lid, name: 'Sim 0140', unread: 1 }])
    expect(await chatOf(lid)).toEqual(chats)
    const byLid = await client.chats.thread({ phone: lid })
    expect(byLid).toEqual(await client.chats.thread({ phone }))
    expect(byLid.messages.map(({ text }) => text).sort()).toEqual(['from the hidden id', 'to the number'])
    expect((await client.contacts.search({ search: '0140' })).contacts).toMatchObject([{ phone, lid, saved: true }])
    const count = await eventually(
      () => client.contacts.count(),
      ({ importing }) => !importing,
    )
    expect(count.historyImportedAt).not.toBeNull()
  })

  it('0141 stays hidden for ever, under the hidden id alone', async () => {
    const lid = toLid('12025550141')
    await sim(server, 'POST inbound', { containerId, from: '12025550141', text: 'who am I?' })
    await eventually(
      () => chatOf(lid),
      (chats) => chats.length === 1,
    )
    await client.contacts.sync()
    expect(await chatOf(lid)).toMatchObject([{ phone: lid, name: 'Sim 0141', unread: 1 }])
    expect((await chatOf(lid))[0]).not.toHaveProperty('lid')
    expect(await chatOf('0141')).toMatchObject([{ phone: lid }])
  })
})
