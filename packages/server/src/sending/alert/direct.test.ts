import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { reapMessages } from '#sending/messages/queue/sweep.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim, transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { withSent } from '#testing/waha/test-gateway.ts'

const server = await startTestServer()
const organization = await makeOrganization(server)
const client = server.client(organization)
let containerId: string

beforeAll(async () => {
  containerId = await makeNumber(server, organization)
})

/** What was answered: the ids, or the error. A test reads what it expects to be there. */
interface Answer {
  readonly messageId: string
  readonly gatewayMessageId: string
  readonly error: {
    readonly code: string
    readonly message: string
    readonly requestId: string
    readonly details: Readonly<Record<string, unknown>> & { readonly messageId: string }
  }
}

let places = 0

/** Sends a place that no other test sends, over plain HTTP so that headers are seen too. */
async function send(last4: string, key?: string, more: object = {}) {
  const response = await fetch(`${server.baseUrl}/alert/send-location`, {
    method: 'POST',
    headers: {
      'x-api-key': organization.apiKey,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ phone: `1202555${last4}`, latitude: 1, longitude: 2, containerId, ...more }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer }
}

function newKey(): string {
  places += 1
  return `key-${places}`
}

/** How often a person got a message since `before`. */
async function gotten(last4: string): Promise<number> {
  return (await transcriptOf(server, containerId)).filter(({ to }) => to === `1202555${last4}`).length
}

async function messageOf(id: string) {
  return (await client.messages.get({ id })).message
}

async function becomes(id: string, status: string) {
  const { message } = await eventually(
    () => client.messages.get({ id }),
    (answer) => answer.message.status === status,
  )
  return message
}

async function eventsOf(id: string): Promise<string[]> {
  const found = await rows<{ event: string }>(
    server.db,
    'select event from events where message_id = :id order by position',
    { id },
  )
  return found.map(({ event }) => event)
}

async function stored(): Promise<number> {
  const [counted] = await rows<{ count: number }>(server.db, 'select count(*) as count from messages')
  return counted?.count ?? 0
}

describe('a person who is like everybody', () => {
  it.each([
    ['0100', 'read', withSent(['message.delivered', 'message.read'])],
    ['0121', 'delivered', withSent(['message.delivered'])],
    ['0122', 'read', withSent(['message.read'])],
    ['0124', 'read', ['message.delivered', 'message.read']],
  ])('(%s) gets it at once, and its status ends as %s', async (last4, status, events) => {
    const before = await gotten(last4)
    const { status: answered, body } = await send(last4)
    expect(answered).toBe(201)
    expect(await gotten(last4)).toBe(before + 1)
    const message = await becomes(body.messageId, status)
    expect(message).toMatchObject({ gatewayMessageId: body.gatewayMessageId, sentAt: expect.any(String), attempts: 1 })
    expect(await eventsOf(body.messageId)).toEqual(events)
  })

  it('(0123) reports each step once although receipts come twice and out of order', async () => {
    const { body } = await send('0123')
    await becomes(body.messageId, 'read')
    const reported = await eventsOf(body.messageId)
    expect(reported).toContain('message.read')
    expect(new Set(reported).size).toBe(reported.length)
  })

  it('(0120) who is offline has it as sent, and delivered once the phone is on', async () => {
    const { body } = await send('0120')
    expect((await messageOf(body.messageId)).status).toBe('sent')
    await sim(server, 'POST people/12025550120/online', {})
    await becomes(body.messageId, 'read')
    await sim(server, 'POST people/12025550120/offline', {})
  })

  it('(0110) for whom the network fails later: the answer was 201, the message fails, a repeat is 201', async () => {
    const key = newKey()
    const { status, body } = await send('0110', key)
    expect(status).toBe(201)
    const message = await becomes(body.messageId, 'failed')
    expect(message).toMatchObject({ errorCode: 'GATEWAY_ERROR', gatewayMessageId: body.gatewayMessageId })
    expect(await eventsOf(body.messageId)).toEqual(['message.failed'])
    const repeat = await send('0110', key)
    expect([repeat.status, repeat.body]).toEqual([201, body])
  })
})

describe('a send that certainly did not go out', () => {
  it.each([
    ['is refused by the network', '0111', 502, 'GATEWAY_ERROR', { reason: 'rejected', outcome: 'not_sent' }],
    ['is for a recipient who is not on the network', '0101', 400, 'NUMBER_NOT_ON_NETWORK', {}],
  ])('because it %s (%s) fails at once, with its event', async (_why, last4, status, code, details) => {
    const { status: answered, body } = await send(last4)
    expect([answered, body.error.code]).toEqual([status, code])
    expect(body.error.details).toMatchObject({ messageId: expect.any(String), ...details })
    const { messageId } = body.error.details
    expect(await messageOf(messageId)).toMatchObject({
      status: 'failed',
      errorCode: code,
      error: body.error.message,
      gatewayMessageId: null,
      sentAt: null,
      attempts: 1,
    })
    expect(await eventsOf(messageId)).toEqual(['message.failed'])
    expect(await gotten(last4)).toBe(0)
  })

  it('is never sent again by us, whatever time passes', async () => {
    const { body } = await send('0111')
    await server.advance(3600)
    await reapMessages(server.services)
    expect(await messageOf(body.error.details.messageId)).toMatchObject({ status: 'failed', attempts: 1 })
  })

  it('responds with the same failure to a repeat with the same key, and sends nothing', async () => {
    const key = newKey()
    const first = await send('0111', key)
    const before = await stored()
    const second = await send('0111', key)
    expect(second.status).toBe(first.status)
    expect({ ...second.body.error, requestId: '' }).toEqual({ ...first.body.error, requestId: '' })
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await stored()).toBe(before)
  })

  it('says that the account is restricted (0160), and that its number can send nothing for a while', async () => {
    const own = await makeNumber(server, organization)
    const restricted = await send('0160', undefined, { containerId: own })
    expect(restricted.body.error).toMatchObject({
      code: 'GATEWAY_ERROR',
      details: { reason: 'restricted', outcome: 'not_sent', messageId: expect.any(String) },
    })
    const next = await send('0100', undefined, { containerId: own })
    expect(next.body.error).toMatchObject({ code: 'GATEWAY_ERROR', details: { reason: 'restricted' } })
  })
})

describe('a send of unknown outcome', () => {
  it('(0112) that did go out is settled by its receipts, and a repeat then has its 201', async () => {
    const key = newKey()
    const first = await send('0112', key)
    expect([first.status, first.body.error.code]).toEqual([504, 'UPSTREAM_TIMEOUT'])
    const { messageId, outcome } = first.body.error.details
    expect(outcome).toBe('unknown')
    const message = await becomes(messageId, 'read')
    expect(message).toMatchObject({ gatewayMessageId: expect.any(String), sentAt: expect.any(String), attempts: 1 })
    expect(await eventsOf(messageId)).toEqual(['message.delivered', 'message.read'])
    const repeat = await send('0112', key)
    expect([repeat.status, repeat.body]).toEqual([
      201,
      { success: true, messageId, gatewayMessageId: message.gatewayMessageId, containerId },
    ])
    expect(repeat.headers.get('idempotency-replayed')).toBe('true')
    expect(await gotten('0112')).toBe(1)
  })

  it('(0113) that did not go out stays sending for ten minutes, then fails; a repeat reports that error', async () => {
    const key = newKey()
    const first = await send('0113', key)
    expect(first.body.error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', details: { outcome: 'unknown' } })
    const { messageId } = first.body.error.details
    await server.advance(590)
    await reapMessages(server.services)
    expect(await messageOf(messageId)).toMatchObject({ status: 'sending', error: null, errorCode: null })
    const waiting = await send('0113', key)
    expect([waiting.status, { ...waiting.body.error, requestId: '' }]).toEqual([
      504,
      { ...first.body.error, requestId: '' },
    ])
    await server.advance(15)
    const failed = await eventually(
      () => messageOf(messageId),
      (one) => one?.status === 'failed',
    )
    expect(failed).toMatchObject({ errorCode: 'UPSTREAM_TIMEOUT', attempts: 1 })
    expect(await eventsOf(messageId)).toEqual(['message.failed'])
    const repeat = await send('0113', key)
    expect([repeat.status, repeat.body.error.code, repeat.body.error.details]).toEqual([
      504,
      'UPSTREAM_TIMEOUT',
      { messageId, outcome: 'unknown' },
    ])
    expect(await gotten('0113')).toBe(0)
  })

  it('can be looked up by a number’s own key, by the id in the error', async () => {
    const { body } = await send('0113')
    const { messageId } = body.error.details
    expect((await client.alert.message({ messageId })).message.status).toBe('sending')
  })

  it('is not edited, forwarded or deleted', async () => {
    const { messageId } = (await send('0113')).body.error.details
    const refusal = { code: 'MESSAGE_NOT_SENT', status: 409, details: { status: 'sending' } }
    await expect(client.alert.delete({ messageId })).rejects.toMatchObject(refusal)
    await expect(client.alert.edit({ messageId, message: 'x' })).rejects.toMatchObject(refusal)
    await expect(client.alert.forward({ messageId, phone: '12025550100' })).rejects.toMatchObject(refusal)
  })
})

describe('faults of the network', () => {
  afterEach(() => sim(server, 'DELETE faults'))

  it.each([
    ['rejected', 502, 'GATEWAY_ERROR', 'not_sent'],
    ['unreachable', 503, 'GATEWAY_UNREACHABLE', 'not_sent'],
    ['session', 503, 'GATEWAY_SESSION_ERROR', 'not_sent'],
    ['timeout_not_sent', 504, 'UPSTREAM_TIMEOUT', 'unknown'],
    ['timeout_sent', 504, 'UPSTREAM_TIMEOUT', 'unknown'],
  ])(
    '%s: each request is sent at most once, keyed or not, however often it is repeated',
    async (fault, status, code, outcome) => {
      const last4 = '0121'
      const before = await gotten(last4)
      await sim(server, 'PUT faults', { send: { [fault]: 1 } })
      const key = newKey()
      const answers = [await send(last4), await send(last4, key)]
      for (const answer of answers) {
        expect([answer.status, answer.body.error.code]).toEqual([status, code])
        expect(answer.body.error.details).toMatchObject({ messageId: expect.any(String), outcome })
      }
      await sim(server, 'DELETE faults')
      // The network works again: a second send would be seen.
      const repeats = [await send(last4, key), await send(last4, key)]
      await server.advance(700)
      await reapMessages(server.services)
      await server.advance(700)
      const settled = fault === 'timeout_sent' ? 201 : status
      repeats.push(
        await eventually(
          () => send(last4, key),
          (answer) => answer.status === settled,
        ),
      )
      expect((await gotten(last4)) - before).toBe(fault === 'timeout_sent' ? 2 : 0)
      // A receipt may have settled it by then; CONFLICT would hide the answer of the first request.
      for (const { status: answered } of repeats.slice(0, 2)) expect([status, settled]).toContain(answered)
    },
  )

  it('are survived by a client that repeats on its own: one key, one message', async () => {
    const last4 = '0121'
    const before = await gotten(last4)
    await sim(server, 'PUT faults', { send: { timeout_sent: 0.5 } })
    const keys = Array.from({ length: 10 }, newKey)
    await Promise.all(keys.flatMap((key) => [send(last4, key), send(last4, key), send(last4, key)]))
    await sim(server, 'DELETE faults')
    await Promise.all(keys.map((key) => send(last4, key)))
    expect((await gotten(last4)) - before).toBe(keys.length)
  })
})
