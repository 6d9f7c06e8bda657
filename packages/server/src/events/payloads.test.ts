import { type EventData, type EventKind, events, type LoggedEvent } from '@msgctl/contract'
import { verify } from '@msgctl/webhook-verifier'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { idOf, type Received, startReceiver } from '#testing/features/receiver.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)
const receiver = await startReceiver()
const { signingSecret } = await client.webhook.set({ webhookUrl: receiver.url })
const [number] = await rows<{ phone: string }>(server.db, 'select phone_number as phone from numbers', {})

const reads = '+12025550100'
const fails = '+12025550110'

/** The fields of every event of a message (specification, "Payload shapes"); a campaign adds its id. */
const ofMessages = 'messageId recipient type status gatewayMessageId containerId numberPhone timestamp'

/** A way to send, its type in events, and its steps. */
interface Send {
  readonly by: string
  readonly to: string
  readonly type: 'alert' | 'bulk' | 'otp'
  readonly steps: readonly EventKind[]
  /** Beside those of every message. */
  readonly fields: string
  /** Sends, and returns the id of the message. */
  send(phone: string): Promise<string>
}

const text = { by: 'a text', to: reads, type: 'alert', fields: '' } as const
const happy = ['message.delivered', 'message.read'] as const

const sends: readonly Send[] = [
  { ...text, steps: happy, send: async (phone) => (await client.alert.send({ phone, message: 'hi' })).messageId },
  {
    ...text,
    by: 'a text with a reference',
    steps: happy,
    fields: 'clientReference',
    send: async (phone) => (await client.alert.send({ phone, message: 'hi', clientReference: 'order 7' })).messageId,
  },
  {
    ...text,
    by: 'a text that the network gives up',
    to: fails,
    steps: ['message.failed'],
    fields: 'error errorCode',
    send: async (phone) => (await client.alert.send({ phone, message: 'hi' })).messageId,
  },
  {
    ...text,
    by: 'a batch',
    steps: happy,
    send: async (phone) =>
      (await client.alert.batch({ recipients: [phone], message: 'hi' })).messages[0]?.messageId ?? '',
  },
  {
    ...text,
    by: 'a location, sent at once',
    steps: happy,
    send: async (phone) => (await client.alert.sendLocation({ phone, latitude: 1, longitude: 2 })).messageId,
  },
  {
    ...text,
    by: 'a reminder',
    steps: happy,
    async send(phone) {
      const sendAt = new Date(server.services.clock.now().getTime() - 1000).toISOString()
      const { id } = (await client.reminders.create({ phone, message: 'hi', sendAt })).reminder
      await server.advance(31)
      const { reminders } = await eventually(
        () => client.reminders.list({}),
        (seen) => seen.reminders.some((one) => one.id === id && one.lastMessageId !== null),
      )
      return reminders.find((one) => one.id === id)?.lastMessageId ?? ''
    },
  },
  {
    by: 'a campaign',
    to: reads,
    type: 'bulk',
    steps: happy,
    fields: 'campaignId',
    async send(phone) {
      const { id } = (await client.campaigns.create({ name: 'C', template: 'hi', recipients: [{ phone }] })).campaign
      await client.campaigns.send({ id })
      const { recipients } = await client.campaigns.recipients({ id })
      return recipients[0]?.messageId ?? ''
    },
  },
  {
    by: 'a one-time code',
    to: reads,
    type: 'otp',
    steps: happy,
    fields: '',
    async send(phone) {
      await client.otp.send({ phone })
      return (await client.messages.list({ type: 'otp' })).messages[0]?.id ?? ''
    },
  },
]

/** The events of one message in the log, once all of `kinds` are there. */
async function eventsOf(messageId: string, kinds: readonly EventKind[]): Promise<LoggedEvent[]> {
  const about = ({ data }: LoggedEvent) => 'messageId' in data && data.messageId === messageId
  const { events } = await eventually(
    () => client.events.list({ limit: 500 }),
    (seen) => kinds.every((kind) => seen.events.some((one) => one.event === kind && about(one))),
  )
  return events.filter(about)
}

/** What the receiver got of an event, verified. */
async function received(id: string): Promise<Received> {
  return eventually(
    async () => receiver.received.find((one) => idOf(one) === id) as Received,
    (found) => found !== undefined,
  )
}

async function requireSameDelivered(logged: LoggedEvent): Promise<void> {
  const { headers, body } = await received(logged.id)
  const { id, ...posted } = logged
  expect(JSON.parse(body)).toEqual(posted)
  expect(Object.keys(JSON.parse(body))).toEqual(['event', 'data', 'timestamp'])
  expect(headers['x-service-event']).toBe(logged.event)
  expect(await verify(body, headers, signingSecret ?? '')).toMatchObject({ event: logged.event, deliveryId: id })
}

function fieldsOf(list: string): string[] {
  return list.split(' ').filter(Boolean).sort()
}

describe('events', () => {
  it.each(sends)(
    'of $by carry what the specification says, each once, in the log and at the receiver',
    async (send) => {
      const messageId = await send.send(send.to)
      const logged = await eventsOf(messageId, send.steps)
      expect(logged.map(({ event }) => event)).toEqual(send.steps)
      for (const one of logged) {
        const data = one.data as EventData<'message.delivered'>
        expect(Object.keys(data).sort()).toEqual(fieldsOf(`${ofMessages} ${send.fields}`))
        expect(data).toMatchObject({
          messageId,
          recipient: send.to.slice(1),
          type: send.type,
          status: one.event.replace('message.', ''),
          gatewayMessageId: expect.stringMatching(/./),
          containerId,
          numberPhone: number?.phone,
          timestamp: new Date(data.timestamp).toISOString(),
        })
        expect(events[one.event].data.strict().safeParse(data).error).toBeUndefined()
        await requireSameDelivered(one)
      }
    },
  )

  it('of a message that never reached the network carry no id of the network', async () => {
    await expect(client.alert.sendLocation({ phone: '+12025550111', latitude: 1, longitude: 2 })).rejects.toThrow()
    const { messages } = await client.messages.list({ status: 'failed', limit: 1 })
    const [failed = expect.fail()] = await eventsOf(messages[0]?.id ?? '', ['message.failed'])
    expect(failed.data).toMatchObject({ gatewayMessageId: null, error: expect.any(String), errorCode: 'GATEWAY_ERROR' })
    await requireSameDelivered(failed)
  })

  it('of a message that the network reports on its own have the shape of message.delivered', async () => {
    const { messageId, gatewayMessageId } = await client.alert.sendLocation({
      phone: '+12025550120',
      latitude: 1,
      longitude: 2,
    })
    await sim(server, 'POST receipts', { messageId: gatewayMessageId, status: 'sent' })
    const [sent = expect.fail()] = await eventsOf(messageId, ['message.sent'])
    expect(Object.keys(sent.data).sort()).toEqual(fieldsOf(ofMessages))
    expect(sent.data).toMatchObject({ messageId, gatewayMessageId, status: 'sent', type: 'alert', containerId })
    await requireSameDelivered(sent)
  })

  it('of votes carry the vote, the poll and the number', async () => {
    const poll = { question: 'Tea?', options: ['yes', 'no'] }
    const { messageId, gatewayMessageId } = await client.alert.sendPoll({ phone: '+12025550133', ...poll })
    const logged = await eventsOf(messageId, ['poll.vote'])
    const vote = logged.find(({ event }) => event === 'poll.vote') ?? expect.fail()
    const ends = { from: '12025550133', to: number?.phone, fromMe: false }
    expect(vote.data).toEqual({
      vote: { id: expect.any(String), ...ends, selectedOptions: ['yes'], timestamp: expect.any(String) },
      poll: { id: gatewayMessageId, from: number?.phone, to: '12025550133', fromMe: true },
      messageId,
      containerId,
      numberPhone: number?.phone,
      timestamp: expect.any(String),
    })
    await requireSameDelivered(vote)
  })

  it('of a text that a person writes are one message.inbound', async () => {
    const { networkId } = await sim<{ networkId: string }>(server, 'POST inbound', {
      containerId,
      from: '+12025550121',
      text: 'hello',
    })
    const { events: logged } = await eventually(
      () => client.events.list({ types: ['message.inbound'] }),
      (seen) => seen.events.length > 0,
    )
    expect(logged).toMatchObject([
      {
        data: {
          sender: '12025550121',
          senderName: 'Sim 0121',
          body: 'hello',
          messageType: 'chat',
          gatewayMessageId: networkId,
          containerId,
          numberPhone: number?.phone,
        },
      },
    ])
    const [inbound = expect.fail()] = logged
    const fields = 'sender senderName body messageType gatewayMessageId containerId numberPhone timestamp'
    expect(Object.keys(inbound.data).sort()).toEqual(fieldsOf(fields))
    await requireSameDelivered(inbound)
  })
})
