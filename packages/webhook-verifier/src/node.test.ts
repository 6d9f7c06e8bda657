import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { HandlerOptions } from './handler.ts'
import { createListener, verifyRequest } from './node.ts'
import type { AdapterOptions } from './respond.ts'
import { body, now, otherSecret, reasonOf, secret, signedHeaders } from './test/signed-delivery.ts'

const servers: ReturnType<typeof createServer>[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function receive(
  options: Partial<HandlerOptions & AdapterOptions> = {},
  handle = (_error: string): unknown => undefined,
) {
  const errors: unknown[] = []
  const defaults = { secret, now, onError: (error: unknown) => errors.push(error) }
  const listener = createListener(
    { 'message.failed': (event) => handle(event.data.error) },
    { ...defaults, ...options },
  )
  const port = await serve(listener)
  const post = async (text: string, headers: Record<string, string>) => {
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: text, headers })
    return [response.status, await response.text()]
  }
  return { post, port, errors }
}

describe('createListener', () => {
  it('runs the handler and responds with 204', async () => {
    const seen: string[] = []
    const { post } = await receive({}, (error) => seen.push(error))
    expect(await post(body, await signedHeaders())).toEqual([204, ''])
    expect(seen).toEqual(['not on the network'])
  })

  it.each([
    ['a changed body', `${body} `, {}, 401, 'no_matching_signature'],
    ['another secret', body, { secret: otherSecret }, 401, 'no_matching_signature'],
    ['a broken header', body, { extra: { 'x-service-signature': 't=1' } }, 400, 'malformed_header'],
    ['no signature', body, { extra: { 'x-service-signature': '' } }, 401, 'missing_header'],
  ])('refuses %s and says why', async (_case, text, signing, status, reason) => {
    const { post, errors } = await receive({}, () => expect.fail())
    expect(await post(text, await signedHeaders(signing))).toEqual([status, JSON.stringify({ reason })])
    expect(errors).toMatchObject([{ reason }])
  })

  it.each([
    ['old', 301, 'timestamp_too_old'],
    ['new', -301, 'timestamp_too_new'],
  ])('refuses a signature that is too %s', async (_side, seconds, reason) => {
    const { post } = await receive({ now: () => now() + seconds * 1000 }, () => expect.fail())
    expect(await post(body, await signedHeaders())).toEqual([401, JSON.stringify({ reason })])
  })

  it('accepts the second of two secrets', async () => {
    const { post } = await receive({ secret: [otherSecret, secret] })
    expect(await post(body, await signedHeaders())).toEqual([204, ''])
  })

  it('responds with 500 when the handler fails, and calls onError', async () => {
    const { post, errors } = await receive({}, () => {
      throw new Error('the database is away')
    })
    expect(await post(body, await signedHeaders())).toEqual([500, JSON.stringify({ reason: 'handler_failed' })])
    expect(errors).toMatchObject([{ message: 'the database is away' }])
  })

  it('responds with 500 for mistakes of the receiver itself', async () => {
    const { post } = await receive({ secret: () => 'whsec_short' })
    expect(await post(body, await signedHeaders())).toEqual([500, JSON.stringify({ reason: 'malformed_secret' })])
  })

  it('refuses a body that is announced as too large before reading it', async () => {
    const { port } = await receive({ maxBodyBytes: 100 })
    const answer = await raw(port, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 101\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*connection: close.*\{"reason":"body_too_large"\}/is)
  })

  it('stops reading a body that grows too large without being announced', async () => {
    const { port } = await receive({ maxBodyBytes: 100 })
    const chunk = `40\r\n${'x'.repeat(64)}\r\n`
    const answer = await raw(port, `POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${chunk}${chunk}`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*\{"reason":"body_too_large"\}/is)
  })

  it('takes a body of exactly maxBodyBytes that comes in pieces', async () => {
    const { port } = await receive({ maxBodyBytes: body.length })
    const [first, second] = [body.slice(0, 50), body.slice(50)]
    const headers = Object.entries(await signedHeaders()).map(([name, value]) => `${name}: ${value}\r\n`)
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
    const fixed = 'host: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n'
    const head = `POST / HTTP/1.1\r\n${fixed}${headers.join('')}\r\n`
    expect(await raw(port, `${head}${chunk(first)}${chunk(second)}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 204 /)
  })

  it('gives up when the sender disconnects', async () => {
    const listener = createListener({}, { secret, onError: (error) => heard(error) })
    let heard: (error: unknown) => void = () => {}
    const error = new Promise((resolve) => {
      heard = resolve
    })
    const port = await serve(async (request, response) => {
      request.once('data', () => socket.destroy())
      await listener(request, response)
    })
    const socket = connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 50\r\n\r\nhalf')
    expect(await error).toMatchObject({ reason: 'body_incomplete' })
  })
})

describe('verifyRequest', () => {
  it('refuses a request that ended early', async () => {
    let outcome = (_reason: unknown) => {}
    const reason = new Promise((resolve) => {
      outcome = resolve
    })
    const port = await serve(async (request) => {
      request.destroy()
      await once(request, 'close')
      outcome(await reasonOf(verifyRequest(request, secret)))
    })
    await raw(port, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 50\r\n\r\nhalf')
    expect(await reason).toBe('body_incomplete')
  })

  /** Serves one request whose body a framework has already processed, and returns the outcome. */
  async function outcomeBehind(prepare: (request: IncomingMessage) => unknown) {
    const port = await serve(async (request, response) => {
      await prepare(request)
      response.end(await reasonOf(verifyRequest(request, secret, { now })))
    })
    const init = { method: 'POST', body, headers: await signedHeaders() }
    return (await fetch(`http://127.0.0.1:${port}`, init)).text()
  }

  async function readAll(request: IncomingMessage) {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  it('reads a request that was not read yet', async () => {
    expect(await outcomeBehind(() => {})).toBe('accepted')
  })

  it('takes the raw body a framework kept, as express.raw does', async () => {
    const asBody = async (request: IncomingMessage) => Object.assign(request, { body: await readAll(request) })
    expect(await outcomeBehind(asBody)).toBe('accepted')
  })

  it('prefers rawBody to a parsed body', async () => {
    const both = async (request: IncomingMessage) => {
      const rawBody = await readAll(request)
      Object.assign(request, { rawBody, body: JSON.parse(rawBody.toString()) })
    }
    expect(await outcomeBehind(both)).toBe('accepted')
  })

  it('refuses a parsed body, and a body that was read and dropped', async () => {
    const parsed = async (request: IncomingMessage) =>
      Object.assign(request, { body: JSON.parse((await readAll(request)).toString()) })
    expect(await outcomeBehind(parsed)).toBe('raw_body_required')
    expect(await outcomeBehind(readAll)).toBe('raw_body_required')
  })
})

/** Writes bytes to the server and collects its response until it closes the connection. */
async function raw(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  let answer = ''
  socket.on('data', (piece) => {
    answer += piece
  })
  await once(socket, 'close')
  return answer
}
