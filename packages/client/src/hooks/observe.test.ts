import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { MessagingClient } from '../client.ts'
import { isMessagingError, MessagingError } from '../error.ts'
import { fakeService } from '../in-memory/service.ts'
import { apiKey, connect, errorFrom } from '../test/connect.ts'
import { failure, json } from '../test/scripted-server.ts'
import type { AttemptResultInfo, RetryInfo } from './observe.ts'

const send = { phone: '+12025550100', message: 'The secret text' }
const queued = json(201, { success: true, messageId: 'm' })
const busy = failure(503, 'SERVICE_BUSY', { retryAfterSeconds: 1 })

describe('hooks and logger', () => {
  it('report each attempt and wait, without key, phone number and text', async () => {
    const results: AttemptResultInfo[] = []
    const retries: RetryInfo[] = []
    const lines: string[] = []
    const onRequest = vi.fn()
    const { client } = await connect(
      {
        hooks: { onRequest, onResponse: (info) => results.push(info), onRetry: (info) => retries.push(info) },
        logger: { debug: (line) => lines.push(`debug ${line}`), warn: (line) => lines.push(`warn ${line}`) },
      },
      busy,
      queued,
    )
    await client.alert.send(send)
    expect(onRequest.mock.calls.map(([info]) => info)).toEqual([
      { endpoint: 'POST /alert/send', attempt: 1 },
      { endpoint: 'POST /alert/send', attempt: 2 },
    ])
    expect(results).toMatchObject([
      { attempt: 1, status: 503, code: 'SERVICE_BUSY', requestId: 'req-1' },
      { attempt: 2, status: 201, code: undefined, durationMs: expect.any(Number) },
    ])
    expect(retries).toMatchObject([{ attempt: 1, code: 'SERVICE_BUSY', waitMs: expect.any(Number) }])
    expect(lines).toMatchObject([
      expect.stringMatching(/^warn POST \/alert\/send 503 SERVICE_BUSY \d+ ms req-1$/),
      expect.stringMatching(/^debug POST \/alert\/send 201 \d+ ms attempt 2 req-1$/),
    ])
    const everything = JSON.stringify([onRequest.mock.calls, results, retries, lines])
    for (const secret of [apiKey, '2025550100', 'secret text']) expect(everything).not.toContain(secret)
  })

  it('report URLs and bodies when asked, and never the key', async () => {
    const results: AttemptResultInfo[] = []
    const { client } = await connect({ logBodies: true, hooks: { onResponse: (info) => results.push(info) } }, queued)
    await client.alert.send(send)
    expect(results).toMatchObject([
      {
        url: expect.stringMatching(/\/alert\/send$/),
        body: expect.stringContaining('secret text'),
        data: { messageId: 'm' },
      },
    ])
    expect(JSON.stringify(results)).not.toContain(apiKey)
  })

  it('change nothing when they fail', async () => {
    const fail = () => {
      throw new Error('the hook failed')
    }
    const hooks = { onRequest: fail, onResponse: fail, onRetry: fail }
    const { client } = await connect({ hooks, logger: { debug: fail, warn: fail } }, busy, queued)
    expect(await client.alert.send(send)).toMatchObject({ messageId: 'm' })
  })
})

describe('the options of one call', () => {
  it('are maxRetries and deadlineMs too', async () => {
    const { client, server } = await connect({ maxRetries: 2 }, busy, busy, queued)
    expect(await errorFrom(client.alert.send(send, { maxRetries: 0 }))).toMatchObject({ code: 'SERVICE_BUSY' })
    expect(server.requests).toHaveLength(1)
    expect(await errorFrom(client.alert.send(send, { deadlineMs: 500 }))).toMatchObject({ code: 'SERVICE_BUSY' })
    expect(server.requests).toHaveLength(2)
  })

  it.each([{ maxRetries: 11 }, { deadlineMs: 0 }])('are checked: %j', async (options) => {
    const { client, server } = await connect({}, queued)
    await expect(client.alert.send(send, options)).rejects.toThrow(TypeError)
    expect(server.requests).toEqual([])
  })

  it.each(['timeoutMs', 'signal', 'maxRetries', 'deadlineMs', 'headers', 'idempotencyKey'])(
    'are refused as input: %s',
    async (name) => {
      const { client, server } = await connect({}, json(200, {}))
      const calls = { me: client.account.me, list: client.campaigns.list, send: client.alert.send } as Record<
        string,
        (input: object) => Promise<unknown>
      >
      for (const call of Object.values(calls)) {
        await expect(call({ [name]: 300 })).rejects.toMatchObject({
          code: 'INVALID_INPUT',
          message: expect.stringContaining(`${name} is an option. Options are the second argument`),
        })
      }
      expect(server.requests).toEqual([])
    },
  )
})

describe('a client', () => {
  it('is printed in one line, without its key', () => {
    const client = new MessagingClient({ apiKey, baseUrl: 'https://example.com' })
    expect(inspect(client)).toBe('MessagingClient { https://example.com/api/v1 }')
    expect(inspect({ client }, { depth: 5 })).toBe('{ client: MessagingClient { https://example.com/api/v1 } }')
    expect(Object.keys(client)).toContain('alert')
  })

  it('replies in a chat through alert.send', async () => {
    const { client, server } = await connect({}, queued)
    await client.chats.reply({ phone: '+12025550100', message: 'hi', containerId: 'c' })
    expect(server.requests).toMatchObject([{ method: 'POST', path: '/alert/send' }])
  })

  it('asks a function for its key at each attempt', async () => {
    let count = 0
    const next = async () => `key-${++count}`
    const { client, server } = await connect({ apiKey: next }, busy, queued)
    await client.alert.send(send)
    expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['key-1', 'key-2'])
  })

  it('recognizes the errors of each call', async () => {
    const { client } = await connect({}, failure(400, 'OTP_INVALID_CODE', { attemptsRemaining: 2 }))
    const error: unknown = await errorFrom(client.otp.verify({ requestId: 'r', code: '123456' }))
    expect(client.otp.verify.isError(error)).toBe(true)
    expect(client.otp.send.isError(error)).toBe(false)
    expect(client.otp.verify.isError(new Error('other'))).toBe(false)
    expect([isMessagingError(error), error instanceof MessagingError]).toEqual([true, true])
  })
})

describe('a fake service', () => {
  it('names itself in its errors, which the redaction of keys leaves alone', async () => {
    const fake = fakeService()
    const id = '0195a0c0-0000-7000-8000-000000000001'
    fake.failOnce('alert.cancel', 'MESSAGE_NOT_FOUND')
    const client = fake.client()
    const missing = await errorFrom(client.alert.cancel({ messageId: id }))
    expect(missing.message).toBe('The fake failed with MESSAGE_NOT_FOUND, as requested by failOnce.')
    const unset = await errorFrom(client.request('GET', '/openapi.json'))
    expect(unset.message).toContain('The fake has no response for openapi.document')
  })
})
