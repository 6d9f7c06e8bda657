import { describe, expect, it } from 'vitest'
import { connect, errorFrom } from './test/connect.ts'
import { echoing, failure, hang, json, reset } from './test/scripted-server.ts'

const send = { phone: '+12025550100', message: 'hello' }
const queued = json(201, { success: true, messageId: 'm' })
const keyOf = (request: { headers: Record<string, unknown> } | undefined) => request?.headers['idempotency-key']

describe('the Idempotency-Key', () => {
  it('is sent with every call that takes one, new for each call, and with no other call', async () => {
    const { client, server } = await connect({}, queued)
    await client.alert.send(send)
    await client.alert.send(send)
    await client.chats.ack({ ids: ['0b9f3c1e-52f4-4ac1-9e7e-6a4f7b1c2d3e'] })
    await client.account.me()
    const keys = server.requests.map(keyOf)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[1]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[0]).not.toBe(keys[1])
    expect(keys.slice(2)).toEqual([undefined, undefined])
  })

  it('can be passed, and must have the form that the service accepts', async () => {
    const { client, server } = await connect({}, queued)
    await client.alert.send(send, { idempotencyKey: 'order:42' })
    expect(keyOf(server.requests[0])).toBe('order:42')
    for (const idempotencyKey of ['', 'a b', 'x'.repeat(256), 'a\nb']) {
      await expect(client.alert.send(send, { idempotencyKey })).rejects.toThrow(TypeError)
    }
    expect(server.requests).toHaveLength(1)
  })

  it('is not created when that is switched off', async () => {
    const { client, server } = await connect({ idempotency: 'off' }, queued)
    await client.alert.send(send)
    expect(keyOf(server.requests[0])).toBeUndefined()
  })
})

describe('a send of unknown outcome', () => {
  it('is thrown while the host has not echoed a key', async () => {
    const { client, server } = await connect({}, queued, reset)
    await client.alert.send(send)
    expect(await errorFrom(client.alert.send(send))).toMatchObject({ code: 'CONNECTION_FAILED', outcome: 'unknown' })
    expect(server.requests).toHaveLength(2)
  })

  it('is repeated when the caller chose the key, also by a client that has sent nothing before', async () => {
    const { client, server } = await connect({}, failure(500, 'INTERNAL_ERROR'), queued)
    await client.alert.send(send, { idempotencyKey: 'order-7' })
    expect(server.requests.map(keyOf)).toEqual(['order-7', 'order-7'])
  })

  it('is repeated under the same key after one echo', async () => {
    const { client, server } = await connect({}, echoing(queued), reset, reset, echoing(queued))
    await client.alert.send(send)
    await client.otp.send({ phone: '+12025550100' })
    expect(server.requests).toHaveLength(4)
    expect(new Set(server.requests.slice(1).map(keyOf)).size).toBe(1)
    expect(keyOf(server.requests[1])).not.toBe(keyOf(server.requests[0]))
  })

  it('is repeated when the failed response itself echoes the key', async () => {
    const { client, server } = await connect({}, echoing(failure(502, 'GATEWAY_ERROR')), echoing(queued))
    await client.alert.send(send)
    expect(server.requests).toHaveLength(2)
  })

  it('is not repeated when the echo is not the key', async () => {
    const other = json(201, { success: true }, { 'idempotency-key': 'other' })
    const { client, server } = await connect({}, other, reset)
    await client.alert.send(send)
    expect(await errorFrom(client.alert.send(send))).toMatchObject({ outcome: 'unknown' })
    expect(server.requests).toHaveLength(2)
  })

  it('is repeated from the first call on when the setting trusts the host', async () => {
    const { client, server } = await connect({ idempotency: 'trusted' }, reset, queued)
    await client.alert.send(send)
    expect(server.requests).toHaveLength(2)
  })

  it('waits while the first request with the key is still running', async () => {
    const running = failure(409, 'CONFLICT', { reason: 'idempotency_in_progress' }, { 'retry-after': '1' })
    const { client, server, clock } = await connect({}, echoing(queued), hang, echoing(running), echoing(queued))
    await client.alert.send(send)
    const call = client.alert.send(send)
    await server.arrived(2)
    clock.advance(30_000)
    await call
    expect(server.requests).toHaveLength(4)
    expect(clock.waits).toEqual([250, 1_500])
  })

  it('stays unknown when a later attempt is rejected', async () => {
    const { client } = await connect({}, echoing(queued), reset, echoing(failure(401, 'AUTH_ERROR')))
    await client.alert.send(send)
    expect(await errorFrom(client.alert.send(send))).toMatchObject({ code: 'AUTH_ERROR', outcome: 'unknown' })
  })

  it('is decided by the service where it has a record of the send', async () => {
    const settled = echoing(failure(502, 'GATEWAY_ERROR', { outcome: 'not_sent' }))
    const { client } = await connect({ maxRetries: 1 }, echoing(queued), reset, settled)
    await client.alert.send(send)
    expect(await errorFrom(client.alert.send(send))).toMatchObject({ code: 'GATEWAY_ERROR', outcome: 'not_sent' })
  })

  it('is never repeated on a route without keys, however trusted the host', async () => {
    const { client, server } = await connect({ idempotency: 'trusted' }, reset)
    const verify = client.otp.verify({ requestId: '0b9f3c1e-52f4-4ac1-9e7e-6a4f7b1c2d3e', code: '123456' })
    expect(await errorFrom(verify)).toMatchObject({ outcome: 'unknown' })
    const given = client.request('POST', '/otp/verify', {}, { idempotencyKey: 'k' })
    expect(await errorFrom(given)).toMatchObject({ outcome: 'unknown' })
    expect(server.requests).toHaveLength(2)
  })
})
