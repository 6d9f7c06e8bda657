import { afterAll, describe, expect, it } from 'vitest'
import { connect, rows } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { type Answer, type Edge, makeTenant, startEdge } from '#testing/features/http-edge.ts'
import type { HandlerTable } from './mount.ts'

type Unread = NonNullable<NonNullable<HandlerTable['chats']>['unread']>

const id = '018f3b5e-0000-7000-8000-000000000001'
let act: Unread = async () => ({ messages: [] })
const chats: HandlerTable['chats'] = {
  unread: (request, services) => act(request, services),
  ack: async (_request, { db }) => {
    await rows(db, 'select pg_terminate_backend(pg_backend_pid())')
    return { marked: 0 }
  },
}
const alert: HandlerTable['alert'] = {
  send: async () => ({ messageId: id, status: 'queued', priority: 'low', containerId: id }),
}
const stored = { mediaId: id, filename: 'a.bin', mimetype: 'x/y', sizeBytes: 2, expiresAt: '2030-01-01T00:00:00.000Z' }
const media: HandlerTable['media'] = { upload: async () => stored }
const lines: string[] = []
const strict = await startEdge({ chats, alert, media })
const lenient = await startEdge({ chats, alert }, { strict: false, onLog: (line) => lines.push(line) })

async function request(edge: Edge, handler: Unread): Promise<Answer> {
  act = handler
  const { key } = await makeTenant(edge.db)
  return edge.call('GET', '/chats/unread', { key })
}

const wrong: Unread = async () => ({ messages: [{ id: 'secret text' }] }) as never
const unpromised: Unread = async () => Promise.reject(apiError('CAMPAIGN_INVALID_STATE', 'Odd.', { status: 'draft' }))

describe('a field that the route does not have', () => {
  const ignored = async (path: string, body?: object) => {
    act = async () => ({ messages: [] })
    const { key } = await makeTenant(strict.db)
    const answer = await strict.call(body ? 'POST' : 'GET', path, { key, ...(body && { body }) })
    return [answer.status, answer.headers.get('x-ignored-fields')]
  }

  it('is ignored and named in a header, in the query and in the body', async () => {
    expect(await ignored('/chats/unread?limit=5&statuss=failed')).toEqual([200, 'statuss'])
    const send = { phone: '+12025550100', message: 'hi' }
    expect(await ignored('/alert/send?x=1', { ...send, prioritty: 'high', 'a\nb': 1 })).toEqual([201, 'x, prioritty'])
    expect(await ignored('/alert/send', send)).toEqual([201, null])
  })

  it.each([
    ['bytes', '?filename=a&mimetype=x%2Fy', 'application/octet-stream', 'AB', null],
    ['bytes', '?filename=a&typo=x', 'application/octet-stream', 'AB', 'typo'],
    ['JSON', '?filename=a', 'application/json', '{"content":"QUI=","typo":1}', 'filename, typo'],
    ['JSON', '', 'application/json', '{"content":"QUI=","filename":"a"}', null],
  ])('is named for an upload of %s with the query %j', async (_form, query, type, body, names) => {
    const { key } = await makeTenant(strict.db)
    const answer = await strict.call('POST', `/media${query}`, { key, headers: { 'Content-Type': type }, body })
    expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([201, names])
  })

  it('is one of at most 20 in the header', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `f${n}=1`).join('&')
    const [status, names] = await ignored(`/chats/unread?${many}`)
    expect([status, String(names).split(', ').length]).toEqual([200, 20])
  })
})

describe('a handler that breaks the contract', () => {
  it('fails in tests, and the response names the fields', async () => {
    const { status, body } = await request(strict, wrong)
    expect(status).toBe(500)
    expect(body.error.message).toContain(
      'GET /chats/unread answered what it does not promise (messages.0.id: invalid_format',
    )
    expect(body.error.message).not.toContain('secret text')
  })

  it('is logged in production, and its response is sent', async () => {
    const { status, body } = await request(lenient, wrong)
    expect([status, body]).toEqual([200, { success: true, messages: [{ id: 'secret text' }] }])
    expect(lines.join('')).toContain('answered what it does not promise')
    expect(lines.join('')).not.toContain('secret text')
  })

  it('fails in tests by a code that the route does not promise, and is logged in production', async () => {
    expect((await request(strict, unpromised)).body.error).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'GET /chats/unread does not promise the error CAMPAIGN_INVALID_STATE',
    })
    expect((await request(lenient, unpromised)).body.error.code).toBe('CAMPAIGN_INVALID_STATE')
    expect(lines.join('')).toContain('does not promise the error CAMPAIGN_INVALID_STATE')
  })

  it('fails in tests by details that are not those of the catalogue', async () => {
    const { body } = await request(strict, async () =>
      Promise.reject(apiError('PRODUCT_REQUIRED', 'No.', { products: ['gold'] } as never)),
    )
    expect(body.error.message).toContain('answered PRODUCT_REQUIRED with other details (products.0: invalid_value)')
  })

  it('fails in tests by ignoring the transaction of an Idempotency-Key', async () => {
    const { key } = await makeTenant(strict.db)
    const body = { phone: '+12025550100', message: 'x' }
    const { status, body: response } = await strict.call('POST', '/alert/send', {
      key,
      body,
      headers: { 'Idempotency-Key': 'k' },
    })
    expect(status).toBe(500)
    expect(response.error.message).toContain('did not use its transaction')
  })

  it('cannot send a field that is not promised', async () => {
    const { body } = await request(lenient, async () => ({ messages: [], passwordHash: 'x' }) as never)
    expect(body).toEqual({ success: true, messages: [] })
  })
})

describe('a handler that fails', () => {
  it.each([
    ['an error', new Error('the password is hunter2')],
    ['something that is no error', 'hunter2'],
    ['an error with a status', Object.assign(new Error('hunter2'), { status: 404, expose: true })],
  ])('with %s responds with INTERNAL_ERROR and does not reveal the cause', async (_what, thrown) => {
    const { status, body } = await request(lenient, async () => Promise.reject(thrown))
    expect(status).toBe(500)
    expect(body.error).toMatchObject({ code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.' })
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })

  it('leaves its cause in the log, with the request id', async () => {
    const { body } = await request(lenient, async () => Promise.reject(new Error('the cause')))
    const line = lines.map((text) => JSON.parse(text)).find(({ err }) => err?.message === 'the cause')
    expect(line).toMatchObject({ requestId: body.error.requestId, route: 'GET /chats/unread', code: 'INTERNAL_ERROR' })
  })
})

describe('a database that is away', async () => {
  const nowhere = connect('postgres://nobody@127.0.0.1:1/none', { connectTimeoutMs: 500 })
  afterAll(() => nowhere.destroy())
  const away = await startEdge({ chats }, { services: { db: nowhere } })

  it('is SERVICE_BUSY, with the seconds to wait', async () => {
    const { status, body, headers } = await away.call('GET', '/chats/unread', { key: `msk_${'0'.repeat(64)}` })
    expect(status).toBe(503)
    expect(body.error).toMatchObject({ code: 'SERVICE_BUSY', details: { retryAfterSeconds: 2 } })
    expect(headers.get('retry-after')).toBe('2')
  })

  it('in the middle of a change gets a response and does not end the process', async () => {
    const { key } = await makeTenant(lenient.db)
    const { status } = await lenient.call('POST', '/chats/unread/ack', { key, body: { ids: [id] } })
    expect([500, 503]).toContain(status)
    expect((await fetch(`${lenient.server.address}/healthz`)).status).toBe(200)
  })
})
