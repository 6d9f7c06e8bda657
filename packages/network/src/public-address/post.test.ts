import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { PublicFetchError } from './failure.ts'
import { openPublicPost, type PublicPost } from './post.ts'

const loopback = ['127.0.0.1/32']
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

async function listening(server: Server | ReturnType<typeof createTcpServer>) {
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}/hook?to=us`, sockets }
}

const web = (listener: RequestListener) => listening(createServer(listener))
/** Starts a server that responds to every request with exactly these bytes. */
const raw = (answer: string) => listening(createTcpServer((socket) => socket.on('data', () => socket.write(answer))))

function opened(allowed: readonly string[] = loopback, answers: Record<string, string[]> = {}): PublicPost {
  const post = openPublicPost(allowed, async (name) => answers[name] ?? [])
  ends.push(post.close)
  return post
}

const to = (url: string, deadlineMs = 5000) => ({
  url,
  headers: ['X-One', 'a', 'X-Two', 'b'],
  body: '{"a":1}',
  deadlineMs,
})

/** The reason a post failed for. */
async function failure(post: PublicPost, request: ReturnType<typeof to>): Promise<string> {
  return post(request).then(
    (status) => `no failure, but ${status}`,
    (error: unknown) => (error instanceof PublicFetchError ? error.reason : String(error)),
  )
}

describe('a post', () => {
  it('sends the method, path, headers and body, and returns the status', async () => {
    const seen: unknown[] = []
    const { url } = await web(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      seen.push([request.method, request.url, request.headers['x-one'], request.headers['x-two'], body])
      response.writeHead(204).end()
    })
    expect((await opened()(to(url))).status).toBe(204)
    expect(seen).toEqual([['POST', '/hook?to=us', 'a', 'b', '{"a":1}']])
  })

  it('uses its connection again', async () => {
    const { url, sockets } = await web((_request, response) => response.end('thanks'))
    const post = opened()
    for (let n = 0; n < 3; n++) expect((await post(to(url))).status).toBe(200)
    expect(sockets).toHaveLength(1)
  })

  it('does not follow a redirect', async () => {
    const { url, sockets } = await web((_request, response) => response.writeHead(307, { location: '/next' }).end())
    expect((await opened()(to(url))).status).toBe(307)
    expect(sockets).toHaveLength(1)
  })

  it('does not take an interim answer for the answer', async () => {
    const { url } = await raw('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n')
    expect((await opened()(to(url))).status).toBe(202)
  })
})

describe('where a post may go', () => {
  it.each([
    ['a private literal', 'http://10.0.0.1/'],
    ['a mapped one', 'http://[::ffff:127.0.0.1]/'],
    ['user info', 'http://a:b@127.0.0.1/'],
    ['another protocol', 'file:///etc/passwd'],
  ])('refuses %s', async (_what, url) => {
    expect(await failure(opened([]), to(url))).toBe('refused')
  })

  it('refuses a name that was good and changed to a private address', async () => {
    const { port, sockets } = await web((_request, response) => response.setHeader('connection', 'close').end())
    const answers = { 'rebind.example': ['127.0.0.1'] }
    const post = opened(loopback, answers)
    const request = to(`http://rebind.example:${port}/`)
    expect((await post(request)).status).toBe(200)
    answers['rebind.example'] = ['127.0.0.2']
    expect(await failure(post, request)).toBe('refused')
    expect(sockets).toHaveLength(1)
  })
})

describe('a post has no status', () => {
  it('at the deadline, and its connection is closed', async () => {
    const { url, sockets } = await raw('')
    expect(await failure(opened(), to(url, 50))).toBe('timeout')
    await expect.poll(() => sockets.every(({ readableEnded, destroyed }) => readableEnded || destroyed)).toBe(true)
  })

  it('at the deadline when it still waits for an address, and is not sent later', async () => {
    let answer = (_addresses: string[]) => {}
    const asked = new Promise<string[]>((resolve) => {
      answer = resolve
    })
    let arrived = 0
    const { port } = await web((_request, response) => void response.end(String(arrived++)))
    const post = openPublicPost(loopback, () => asked)
    ends.push(post.close)
    expect(await failure(post, to(`http://slow.example:${port}/`, 30))).toBe('timeout')
    answer(['127.0.0.1'])
    expect((await post(to(`http://slow.example:${port}/`))).status).toBe(200)
    expect(arrived).toBe(1)
  })

  it('when the connection is cut or the answer is no HTTP', async () => {
    const { url: cut } = await listening(createTcpServer((socket) => void socket.once('data', () => socket.destroy())))
    const { url: odd } = await raw('nothing of HTTP\r\n\r\n')
    expect([await failure(opened(), to(cut)), await failure(opened(), to(odd))]).toEqual(['unreachable', 'unreachable'])
  })

  it('when everything is closed', async () => {
    const { url } = await raw('')
    const post = opened()
    const failed = failure(post, to(url))
    await post.close()
    expect(await failed).toBe('unreachable')
  })
})

describe('the rest of an answer', () => {
  it('of a body without end is given up with its connection', async () => {
    const { url, sockets } = await web((_request, response) => {
      const more = () => void (response.write('x'.repeat(5000)) && setImmediate(more))
      response.on('drain', more)
      more()
    })
    expect((await opened()(to(url))).status).toBe(200)
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
  })

  it('that is cut off does not take the status back', async () => {
    const { url } = await listening(
      createTcpServer((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx')),
      ),
    )
    expect((await opened()(to(url))).status).toBe(200)
  })

  it('that does not come is waited for no longer than a second', async () => {
    const { url } = await raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nslow')
    const began = performance.now()
    expect((await opened()(to(url, 60_000))).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
