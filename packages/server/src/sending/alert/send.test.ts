import { isMessagingError } from '@msgctl/client'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { advanceToNoon } from '#testing/advance-to-noon.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { withSent } from '#testing/waha/test-gateway.ts'

const server = await startTestServer()
await advanceToNoon(server.services.clock)
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)

async function stored(): Promise<number> {
  const [counted] = await rows<{ count: number }>(server.db, 'select count(*) as count from messages')
  return counted?.count ?? 0
}

describe('POST /alert/send', () => {
  it('ignores any containerId with the key of a number', async () => {
    const own = await makeNumber(server, organization)
    const key = server.client({ apiKey: await makeNumberKey(server, organization, own) })
    for (const wanted of ['garbage', containerId]) {
      const sent = await key.alert.send({ phone: '12025550100', message: 'hi', containerId: wanted })
      expect(sent.containerId).toBe(own)
    }
    await expect(
      client.alert.send({ phone: '12025550100', message: 'hi', containerId: 'garbage' }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('queues a text that reaches the phone, and follows it until it is read', async () => {
    const sent = await client.alert.send({ phone: '+1 (202) 555-0100', message: 'hello', clientReference: 'order 7' })
    expect(sent).toEqual({
      success: true,
      messageId: expect.any(String),
      status: 'queued',
      priority: 'normal',
      containerId,
    })
    const { message, timeline } = await eventually(
      () => client.messages.get({ id: sent.messageId }),
      (answer) => answer.message.status === 'read',
    )
    expect(message).toMatchObject({
      type: 'alert',
      recipient: '12025550100',
      content: 'hello',
      priority: 'normal',
      error: null,
      errorCode: null,
      containerId,
      clientReference: 'order 7',
      attempts: 1,
      gatewayMessageId: expect.any(String),
    })
    expect(timeline.map((entry) => entry.step)).toEqual(['queued', 'sent', 'delivered', 'read'])
  })

  it('reports each step once in the event log, with the specification’s payload', async () => {
    const { messageId } = await client.alert.send({ phone: '12025550100', message: 'events', clientReference: 'ref' })
    await eventually(
      () => client.messages.get({ id: messageId }),
      (answer) => answer.message.status === 'read',
    )
    const { events } = await client.events.list({ limit: 100 })
    const own = events.filter((event) => 'messageId' in event.data && event.data.messageId === messageId)
    expect(own.map((event) => event.event)).toEqual(withSent(['message.delivered', 'message.read']))
    expect(own.at(-2)?.data).toEqual({
      messageId,
      recipient: '12025550100',
      type: 'alert',
      status: 'delivered',
      gatewayMessageId: expect.any(String),
      containerId,
      numberPhone: expect.stringMatching(/^\d+$/),
      timestamp: expect.any(String),
      clientReference: 'ref',
    })
  })

  it('refuses a recipient that is not on the network, and stores nothing', async () => {
    const before = await stored()
    await expect(client.alert.send({ phone: '+12025550101', message: 'hi' })).rejects.toSatisfy((error) =>
      isMessagingError(error, 'NUMBER_NOT_ON_NETWORK'),
    )
    expect(await stored()).toBe(before)
  })

  it('says that the recipient cannot be checked when the network does not answer, and stores nothing', async () => {
    const before = await stored()
    await expect(client.alert.send({ phone: '+12025550102', message: 'hi' })).rejects.toMatchObject({
      code: 'NUMBER_VALIDATION_UNAVAILABLE',
      status: 503,
    })
    expect(await stored()).toBe(before)
  })

  it('responds NOT_FOUND for a number of another organization as for an unknown one, and stores nothing', async () => {
    const before = await stored()
    const other = await makeOrganization(server)
    const theirs = await makeNumber(server, other)
    const refusals = await Promise.all(
      [theirs, '00000000-0000-4000-8000-000000000000'].map((wanted) =>
        client.alert.send({ phone: '12025550100', message: 'hi', containerId: wanted }).catch((error) => error),
      ),
    )
    expect(refusals[0]).toMatchObject({ code: 'NOT_FOUND', status: 404 })
    expect(refusals[1].message).toBe(refusals[0].message)
    expect(await stored()).toBe(before)
  })

  it('sends with a number’s key through its own number, whatever containerId says', async () => {
    const other = await makeOrganization(server)
    const own = await makeNumber(server, other)
    const second = await makeNumber(server, other)
    const key = await makeNumberKey(server, other, second)
    const numberClient = server.client({ apiKey: key })
    const sent = await numberClient.alert.send({ phone: '12025550100', message: 'hi', containerId: own })
    expect(sent.containerId).toBe(second)
    const seen = await numberClient.alert.message({ messageId: sent.messageId })
    expect(seen.message.id).toBe(sent.messageId)
    const { messageId } = await server.client(other).alert.send({ phone: '12025550100', message: 'hi' })
    await expect(numberClient.alert.message({ messageId })).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
  })

  it('needs a connected number', async () => {
    const other = await makeOrganization(server)
    await expect(server.client(other).alert.send({ phone: '12025550100', message: 'hi' })).rejects.toMatchObject({
      code: 'NO_SESSION_CONFIGURED',
    })
    await makeNumber(server, other, { linked: false })
    await expect(server.client(other).alert.send({ phone: '12025550100', message: 'hi' })).rejects.toMatchObject({
      code: 'NO_SESSION_CONFIGURED',
    })
  })

  it('stores and sends once for one Idempotency-Key, however often it is repeated', async () => {
    const before = await stored()
    const options = { idempotencyKey: 'once-1' }
    const input = { phone: '12025550100', message: 'only once' }
    const answers = []
    for (let n = 0; n < 3; n += 1) answers.push(await client.alert.send(input, options))
    expect(new Set(answers.map((answer) => answer.messageId)).size).toBe(1)
    expect(await stored()).toBe(before + 1)
    await expect(client.alert.send({ ...input, message: 'other' }, options)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'idempotency_mismatch' },
    })
  })

  it('gives a repeat its first answer, also where the request would be refused by now', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    const own = server.client(organization)
    const input = { phone: '12025550100', message: 'before the number went' }
    const first = await own.alert.send(input, { idempotencyKey: 'before' })
    await server.client({ token: await makeToken(server, organization) }).numbers.delete({ containerId })
    expect(await own.alert.send(input, { idempotencyKey: 'before' })).toEqual(first)
    const other = own.alert.send({ ...input, message: 'another' }, { idempotencyKey: 'before' })
    await expect(other).rejects.toMatchObject({ details: { reason: 'idempotency_mismatch' } })
    await expect(own.alert.send(input, { idempotencyKey: 'after' })).rejects.toMatchObject({
      code: 'NO_SESSION_CONFIGURED',
    })
  })

  it('queues at most one of many parallel twins with one Idempotency-Key', async () => {
    const before = await stored()
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        client.alert.send({ phone: '12025550100', message: 'twins' }, { idempotencyKey: 'twins-1' }),
      ),
    )
    const ids = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.messageId] : []))
    expect(new Set(ids).size).toBe(1)
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ code: 'CONFLICT', details: { reason: 'idempotency_in_progress' } })
      }
    }
    expect(await stored()).toBe(before + 1)
  })
})

describe('the free trial', () => {
  it('sends 100 messages a UTC day in parallel, refuses the next with the quota, starts at midnight', async () => {
    const trial = await makeOrganization(server, { granted: false })
    await makeNumber(server, trial)
    const trialClient = server.client(trial)
    const send = () => trialClient.alert.send({ phone: '12025550100', message: 'trial' })
    await send()
    const results = await Promise.allSettled(Array.from({ length: 110 }, send))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(99)
    const refusal = await send().catch((error) => error)
    expect(refusal).toMatchObject({
      code: 'TRIAL_LIMIT_REACHED',
      status: 429,
      details: { limit: 100, used: 100, requested: 1 },
    })
    const left = Date.parse(refusal.details.resetsAt) - server.services.clock.now().getTime()
    expect(refusal.details.retryAfterSeconds * 1000).toBeGreaterThanOrEqual(left)
    await server.advance(refusal.details.retryAfterSeconds)
    await expect(send()).resolves.toMatchObject({ status: 'queued' })
  })
})
