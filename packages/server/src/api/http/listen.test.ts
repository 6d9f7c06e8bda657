import net from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { makeTenant, startEdge } from '#testing/features/http-edge.ts'

let hold: Promise<void> | undefined
let entered = () => {}
const sockets: net.Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

function start() {
  return startEdge({
    chats: {
      unread: async () => {
        entered()
        await hold
        return { messages: [] }
      },
    },
    events: {
      stream: async ({ signal }) =>
        (async function* () {
          yield { comment: 'here' }
          await new Promise((wake) => signal.addEventListener('abort', wake))
        })(),
    },
  })
}

interface Exchange {
  /** Resolves with the first bytes that came back. */
  readonly first: Promise<string>
  /** Resolves with all of them when the server has closed the connection. */
  readonly whole: Promise<string>
}

/** Sends bytes by hand. */
function exchange(port: number, text: string): Exchange {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(text))
  sockets.push(socket)
  let answer = ''
  return {
    first: new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk)))),
    whole: new Promise((resolve) => {
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('close', () => resolve(answer)).on('error', () => undefined)
    }),
  }
}

function connecting(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    sockets.push(net.connect(port, '127.0.0.1', resolve).on('error', reject))
  })
}

describe('a server that stops', async () => {
  const edge = await start()
  const { key } = await makeTenant(edge.db)

  it('finishes what runs, ends streams and idle connections, and takes nothing new', async () => {
    const inside = new Promise<void>((resolve) => {
      entered = resolve
    })
    let release = () => {}
    hold = new Promise((resolve) => {
      release = resolve
    })
    const running = edge.call('GET', '/chats/unread', { key })
    await inside
    const silent = exchange(edge.server.port, '')
    const idle = exchange(edge.server.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await idle.first).toContain('{"status":"ok",')
    const stream = await fetch(`${edge.server.address}/api/v1/events/stream`, { headers: { 'X-API-Key': key } })

    const stopped = edge.server.stop()
    expect(await stream.text()).toBe(': here\n\n')
    await idle.whole
    await expect(connecting(edge.server.port)).rejects.toThrow('ECONNREFUSED')
    expect(await silent.whole).toBe('')
    release()
    const { status, headers } = await running
    expect(status).toBe(200)
    expect(headers.get('connection')).toBe('close')
    await stopped
    await edge.server.stop()
  })
})

describe('what is no request', async () => {
  const edge = await start()

  it.each([
    ['a broken request line', 'NONSENSE\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['headers beyond 16 KiB', `GET / HTTP/1.1\r\nX: ${'y'.repeat(17_000)}\r\n\r\n`, 413, 'PAYLOAD_TOO_LARGE'],
    ['two lengths', 'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ])('is answered in the envelope: %s', async (_what, text, status, code) => {
    const answer = await exchange(edge.server.port, text).whole
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    const id = /^X-Request-Id: (\S+)$/im.exec(head)?.[1]
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code, requestId: id } })
    expect(id).toHaveLength(36)
  })

  it.each([
    ['no Host', 'GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an unknown Expect', 'GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n'],
    ['a target of another host', 'GET http://other/nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['an upgrade', 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n'],
  ])('but %s is a request like any other', async (_what, text) => {
    const answer = await exchange(edge.server.port, text).whole
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
    expect(answer).toMatch(/^X-Request-Id: \S{36}\r$/im)
    expect(answer).toContain('ROUTE_NOT_FOUND')
  })
})

describe('an address that is taken', async () => {
  const edge = await start()

  it('is reported to a second server on it', async () => {
    const { listen } = await import('#process/app.ts')
    await expect(listen(edge.app, { host: '127.0.0.1', port: edge.server.port })).rejects.toThrow('EADDRINUSE')
  })
})
