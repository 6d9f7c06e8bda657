import { describe, expect, it } from 'vitest'
import { handlers } from '../handlers.ts'
import { makeTenant, startEdge } from './test-edge.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const containerId = '018f3b5e-0000-7000-8000-000000000001'
const messageId = '018f3b5e-0000-7000-8000-000000000002'

const edge = await startEdge({
  ...handlers,
  alert: {
    send: async ({ body }) => ({ messageId, status: 'queued', priority: body.priority, containerId }),
  },
})
const tenant = await makeTenant(edge.db)

describe('the edge', () => {
  it('answers a route with its status, its success and the body of the handler', async () => {
    const answer = await edge.call('POST', '/alert/send', {
      key: tenant.key,
      body: { phone: '+1 202 555 0100', message: 'hi' },
    })
    expect(answer.body).toEqual({ success: true, messageId, status: 'queued', priority: 'normal', containerId })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('x-request-id')).toMatch(uuid)
  })

  it('serves the OpenAPI document without a key', async () => {
    const { status, body } = await edge.call('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(body.openapi).toBe('3.1.0')
  })
})
