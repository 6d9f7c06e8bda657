import type { Message } from '@msgctl/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim, transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { refusalSentence } from '#testing/tested/sentences.ts'
import { withSent } from '#testing/waha/test-gateway.ts'
import { reapMessages } from './sweep.ts'

const server = await startTestServer()
const organization = await makeOrganization(server)
const client = server.client(organization)

async function send(phone: string, containerId: string, text = 'hello'): Promise<string> {
  return (await client.alert.send({ phone, message: text, containerId })).messageId
}

async function becomes(id: string, enough: (message: Message) => boolean): Promise<Message> {
  const { message } = await eventually(
    () => client.messages.get({ id }),
    (answer) => enough(answer.message),
  )
  return message
}

async function eventsOf(id: string): Promise<{ event: string; data: Record<string, unknown> }[]> {
  return rows(server.db, 'select event, data from events where message_id = :id order by position', { id })
}

/** Moves the clock past the next retry of a message, as often as it takes. */
async function retriesUntil(id: string, enough: (message: Message) => boolean): Promise<Message> {
  for (let round = 0; round < 12; round += 1) {
    const message = await becomes(id, (one) => enough(one) || (one.status === 'queued' && one.attempts > round))
    if (enough(message)) return message
    await server.advance(200)
  }
  throw new Error('the message is not what it should be after all its retries')
}

describe('a message and what the network makes of it', () => {
  let containerId: string
  beforeAll(async () => {
    containerId = await makeNumber(server, organization)
  })

  it('fails when the network reports later that it could not deliver it', async () => {
    const id = await send('12025550110', containerId)
    const message = await becomes(id, (one) => one.status === 'failed')
    expect(message).toMatchObject({ errorCode: 'GATEWAY_ERROR', gatewayMessageId: expect.any(String) })
    expect((await eventsOf(id)).map((event) => event.event)).toEqual(['message.failed'])
  })

  it('is tried three times when the network refuses it, then fails', async () => {
    const id = await send('12025550111', containerId)
    const message = await retriesUntil(id, (one) => one.status === 'failed')
    expect(message).toMatchObject({ attempts: 3, errorCode: 'GATEWAY_ERROR', gatewayMessageId: null })
    const { timeline } = await client.messages.get({ id })
    expect(timeline.map(({ step, detail }) => ({ step, detail }))).toEqual([
      { step: 'queued', detail: undefined },
      {
        step: 'attempt',
        detail: expect.stringMatching(`^1: ${refusalSentence} Next in (8|9|1[012]) s.$`),
      },
      {
        step: 'attempt',
        detail: expect.stringMatching(`^2: ${refusalSentence} Next in (1[6-9]|2[0-4]) s.$`),
      },
      { step: 'failed', detail: refusalSentence },
    ])
    const events = await eventsOf(id)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      event: 'message.failed',
      data: { messageId: id, gatewayMessageId: null, errorCode: 'GATEWAY_ERROR', status: 'failed' },
    })
  })

  it('reports a refusal in the same sentence whether the message was queued or sent directly', async () => {
    const phone = '12025550111'
    const queued = await retriesUntil(await send(phone, containerId), (one) => one.status === 'failed')
    const direct = client.alert.sendLocation({ phone, latitude: 1, longitude: 2, containerId })
    await expect(direct).rejects.toMatchObject({ code: 'GATEWAY_ERROR' })
    const { messages } = await client.messages.list({ search: phone, limit: 1 })
    expect(messages[0]?.id).not.toBe(queued.id)
    expect([queued.error, messages[0]?.error]).toEqual([refusalSentence, refusalSentence])
  })

  it('is sent again with the same id after a timeout without a receipt, and the phone gets it once', async () => {
    // Nothing is delivered to a phone that is off, so no receipt shows that it went out.
    await sim(server, 'POST people/12025550112/offline')
    const id = await send('12025550112', containerId, 'timed out but out')
    const message = await retriesUntil(id, (one) => one.status === 'sent')
    expect(message.attempts).toBeGreaterThan(1)
    await sim(server, 'POST people/12025550112/online')
    await becomes(id, (one) => one.status === 'read')
    const got = (await transcriptOf(server, containerId)).filter((entry) => entry.to === '12025550112')
    expect(got).toHaveLength(1)
    expect(got[0]?.networkId).toBe(message.gatewayMessageId)
  })

  it('is settled by its receipts after a time-out, without another try', async () => {
    const id = await send('12025550112', containerId, 'timed out, but reported')
    const message = await becomes(id, (one) => one.status === 'read')
    expect(message).toMatchObject({ attempts: 1, gatewayMessageId: expect.any(String) })
    expect((await eventsOf(id)).map((event) => event.event)).toEqual(['message.delivered', 'message.read'])
  })

  it('fails with UPSTREAM_TIMEOUT when its outcome stays unknown for ten minutes', async () => {
    const id = await send('12025550113', containerId)
    await eventually(
      async () => {
        await server.advance(200)
        await reapMessages(server.services)
        return (await client.messages.get({ id })).message
      },
      (message) => message.status === 'failed',
    )
    const { message } = await client.messages.get({ id })
    expect(message).toMatchObject({ errorCode: 'UPSTREAM_TIMEOUT', gatewayMessageId: null })
    expect((await eventsOf(id)).map((event) => event.event)).toEqual(['message.failed'])
  })

  it.each([
    { phone: '12025550121', status: 'delivered', events: ['message.delivered'], who: 'a recipient who never reads' },
    {
      phone: '12025550122',
      status: 'read',
      events: ['message.read'],
      who: 'a recipient whose phone reports read only',
    },
  ])('ends $status for $who', async ({ phone, status, events }) => {
    const id = await send(phone, containerId)
    await becomes(id, (one) => one.status === status)
    expect((await eventsOf(id)).map((event) => event.event)).toEqual(withSent(events))
  })

  it('ends read and reports each step at most once when receipts come twice and out of order', async () => {
    const id = await send('12025550123', containerId)
    await becomes(id, (one) => one.status === 'read')
    const reported = (await eventsOf(id)).map((event) => event.event)
    expect(reported).toContain('message.read')
    expect(new Set(reported).size).toBe(reported.length)
  })

  it('is delivered although the receipt came before the send’s own response', async () => {
    const id = await send('12025550124', containerId)
    const message = await becomes(id, (one) => one.status === 'delivered' || one.status === 'read')
    expect(message.sentAt).not.toBeNull()
  })

  it('stays sent while the phone is off, and is delivered once it is online', async () => {
    const id = await send('12025550120', containerId)
    await becomes(id, (one) => one.status === 'sent')
    await sim(server, 'POST people/12025550120/online', {})
    await becomes(id, (one) => one.status === 'delivered' || one.status === 'read')
  })
})

describe('a lane', () => {
  it('pauses as a whole when the network restricts the account', async () => {
    const containerId = await makeNumber(server, organization)
    const restricted = await send('12025550160', containerId)
    await becomes(restricted, (one) => one.status === 'queued' && one.attempts === 1)
    const [lane] = await rows<{ paused: boolean }>(
      server.db,
      `select next_send_at > service_now() + interval '50 seconds' as paused from lanes
        where container_id = :containerId`,
      { containerId },
    )
    expect(lane?.paused).toBe(true)
  })
})
