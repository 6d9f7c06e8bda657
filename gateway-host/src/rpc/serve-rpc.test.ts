import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeHead, maxHeadBytes, notOwnedStatus, signatureHeader, signCall, timeHeader } from '@msgctl/network/wire'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { describe, expect, it } from 'vitest'
import type { HostedNumber } from '../number/number.ts'
import type { CallContext } from './operations.ts'
import { createRpcServer } from './serve-rpc.ts'

const key = randomBytes(32)
const ignore = () => undefined
const ended = new EventEmitter()
const server = createRpcServer({
  key,
  numbers: new Map([['owned', {} as HostedNumber]]),
  context: {} as CallContext,
  log: { info: ignore, warn: ignore },
  observe: ignore,
  end: () => ended.emit('end'),
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
cleanUpAfterFile(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function post(head: Buffer, { signedWith = key, timeMs = Date.now(), body = encodeHead(head), operation = 'qr' } = {}) {
  const signature = signCall(signedWith, { timeMs, operation, head })
  const { port } = server.address() as AddressInfo
  return fetch(`http://127.0.0.1:${port}/rpc/${operation}`, {
    method: 'POST',
    headers: { [timeHeader]: String(timeMs), [signatureHeader]: signature },
    body: new Uint8Array(body),
  })
}

it('has no metrics, which its callers need not see', async () => {
  const { port } = server.address() as AddressInfo
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
})

describe('a call to a host', () => {
  it.each(['not JSON', 'null', '7', '[]', '{}', '{"containerId":7}'])('is refused with the head %s', async (head) => {
    const response = await post(Buffer.from(head))
    expect([response.status, await response.json()]).toMatchObject([409, { kind: 'rejected', outcome: 'not_sent' }])
  })

  it('is refused for a number that the host does not own', async () => {
    expect((await post(Buffer.from('{"containerId":"none"}'))).status).toBe(notOwnedStatus)
  })

  it('is refused with another key, and with an old signature', async () => {
    const head = Buffer.from('{"containerId":"none"}')
    expect((await post(head, { signedWith: randomBytes(32) })).status).toBe(401)
    expect((await post(head, { timeMs: Date.now() - 61_000 })).status).toBe(401)
  })

  it.each<[string, Record<string, string>]>([
    ['no headers', {}],
    ['a time without a signature', { [timeHeader]: String(Date.now()) }],
    ['a signature of another form', { [timeHeader]: String(Date.now()), [signatureHeader]: 'a'.repeat(63) }],
    ['a signature without a time', { [signatureHeader]: 'a'.repeat(64) }],
    ['an old time', { [timeHeader]: String(Date.now() - 61_000), [signatureHeader]: 'a'.repeat(64) }],
    ['a time of another form', { [timeHeader]: ` ${Date.now()}e0`, [signatureHeader]: 'a'.repeat(64) }],
  ])('is refused with %s before its body is read', async (_, headers) => {
    const { port } = server.address() as AddressInfo
    const call = request({ port, host: '127.0.0.1', path: '/rpc/qr', method: 'POST', headers }).on('error', ignore)
    // No byte of the body ever comes.
    call.flushHeaders()
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    expect([response.statusCode, response.headers.connection]).toEqual([401, 'close'])
    call.destroy()
  })

  it('is refused when its head is too long, or shorter than it says', async () => {
    const long = Buffer.alloc(4)
    long.writeUInt32BE(maxHeadBytes + 1)
    expect((await post(Buffer.from('{}'), { body: long })).status).toBe(400)
    long.writeUInt32BE(100)
    expect((await post(Buffer.from('{}'), { body: Buffer.concat([long, Buffer.from('{}')]) })).status).toBe(400)
  })
})

describe('a host that is to end', () => {
  it('responds before it does', async () => {
    const end = once(ended, 'end')
    const response = await post(Buffer.from('{"containerId":"owned","end":true}'), { operation: 'process' })
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { value: { pid: process.pid, isEnding: true } },
    ])
    await end
  })

  it('stays when it is only asked for its process, or does not own the number', async () => {
    let isEnded = false
    ended.once('end', () => {
      isEnded = true
    })
    const asked = await post(Buffer.from('{"containerId":"owned"}'), { operation: 'process' })
    expect(await asked.json()).toMatchObject({ value: { isEnding: false } })
    const other = await post(Buffer.from('{"containerId":"none","end":true}'), { operation: 'process' })
    expect(other.status).toBe(notOwnedStatus)
    expect(isEnded).toBe(false)
    ended.removeAllListeners()
  })
})
