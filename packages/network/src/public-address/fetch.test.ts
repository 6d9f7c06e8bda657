// Canary of packages/network/src/public-address/agent.ts: no address of a stranger leads to a private one.
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { collectGarbage } from '../testing/collect-garbage.ts'
import { readRanges } from './address.ts'
import { publicAgent } from './agent.ts'
import { PublicFetchError } from './failure.ts'
import { openPublicFetch, type PublicFetch, type PublicRequest } from './fetch.ts'

const loopback = ['127.0.0.1/32']
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

interface Receiver {
  readonly port: number
  /** Connections that arrived, whatever came over them. */
  connections(): number
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<Receiver> {
  let count = 0
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    count += 1
    open.add(socket.on('error', () => undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, connections: () => count }
}

const web = (listener: RequestListener) => listening(createServer(listener))
/** Starts a server that responds to every connection with exactly these bytes. */
const raw = (answer: string, thenEnd = false) =>
  listening(
    createTcpServer((socket) => socket.once('data', () => (thenEnd ? socket.end(answer) : socket.write(answer)))),
  )

function opened(allowed: readonly string[], answers: Record<string, string[]> = {}): PublicFetch {
  const fetch = openPublicFetch(allowed, async (name) => answers[name] ?? [])
  ends.push(fetch.close)
  return fetch
}

function get(url: string, options: Partial<PublicRequest> = {}): PublicRequest {
  return { url, method: 'GET', headers: {}, deadlineMs: 5000, maxBytes: 1000, maxRedirects: 3, ...options }
}

async function text(fetch: PublicFetch, wanted: PublicRequest): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of (await fetch(wanted)).body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** The reason a fetch, or reading its body, failed for. */
async function failure(fetch: PublicFetch, wanted: PublicRequest): Promise<string> {
  return text(fetch, wanted).then(
    (body) => `no failure, but ${body}`,
    (error: unknown) => (error instanceof PublicFetchError ? error.reason : String(error)),
  )
}

describe('where a connection may go', () => {
  it('refuses a literal in the connector itself, before any socket', async () => {
    const receiver = await web((_request, response) => response.end())
    const agent = publicAgent(readRanges([]), async () => [])
    ends.push(() => agent.close())
    const dispatcher = await agent.get()
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '0.0.0.0'])
      await expect(request(`http://${host}:${receiver.port}`, { dispatcher })).rejects.toThrow('not public')
    expect(receiver.connections()).toBe(0)
  })

  it('judges the address that the connected socket really has', async () => {
    const receiver = await web((_request, response) => response.end())
    // To connect to 0.0.0.0 is to connect to this machine, by its loopback address.
    expect(await failure(opened(['0.0.0.0/32']), get(`http://0.0.0.0:${receiver.port}/`))).toBe('refused')
  })

  it.each([
    ['a private address', ['10.0.0.1']],
    ['an address that is not a plain one', ['fe80::1%eth0']],
    ['a good address and a private one', ['127.0.0.1', '10.0.0.1']],
    ['a private address in IPv6 clothes', ['127.0.0.1', '::ffff:10.0.0.1']],
    ['no address', []],
  ])('refuses a name that resolves to %s', async (_what, addresses) => {
    const receiver = await web((_request, response) => response.end())
    const fetch = opened(loopback, { 'trap.example': addresses })
    expect(await failure(fetch, get(`http://trap.example:${receiver.port}/`))).toBe('refused')
    expect(receiver.connections()).toBe(0)
  })

  it('refuses a name that was good and changed to a private address', async () => {
    const receiver = await web((_request, response) => response.setHeader('connection', 'close').end('good'))
    const answers = { 'rebind.example': ['127.0.0.1'] }
    const fetch = opened(loopback, answers)
    const wanted = get(`http://rebind.example:${receiver.port}/`)
    expect(await text(fetch, wanted)).toBe('good')
    answers['rebind.example'] = ['127.0.0.2']
    expect(await failure(fetch, wanted)).toBe('refused')
    expect(receiver.connections()).toBe(1)
  })

  it('reaches localhost by the loopback address that is allowed, without asking anybody', async () => {
    const receiver = await web((_request, response) => response.end('here'))
    expect(await text(opened(loopback), get(`http://localhost:${receiver.port}/`))).toBe('here')
  })

  it('reports every failure in the same words', async () => {
    const closed = await web((_request, response) => response.end())
    await ends.pop()?.()
    const fetch = opened(loopback)
    const messages = await Promise.all(
      [`http://127.0.0.1:${closed.port}/`, 'http://10.0.0.1/', 'http://nowhere.example/'].map((url) =>
        fetch(get(url)).catch((error: Error) => error.message),
      ),
    )
    expect(new Set(messages).size).toBe(1)
    expect(messages[0]).toContain('could not be reached')
  })
})

describe('redirects', () => {
  it('are followed three times and not a fourth', async () => {
    const receiver = await web(({ url }, response) => {
      const left = Number(url?.slice(1))
      if (left === 0) response.end('arrived')
      else response.writeHead(302, { location: `/${left - 1}` }).end('moved')
    })
    const at = (left: number) => get(`http://127.0.0.1:${receiver.port}/${left}`)
    expect(await text(opened(loopback), at(3))).toBe('arrived')
    expect(await failure(opened(loopback), at(4))).toBe('redirects')
  })

  it.each(['http://127.0.0.2/', 'http://[::1]/', 'http://inside.example/', 'file:///etc/passwd'])(
    'to %s are refused',
    async (location) => {
      const receiver = await web((_request, response) => response.writeHead(302, { location }).end())
      const fetch = opened(loopback, { 'inside.example': ['192.168.0.1'] })
      expect(await failure(fetch, get(`http://127.0.0.1:${receiver.port}/`))).toBe('refused')
    },
  )

  it('are answered as they are when none may be followed', async () => {
    const receiver = await web((_request, response) => response.writeHead(307, { location: '/next' }).end())
    const answer = await opened(loopback)(get(`http://127.0.0.1:${receiver.port}/`, { maxRedirects: 0 }))
    await answer.discard()
    expect(answer.status).toBe(307)
    expect(receiver.connections()).toBe(1)
  })
})

describe('bounds of an answer', () => {
  const ok = 'HTTP/1.1 200 OK\r\n'

  it('ends at the deadline when headers never come', async () => {
    const receiver = await raw('')
    expect(await failure(opened(loopback), get(`http://127.0.0.1:${receiver.port}/`, { deadlineMs: 50 }))).toBe(
      'timeout',
    )
  })

  it('ends at the deadline in the middle of a slow body', async () => {
    const receiver = await raw(`${ok}content-length: 100\r\n\r\nslow`)
    expect(await failure(opened(loopback), get(`http://127.0.0.1:${receiver.port}/`, { deadlineMs: 50 }))).toBe(
      'timeout',
    )
  })

  it('ends at the deadline although garbage is collected in the middle of a body that drips', async () => {
    const receiver = await web((_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => {
        response.write('%')
        collectGarbage()
      }, 20)
      response.once('close', () => clearInterval(drip))
    })
    const caller = new AbortController()
    const wanted = get(`http://127.0.0.1:${receiver.port}/`, { deadlineMs: 200, signal: caller.signal })
    expect(await failure(opened(loopback), wanted)).toBe('timeout')
  })

  it('stops reading an endless body at the cap', async () => {
    const receiver = await web((_request, response) => {
      const more = () => void (response.write('x'.repeat(500)) && setImmediate(more))
      response.on('drain', more)
      more()
    })
    expect(await failure(opened(loopback), get(`http://127.0.0.1:${receiver.port}/`))).toBe('too_large')
  })

  it('never inflates a compressed body', async () => {
    const bomb = gzipSync(Buffer.alloc(500_000))
    const receiver = await web((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
    const { body } = await opened(loopback)(get(`http://127.0.0.1:${receiver.port}/`))
    let bytes = 0
    for await (const chunk of body) bytes += chunk.length
    expect(bytes).toBe(bomb.length)
  })

  it('fails a body that is shorter than it said', async () => {
    const receiver = await raw(`${ok}content-length: 100\r\n\r\nshort`, true)
    expect(await failure(opened(loopback), get(`http://127.0.0.1:${receiver.port}/`))).toBe('unreachable')
  })

  it('reads no more of a body than its stated length', async () => {
    const receiver = await raw(`${ok}content-length: 4\r\n\r\nfour and a lot more`, true)
    expect(await failure(opened(loopback), get(`http://127.0.0.1:${receiver.port}/`))).not.toContain('more')
  })

  it('refuses more than 16 KiB of headers', async () => {
    const receiver = await raw(`${ok}x-big: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(await failure(opened(loopback), get(`http://127.0.0.1:${receiver.port}/`))).toBe('unreachable')
  })

  it('discards an endless body without waiting for its end', async () => {
    const receiver = await web((_request, response) => {
      const more = () => void (response.write('x'.repeat(5000)) && setImmediate(more))
      response.on('drain', more)
      more()
    })
    const answer = await opened(loopback)(get(`http://127.0.0.1:${receiver.port}/`))
    await answer.discard()
    expect(answer.status).toBe(200)
  })

  it('ends when the caller gives up', async () => {
    const receiver = await raw('')
    const given = AbortSignal.abort()
    expect(await failure(opened(loopback), get(`http://127.0.0.1:${receiver.port}/`, { signal: given }))).toBe(
      'timeout',
    )
  })
})
