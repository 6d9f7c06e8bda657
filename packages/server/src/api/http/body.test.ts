import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { contract } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { makeTenant, startEdge } from '#testing/features/http-edge.ts'
import { bodyBoundsOf } from './body/scan.ts'
import { ClientDisconnected, readJson } from './body.ts'
import type { HandlerTable } from './mount.ts'

const bodies: unknown[] = []
const numbers: NonNullable<HandlerTable['numbers']> = {
  start: async () => ({ status: 'starting', message: 'It starts.' }),
}
const hasty = await startEdge({ numbers }, { bodyTimeoutMs: 100 })
const edge = await startEdge({
  reminders: {
    create: async ({ body }) => {
      bodies.push(body)
      throw new Error('the test only checks the body')
    },
    import: async ({ body, idempotency }) => {
      bodies.push(body)
      return idempotency.transact(async () => ({ created: body.rows.length, batchId, skipped: [] }))
    },
  },
  numbers,
})
const batchId = '018f3b5e-0000-7000-8000-000000000001'
const { key } = await makeTenant(edge.db)
const { key: hastyKey } = await makeTenant(hasty.db)
const mebibyte = 1024 * 1024

function start(body: unknown, headers?: Record<string, string>) {
  return edge.call('POST', '/session/start', { key, body, ...(headers && { headers }) })
}

async function codeOf(body: unknown, headers?: Record<string, string>): Promise<string> {
  return (await start(body, headers)).body.error.code
}

/** A JSON object of exactly `bytes` bytes. */
function sized(bytes: number): string {
  return `{"x":"${'y'.repeat(bytes - 8)}"}`
}

/** Sends a raw request and returns everything received until the connection closes or `until` matches. */
function raw(lines: string[], body: string, until?: RegExp, port = edge.server.port): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (until?.test(text)) socket.destroy()
    })
    socket.on('close', () => resolve(text)).on('error', reject)
    socket.write(`${['POST /api/v1/session/start HTTP/1.1', 'Host: x', ...lines].join('\r\n')}\r\n\r\n${body}`)
  })
}

describe('a body', () => {
  it('may be missing where every field is optional', async () => {
    expect((await start(undefined)).status).toBe(200)
    expect((await start('')).status).toBe(200)
    expect((await start(undefined, { 'Content-Type': 'text/plain' })).status).toBe(200)
  })

  it('that is missing where fields are required lacks those fields', async () => {
    const { body } = await edge.call('POST', '/reminders', { key })
    expect(body.error.issues).toContainEqual({ field: 'phone', code: 'required', message: 'is required' })
  })

  it('may have unknown fields', async () => {
    expect((await start({ unknown: true })).status).toBe(200)
  })

  it('may have as many bytes as allowed, and not one more', async () => {
    expect((await start(sized(mebibyte))).status).toBe(200)
    const { status, body } = await start(sized(mebibyte + 1))
    expect(status).toBe(413)
    expect(body.error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { maxBytes: mebibyte } })
  })

  it('may have 16 MiB on bulk routes', async () => {
    const rows = [{ phone: '+12025550100', sendAt: '2020-01-01T00:00:00Z' }]
    const bulk = (pad: number) =>
      edge.call('POST', '/reminders/import', {
        key,
        body: JSON.stringify({ message: 'x', rows }) + ' '.repeat(pad),
      })
    expect((await bulk(15 * mebibyte)).status).toBe(201)
    expect((await bulk(16 * mebibyte)).body.error).toMatchObject({ details: { maxBytes: 16 * mebibyte } })
  })

  it('is counted as it arrives when its length was not declared', async () => {
    const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`
    const head = [`X-API-Key: ${key}`, 'Transfer-Encoding: chunked', 'Content-Type: application/json']
    const answer = await raw(head, chunk.repeat(17), /requestId/)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('PAYLOAD_TOO_LARGE')
  })

  it('is refused at once when its declared length is too large', async () => {
    const answer = await raw([`X-API-Key: ${key}`, `Content-Length: ${64 * mebibyte}`], '', /requestId/)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('that does not arrive in time is refused, and its connection is closed', async () => {
    const answer = await raw([`X-API-Key: ${hastyKey}`, 'Content-Length: 10'], '{"x"', undefined, hasty.server.port)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('did not arrive within 0.1 s')
  })

  it.each([
    ['text that is no JSON', '{"phone":', {}],
    ['nothing but spaces', '  ', {}],
    ['JSON without its media type', '{}', { 'Content-Type': 'text/plain' }],
    ['a form', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['another charset', '{}', { 'Content-Type': 'application/json; charset=latin1' }],
    ['compressed JSON', gzipSync('{}'), { 'Content-Encoding': 'gzip' }],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}],
    ['lists nested without end', '['.repeat(100_000) + ']'.repeat(100_000), {}],
    ['33 levels', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, {}],
  ])('is INVALID_JSON when it is %s', async (_what, body, headers) => {
    expect(await codeOf(body, headers)).toBe('INVALID_JSON')
  })

  it.each([
    ['32 levels', `${'{"a":'.repeat(32)}1${'}'.repeat(32)}`, {}],
    ['a charset of UTF-8', '{}', { 'Content-Type': 'Application/JSON; charset="UTF-8"' }],
    ['an encoding that changes nothing', '{}', { 'Content-Encoding': 'identity' }],
    ['a byte order mark', '\ufeff{}', {}],
  ])('may have %s', async (_what, body, headers) => {
    expect((await start(body, headers)).status).toBe(200)
  })

  it('is freed of every __proto__', async () => {
    const body =
      '{"phone":"+12025550100","message":"x","sendAt":"2090-01-01T00:00:00Z","__proto__":{"repeat":"daily"},' +
      '"variables":{"__proto__":"x","\\u005f_proto__":"y","a":"b"}}'
    await edge.call('POST', '/reminders', { key, body })
    const read = bodies.pop() as { variables: object; repeat: string }
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect(read.repeat).toBe('none')
    expect(Object.keys(read.variables)).toEqual(['a'])
  })
})

describe('a caller that leaves in the middle of its body', () => {
  it('does no harm', async () => {
    await new Promise<void>((resolve) => {
      const socket = net.connect(edge.server.port, '127.0.0.1', () => {
        const head = ['POST /api/v1/session/start HTTP/1.1', 'Host: x', `X-API-Key: ${key}`, 'Content-Length: 99']
        socket.write(`${head.join('\r\n')}\r\n\r\n{`, () => socket.resetAndDestroy())
      })
      socket.on('close', () => resolve())
    })
    expect((await start({})).status).toBe(200)
  })
})

describe('a request that was closed before its body is read', () => {
  it('is refused at once, and does not hold its permit until the body times out', async () => {
    const request = new IncomingMessage(new net.Socket())
    Object.assign(request.headers, { 'content-type': 'application/json', 'content-length': '10' })
    request.destroy()
    await once(request, 'close')
    const bounds = { ...bodyBoundsOf(contract.campaigns.create), timeoutMs: 200 }
    await expect(readJson(request, bounds)).rejects.toBeInstanceOf(ClientDisconnected)
  })
})
