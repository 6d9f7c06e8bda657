import { connect as toServer } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeTenant, startEdge } from '#testing/features/http-edge.ts'
import type { HandlerTable } from './mount.ts'

const id = '018f3b5e-0000-7000-8000-000000000001'
const sent = { messageId: id, status: 'queued', priority: 'low', containerId: id } as const
const never = new Promise<never>(() => undefined)
const workMs = 250
let release: () => void = () => undefined
let work: Promise<unknown> = never
beforeEach(() => {
  work = new Promise<void>((resolve) => {
    release = resolve
  })
})

async function* twoComments(signal: AbortSignal) {
  yield { comment: 'begun' }
  await new Promise((resolve) => setTimeout(resolve, 2 * workMs))
  yield { comment: signal.aborted ? 'cut' : 'still here' }
}

const handlers: HandlerTable = {
  alert: { send: async () => work.then(() => sent) },
  chats: { unread: async () => work.then(() => ({ messages: [] })), ack: async () => work.then(() => ({ marked: 0 })) },
  events: { stream: async ({ signal }) => twoComments(signal) },
}
const lines: string[] = []
const edge = await startEdge(handlers, { workMs, bodyTimeoutMs: 5000, onLog: (line) => lines.push(line) })
const { key } = await makeTenant(edge.db)

describe('a request whose work does not end', () => {
  it('responds with SERVICE_BUSY when it reads', async () => {
    const { status, headers, body } = await edge.call('GET', '/chats/unread', { key })
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_BUSY', '2'])
    expect(lines.join('')).toContain('"event":"request_overdue"')
    expect(lines.join('')).toContain('"route":"GET /chats/unread"')
  })

  it('responds with INTERNAL_ERROR when it may have changed something; of a send, that it may be out', async () => {
    const send = await edge.call('POST', '/alert/send', { key, body: { phone: '+12025550100', message: 'hello' } })
    expect([send.status, send.body.error.code, send.body.error.details]).toEqual([
      500,
      'INTERNAL_ERROR',
      { outcome: 'unknown' },
    ])
    const change = await edge.call('POST', '/chats/unread/ack', { key, body: { ids: [id] } })
    expect([change.status, change.body.error.code, change.body.error.details]).toEqual([
      500,
      'INTERNAL_ERROR',
      undefined,
    ])
  })

  it('drops what it returns too late, and serves the next request', async () => {
    expect((await edge.call('GET', '/chats/unread', { key })).status).toBe(503)
    release()
    expect((await edge.call('GET', '/chats/unread', { key })).body).toEqual({ success: true, messages: [] })
  })

  it('is not one whose body takes longer to arrive', async () => {
    release()
    const { port } = new URL(edge.server.address)
    const body = JSON.stringify({ phone: '+12025550100', message: 'hello' })
    const socket = toServer(Number(port), '127.0.0.1')
    const head = [
      'POST /api/v1/alert/send HTTP/1.1',
      'Host: x',
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
    setTimeout(() => socket.write(body.slice(5)), 2 * workMs)
    let response = ''
    for await (const chunk of socket) response += chunk
    expect(response.split('\r\n')[0]).toBe('HTTP/1.1 201 Created')
  })

  it('is not an event stream', async () => {
    const response = await fetch(`${edge.server.address}/api/v1/events/stream`, { headers: { 'X-API-Key': key } })
    expect(await response.text()).toBe(': begun\n\n: still here\n\n')
  })
})
