import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { saveHost } from '#networks/gateway/waha/host-store.ts'
import { keyLocation } from '#networks/gateway/waha/hosts.ts'
import { eventually } from '#testing/eventually.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const hookKey = 'hook-key'

async function makeHost(): Promise<string> {
  const id = randomUUID()
  const seal = (column: 'key' | 'hook_key') => server.services.secrets.encrypt(hookKey, keyLocation(id, column))
  await saveHost(server.db, {
    id,
    url: `http://127.0.0.1:1/${id}`,
    sealedKey: seal('key'),
    sealedHookKey: seal('hook_key'),
    engine: 'GOWS',
    version: '2026.1.1',
    capacity: 10,
    groups: true,
  })
  return id
}

// A host that is added later is known after a second only.
const [host, other] = [await makeHost(), await makeHost()]

/** What one slow client has received so far. */
interface SlowClient {
  readonly socket: Socket
  received: string
}

/**
 * Begins requests that send one byte of a body and wait. Resolves when the service has begun to handle each of them:
 * Node.js says so to a client that sends Expect.
 */
async function beginSlowly(path: string, count: number, headers: Record<string, string>): Promise<SlowClient[]> {
  const { hostname, port } = new URL(server.address)
  const head = { Host: 'x', 'Content-Length': '1000', Expect: '100-continue', ...headers }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => undefined)
      socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n{`)
      const client = { socket, received: '' }
      socket.on('data', (chunk) => {
        client.received += chunk.toString()
      })
      await once(socket, 'data')
      return client
    }),
  )
}

const statusesOf = (clients: readonly SlowClient[]) =>
  clients
    .flatMap(({ received }) => [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => Number(code)))
    .filter((code) => code !== 100)

const sign = (body: string) => createHmac('sha512', hookKey).update(body).digest('hex')

/** Sends 5 reports of the host, each signed and complete. Returns their statuses. */
async function report(host: string, from: string): Promise<number[]> {
  const body = '{}'
  const headers = { 'x-webhook-hmac': sign(body), 'x-forwarded-for': from }
  const reports = Array.from({ length: 5 }, () =>
    fetch(`${server.address}/gateway/waha/${host}`, { method: 'POST', body, headers }),
  )
  return (await Promise.all(reports)).map(({ status }) => status)
}

const stored = [200, 200, 200, 200, 200]

describe('100 bodies that do not arrive', () => {
  it.each([
    ['for a host that does not exist', `/gateway/waha/${randomUUID()}`, { 'X-Webhook-Hmac': sign('x') }],
    ['for a host whose name is no id', '/gateway/waha/nobody', { 'X-Webhook-Hmac': sign('x') }],
    ['for a driver without hosts', '/gateway/simulator/any', { 'X-Webhook-Hmac': sign('x') }],
    ['for a real host without a signature', `/gateway/waha/${host}`, {}],
    ['for a real host with a word instead of a signature', `/gateway/waha/${host}`, { 'X-Webhook-Hmac': 'word' }],
  ])('%s are refused at once, and keep no report out', async (_what, path, headers) => {
    const slow = await beginSlowly(path, 100, headers)
    expect(await report(host, '203.0.113.1')).toEqual(stored)
    await eventually(
      async () => statusesOf(slow),
      (statuses) => statuses.length === 100,
    )
    expect(new Set(statusesOf(slow))).toEqual(new Set([401]))
  })

  it('for a real host, with a signature of the right form, leave room for reports of that host', async () => {
    const forged = { 'X-Webhook-Hmac': sign('another body'), 'X-Forwarded-For': '198.51.100.9' }
    const slow = await beginSlowly(`/gateway/waha/${host}`, 100, forged)
    expect(await report(host, '203.0.113.1')).toEqual(stored)
    expect(await report(other, '203.0.113.2')).toEqual(stored)
    // What is not read is refused: the rest of the address has to come again.
    await eventually(
      async () => statusesOf(slow),
      (statuses) => statuses.length >= 50,
    )
    expect(new Set(statusesOf(slow))).toEqual(new Set([503]))
  })

  it('from many addresses keep one host out, and no other', async () => {
    const from = (n: number) => ({ 'X-Webhook-Hmac': sign('x'), 'X-Forwarded-For': `198.51.100.${n}` })
    await Promise.all(Array.from({ length: 10 }, (_, n) => beginSlowly(`/gateway/waha/${host}`, 10, from(n))))
    expect(await report(other, '203.0.113.3')).toEqual(stored)
  })
})
