import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { InboxFull } from '#networks/gateway/inbox/inbox.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { gateway } = server.services

/** Makes the next requests be read and taken as `receive` says. */
function takes(receive: typeof gateway.receive) {
  const { admits, receive: original } = gateway
  Object.assign(gateway, { receive, admits: async () => true })
  onTestFinished(() => void Object.assign(gateway, { receive: original, admits }))
}

const post = (path: string, body: string | Uint8Array<ArrayBuffer> = '{}', headers: Record<string, string> = {}) =>
  fetch(`${server.address}${path}`, { method: 'POST', body, headers })

describe('POST /gateway/:driver/:hostId', () => {
  it('passes the bytes and headers on as they came, and responds when they are stored', async () => {
    const taken: unknown[] = []
    takes(async (driver, host, raw, headers) => {
      taken.push([driver, host, Buffer.from(raw).toString('latin1'), headers['x-signature']])
      return 'stored'
    })
    const response = await post('/gateway/waha/host-1', Buffer.from([0x7b, 0, 0xff]), { 'x-signature': 'abc' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(taken).toEqual([['waha', 'host-1', '{\0\xff', 'abc']])
  })

  it.each([
    ['a request that is not signed', '/gateway/waha/host-1'],
    ['a driver that takes no reports', '/gateway/simulator/any'],
    ['a driver that there is not', '/gateway/nothing/any'],
  ])('responds with 401 and nothing else to %s', async (what, path) => {
    if (what.includes('signed')) takes(async () => 'refused')
    const response = await post(path)
    expect([response.status, await response.text()]).toEqual([401, ''])
  })

  it('responds with 503 while the inbox is full, and 500 when the report could not be stored', async () => {
    takes(async () => {
      throw new InboxFull('too many')
    })
    const full = await post('/gateway/waha/host-1')
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '1'])
    takes(async () => {
      throw new Error('a fault')
    })
    expect((await post('/gateway/waha/host-1')).status).toBe(500)
  })

  it('refuses a body of more than 1 MiB, announced or not', async () => {
    const calls: number[] = []
    takes(async (_driver, _host, raw) => {
      calls.push(raw.length)
      return 'stored'
    })
    const mib = 1024 * 1024
    expect((await post('/gateway/waha/host-1', Buffer.alloc(mib))).status).toBe(200)
    expect((await post('/gateway/waha/host-1', Buffer.alloc(mib + 1))).status).toBe(413)
    const { hostname, port } = new URL(server.address)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.write('POST /gateway/waha/host-1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    for (let n = 0; n < 17; n++) socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /)
    expect(calls).toEqual([mib])
  })

  it.each(['/gateway/waha', '/gateway/waha/a/b', '/gateway/WAHA/a', '/gateway/waha/a.b', '/api/v1/gateway/waha/a'])(
    'is no route at %s',
    async (path) => {
      expect((await post(path)).status).toBe(404)
    },
  )

  it('takes no other method', async () => {
    expect((await fetch(`${server.address}/gateway/waha/host-1`)).status).toBe(404)
  })
})
