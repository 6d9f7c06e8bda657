import { describe, expect, it } from 'vitest'
import { connect, errorFrom } from './test/connect.ts'
import { closedPort, failure, hang, json, reset } from './test/scripted-server.ts'

const me = json(200, { success: true, name: 'Ada' })
const id = '0b9f3c1e-52f4-4ac1-9e7e-6a4f7b1c2d3e'
const send = { phone: '+12025550100', message: 'hello' }

describe('retries of a call', () => {
  it('repeat a read after a reset, a proxy error and an internal error, with full jitter', async () => {
    const { client, server, clock } = await connect(
      { maxRetries: 3 },
      reset,
      failure(502, 'X'),
      failure(500, 'INTERNAL_ERROR'),
      me,
    )
    await client.account.me()
    expect(server.requests).toHaveLength(4)
    expect(clock.waits).toEqual([250, 500, 1_000])
  })

  it('end after the allowed number with the last error', async () => {
    const { client, server } = await connect({}, reset, reset, failure(500, 'INTERNAL_ERROR'))
    expect(await errorFrom(client.account.me())).toMatchObject({ code: 'INTERNAL_ERROR', outcome: undefined })
    expect(server.requests).toHaveLength(3)
  })

  it.each(['PUT', 'DELETE'])('never repeat a %s of unknown outcome', async (method) => {
    const { client, server } = await connect({}, reset)
    const call = method === 'PUT' ? client.reminders.update({ id, label: 'x' }) : client.reminders.delete({ id })
    expect(await errorFrom(call)).toMatchObject({ code: 'CONNECTION_FAILED', outcome: 'unknown' })
    expect(server.requests).toHaveLength(1)
  })

  it('repeat a read that uses POST', async () => {
    const { client, server } = await connect({}, reset, json(200, { success: true }))
    await client.alert.validate({ phones: ['+12025550100'] })
    expect(server.requests).toHaveLength(2)
  })

  it('repeat a change that was never sent', async () => {
    const { client, clock } = await connect({ baseUrl: `http://127.0.0.1:${await closedPort()}/api/v1` }, hang)
    const error = await errorFrom(client.otp.verify({ requestId: id, code: '123456' }))
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', outcome: 'not_sent' })
    expect(clock.waits).toHaveLength(2)
  })

  it('wait for Retry-After, and throw at once when it is above the maximum', async () => {
    const short = { scope: 'organization', retryAfterSeconds: 30, limitPerMinute: 300 }
    const long = { ...short, retryAfterSeconds: 31 }
    const { client, clock } = await connect(
      {},
      failure(429, 'RATE_LIMITED', short, { 'retry-after': '30' }),
      failure(429, 'RATE_LIMITED', long, { 'retry-after': '31' }),
    )
    const error = await errorFrom(client.otp.verify({ requestId: id, code: '123456' }))
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 31_000, outcome: 'not_sent' })
    expect(clock.waits).toEqual([30_250])
  })

  it('do not repeat a rejected change without a key and without Retry-After', async () => {
    const { client, server } = await connect({ idempotency: 'off' }, failure(503, 'GATEWAY_SESSION_ERROR'))
    expect(await errorFrom(client.otp.send({ phone: '+12025550100' }))).toMatchObject({ outcome: 'not_sent' })
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    ['TRIAL_LIMIT_REACHED', 429],
    ['OTP_RATE_LIMITED', 429],
    ['OTP_MAX_ATTEMPTS', 429],
    ['NUMBER_NOT_ON_NETWORK', 400],
    ['SECRETS_KEY_MISSING', 503],
  ])('leave %s to the caller', async (code, status) => {
    const { client, server } = await connect(
      { idempotency: 'trusted' },
      failure(status, code, {}, { 'retry-after': '1' }),
    )
    expect(await errorFrom(client.alert.send(send))).toMatchObject({ code, retryAfterMs: 1_000, outcome: 'not_sent' })
    expect(server.requests).toHaveLength(1)
  })

  it('stop when the next attempt would begin after the deadline', async () => {
    const { client, server, clock } = await connect(
      { deadlineMs: 40_000 },
      failure(503, 'SERVICE_BUSY', {}, { 'retry-after': '20' }),
    )
    expect(await errorFrom(client.account.me())).toMatchObject({ code: 'SERVICE_BUSY' })
    expect(server.requests).toHaveLength(2)
    expect(clock.waits).toEqual([20_250])
  })
})
