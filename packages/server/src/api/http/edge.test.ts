import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { makeKey, makeTenant, makeToken, startEdge } from '#testing/features/http-edge.ts'
import { openapiHandlers } from '#web/openapi/routes.ts'
import type { Request } from './handler.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const containerId = '018f3b5e-0000-7000-8000-000000000001'
const messageId = '018f3b5e-0000-7000-8000-000000000002'
const good = { phone: '+1 202 555 0100', message: 'hi' }

const edge = await startEdge({
  openapi: openapiHandlers,
  alert: {
    send: async ({ body }) => ({ messageId, status: 'queued', priority: body.priority, containerId }),
  },
  chats: {
    unread: async () => ({ messages: [] }),
    thread: async ({ params }) => ({ phone: params.phone, name: null, messages: [] }),
  },
  messages: {
    get: async () => {
      throw apiError('MESSAGE_NOT_FOUND', 'There is no such message.')
    },
  },
  contacts: { update: async () => Promise.reject(apiError('NOT_FOUND', 'There is no such contact.')) },
  numbers: {
    start: async () => ({ status: 'starting', message: 'It starts.' }),
    create: async () => Promise.reject(apiError('INTERNAL_ERROR', 'The handler must not be reached.')),
  },
  account: { generateKey: async () => Promise.reject(apiError('CONFLICT', 'It has one.', { reason: 'key_exists' })) },
})
const tenant = await makeTenant(edge.db)

describe('a response', () => {
  it('has the status of its route, success, and the body of the handler', async () => {
    const answer = await edge.call('POST', '/alert/send', { key: tenant.key, body: good })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ success: true, messageId, status: 'queued', priority: 'normal', containerId })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('has no success where the route promises none', async () => {
    const answer = await edge.call('POST', '/session/start', { key: tenant.key })
    expect(answer.body).toEqual({ status: 'starting', message: 'It starts.' })
  })

  it('of a public route needs no credentials, and reads none', async () => {
    const { status, body } = await edge.call('GET', '/openapi.json', { key: 'nonsense' })
    expect(status).toBe(200)
    expect(body.openapi).toBe('3.1.0')
  })

  it('carries a request id of our own, and never the one that was sent', async () => {
    const first = await edge.call('GET', '/chats/unread', { key: tenant.key, headers: { 'X-Request-Id': 'mine' } })
    const second = await edge.call('GET', '/chats/unread', { key: tenant.key })
    const ids = [first, second].map(({ headers }) => headers.get('x-request-id'))
    expect(ids).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)])
    expect(ids[0]).not.toBe(ids[1])
  })
})

describe('an error', () => {
  it('comes in the envelope, with the request id of its header', async () => {
    const { status, body, headers } = await edge.call('GET', `/messages/${messageId}`, { key: tenant.key })
    expect(status).toBe(404)
    expect(body).toEqual({
      success: false,
      error: {
        code: 'MESSAGE_NOT_FOUND',
        message: 'There is no such message.',
        requestId: headers.get('x-request-id'),
      },
    })
  })

  it.each([
    ['GET', '/nowhere'],
    ['PATCH', '/alert/send'],
    ['GET', '/alert/send'],
    ['HEAD', '/chats/unread'],
    ['OPTIONS', '/alert/send'],
    ['POST', '/ALERT/SEND'],
    ['GET', '/chats/unread/'],
    ['POST', '/alert/batch'],
  ])('is ROUTE_NOT_FOUND for %s %s, with or without credentials', async (method, path) => {
    const { status, headers, body } = await edge.call(method, path, { key: tenant.key })
    expect(status).toBe(404)
    expect(headers.get('x-request-id')).toMatch(uuid)
    if (method !== 'HEAD') {
      expect(body.error).toMatchObject({
        code: 'ROUTE_NOT_FOUND',
        message: 'No route matches this method and path.',
      })
    }
    const stranger = await edge.call(method, path)
    expect(stranger.status).toBe(404)
  })

  it('is ROUTE_NOT_FOUND outside of the API too, with the prefix that a base URL may lack', async () => {
    for (const path of ['/', '/alert/send', '/api/v2/alert/send']) {
      const response = await fetch(`${edge.server.address}${path}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({
        error: { code: 'ROUTE_NOT_FOUND', message: expect.stringContaining('begin with /api/v1/') },
      })
    }
  })
})

describe('a path', () => {
  it('with a fixed word is that route, not a parameter', async () => {
    expect((await edge.call('GET', '/chats/unread', { key: tenant.key })).body).toEqual({ success: true, messages: [] })
    const thread = await edge.call('GET', '/chats/%2B1%20202%20555%200100', { key: tenant.key })
    expect(thread.body).toMatchObject({ phone: '12025550100' })
  })

  it('with a bad id is INVALID_ID, with a bad phone VALIDATION_ERROR', async () => {
    const id = await edge.call('GET', '/messages/nope', { key: tenant.key })
    expect([id.status, id.body.error.code]).toEqual([400, 'INVALID_ID'])
    const phone = await edge.call('GET', '/chats/nope', { key: tenant.key })
    expect(phone.body.error).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ field: 'phone' }] })
    const broken = await edge.call('GET', '/chats/%E0%A4%A', { key: tenant.key })
    expect(broken.body.error.code).toBe('VALIDATION_ERROR')
  })
})

describe('the checks come in their order', () => {
  const tooLarge = 'x'.repeat(1024 * 1024 + 1)

  async function code(method: string, path: string, init: Parameters<typeof edge.call>[2]): Promise<string> {
    return (await edge.call(method, path, init)).body.error.code
  }

  it('a stranger learns nothing about shapes', async () => {
    expect(await code('POST', '/alert/send', { body: tooLarge })).toBe('AUTH_ERROR')
    expect(await code('GET', '/messages/nope', {})).toBe('AUTH_ERROR')
  })

  it('from a deactivated organization to a missing product', async () => {
    const { organizationId, key } = await makeTenant(edge.db, ['notify'])
    const numberKey = await makeKey(edge.db, organizationId, '018f3b5e-0000-7000-8000-00000000000c')
    const member = { headers: { Authorization: `Bearer ${await makeToken(edge.db, organizationId, 'member')}` } }
    expect(await code('GET', '/messages/nope', { key: numberKey })).toBe('NUMBER_KEY_SCOPE')
    expect(await code('POST', '/session', { key, body: tooLarge })).toBe('USER_REQUIRED')
    expect(await code('POST', '/session', { ...member, body: tooLarge })).toBe('ROLE_FORBIDDEN')
    expect(await code('GET', '/chats/nope', { key })).toBe('PRODUCT_REQUIRED')
    await rows(edge.db, 'update organizations set deactivated_at = service_now() where id = :organizationId', {
      organizationId,
    })
    expect(await code('GET', '/messages/nope', { key: numberKey })).toBe('ACCOUNT_DEACTIVATED')
    expect(await code('POST', '/session', { ...member, body: tooLarge })).toBe('ACCOUNT_DEACTIVATED')
  })

  it('from an organization without products to the fields', async () => {
    const { organizationId, key } = await makeTenant(edge.db, [])
    const send = (body: unknown) => code('POST', '/alert/send', { key, body })
    expect(await send(tooLarge)).toBe('NO_ACTIVE_PRODUCT')
    await rows(edge.db, `insert into change_limits values (:organizationId, service_now() + interval '10 min')`, {
      organizationId,
    })
    expect(await send(tooLarge)).toBe('NO_ACTIVE_PRODUCT')
    await rows(edge.db, `insert into organization_products values (:organizationId, 'connect', service_now(), null)`, {
      organizationId,
    })
    expect(await send(tooLarge)).toBe('RATE_LIMITED')
    await rows(edge.db, 'delete from change_limits where organization_id = :organizationId', { organizationId })
    expect(await send(tooLarge)).toBe('PAYLOAD_TOO_LARGE')
    expect(await send('{')).toBe('INVALID_JSON')
    expect(await code('PUT', '/contacts/nope', { key, body: '{' })).toBe('INVALID_JSON')
    expect(await code('PUT', '/contacts/nope', { key, body: { optedOut: 7 } })).toBe('INVALID_ID')
    expect(await code('PUT', `/contacts/${messageId}`, { key, body: { optedOut: 7 } })).toBe('VALIDATION_ERROR')
  })
})

describe('a handler', async () => {
  const seen: Request<never>[] = []
  const own = await startEdge(
    {
      chats: {
        unread: async (request) => {
          seen.push(request as never)
          return { messages: [] }
        },
      },
    },
    { env: { TRUSTED_PROXIES: '127.0.0.1' } },
  )

  it('is given the facts of the request and nothing of Koa', async () => {
    const { key, organizationId } = await makeTenant(own.db)
    const { headers } = await own.call('GET', '/chats/unread?limit=7', {
      key,
      headers: { 'X-Forwarded-For': '198.51.100.7', 'Last-Event-ID': '42' },
    })
    const request = seen.pop() as unknown as Record<string, unknown>
    expect(Object.keys(request).sort()).toEqual(['body', 'caller', 'file', 'idempotency', 'params', 'query', 'raw'])
    expect(request).toMatchObject({
      requestId: headers.get('x-request-id'),
      ip: '198.51.100.7',
      lastEventId: '42',
      params: {},
      query: { limit: 7 },
      body: {},
      signal: expect.any(AbortSignal),
      caller: { organizationId },
      idempotency: { key: null },
      cookie: expect.any(Function),
      origin: { ip: '198.51.100.7', requestId: headers.get('x-request-id'), userAgent: null },
    })
  })
})
