import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import Koa from 'koa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFastifyHandler } from './fastify.ts'
import type { HandlerOptions } from './handler.ts'
import { createKoaMiddleware } from './koa.ts'
import { type Receiver, receivers } from './test/receivers.ts'
import { body, deliveryId, now, nowMs, otherSecret, secret, signedHeaders } from './test/signed-delivery.ts'

/** Starts a receiver and posts one delivery: its answer, what was handled and what was refused. */
async function deliver(
  receiver: Receiver,
  sent: { readonly text?: string; readonly options?: Partial<HandlerOptions>; readonly parsed?: boolean } = {},
) {
  const handled: unknown[] = []
  const refused: unknown[] = []
  const options = { secret, now, onError: (error: unknown) => refused.push(error), ...sent.options }
  const handlers = { 'message.failed': (event: { deliveryId: unknown }) => handled.push(event.deliveryId) }
  const post = await receiver(handlers, options, sent.parsed ?? false)
  const answer = await post(sent.text ?? body, await signedHeaders())
  return { answer, handled, refused }
}

const reason = (text: string) => JSON.stringify({ reason: text })

describe.each(receivers)('a receiver in %s', (_name, receiver) => {
  it('handles a valid delivery and responds with 204', async () => {
    const { answer, handled, refused } = await deliver(receiver)
    expect({ answer, handled, refused }).toEqual({ answer: [204, ''], handled: [deliveryId], refused: [] })
  })

  it('handles a delivery that was signed with the second of two secrets', async () => {
    const { answer, handled } = await deliver(receiver, { options: { secret: [otherSecret, secret] } })
    expect({ answer, handled }).toEqual({ answer: [204, ''], handled: [deliveryId] })
  })

  it('refuses a body over its bound', async () => {
    const { answer, handled } = await deliver(receiver, { options: { maxBodyBytes: 10 } })
    expect({ status: answer[0], handled }).toEqual({ status: 413, handled: [] })
  })

  it.each([
    ['a changed one', { text: body.replace('failed', 'Failed') }, 401, 'no_matching_signature'],
    ['an old one', { options: { now: () => nowMs + 301_000 } }, 401, 'timestamp_too_old'],
    ['one from the future', { options: { now: () => nowMs - 301_000 } }, 401, 'timestamp_too_new'],
    ['one whose body was parsed before', { parsed: true }, 500, 'raw_body_required'],
  ])('refuses %s and says why', async (_case, sent, status, why) => {
    const { answer, handled, refused } = await deliver(receiver, sent)
    expect({ answer, handled }).toEqual({ answer: [status, reason(why)], handled: [] })
    expect(refused).toMatchObject([{ reason: why }])
  })
})

describe('a request that is no POST', () => {
  const refused = { status: 405, allow: 'POST', body: reason('method_not_allowed') }

  it('gets 405 from Koa', async () => {
    const server = new Koa().use(createKoaMiddleware({}, { secret })).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`)
    const { status, headers } = response
    expect({ status, allow: headers.get('allow'), body: await response.text() }).toEqual(refused)
  })

  it('gets 405 from Fastify', async () => {
    const app = fastify()
    app.all('/webhooks', createFastifyHandler({}, { secret }))
    const { statusCode: status, headers, body: text } = await app.inject({ method: 'GET', url: '/webhooks' })
    expect({ status, allow: headers.allow, body: text }).toEqual(refused)
  })
})
