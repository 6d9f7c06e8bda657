import { Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type Koa from 'koa'
import { describe, expect, it } from 'vitest'
import { byOrganization, limitReached } from '#api/access/limit-key.ts'
import { apiError } from '#platform/errors.ts'
import { makeTenant, startEdge } from '#testing/features/http-edge.ts'
import { frameText, serveStream } from './event-stream.ts'
import type { Frame } from './handler.ts'

type Frames = AsyncIterable<Frame<never>>

const id = '018f3b5e-0000-7000-8000-000000000001'
const event = {
  id,
  event: 'session.recovered',
  data: {
    status: 'WORKING',
    recoveredAt: '2026-01-01T00:00:00.000Z',
    containerId: id,
    numberPhone: null,
    session: 's',
  },
  timestamp: '2026-01-01T00:00:00.000Z',
}

let open: (signal: AbortSignal, resumed: string | null) => Frames = () => frames([])
const edge = await startEdge({ events: { stream: async ({ signal, lastEventId }) => open(signal, lastEventId) } })
const { key } = await makeTenant(edge.db)

async function* frames(list: object[]): AsyncGenerator<Frame<never>, void> {
  for (const frame of list) yield frame as Frame<never>
}

function listen(headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${edge.server.address}/api/v1/events/stream`, {
    headers: { 'X-API-Key': key, ...headers },
    ...(signal && { signal }),
  })
}

describe('a frame', () => {
  it.each([
    [{ comment: 'heartbeat' }, ': heartbeat\n\n'],
    [{ comment: 'two\r\nlines' }, ': two\n: lines\n\n'],
    [{ id: '7', event: 'message.read', data: { a: 'x\ny' } }, 'id: 7\nevent: message.read\ndata: {"a":"x\\ny"}\n\n'],
    [{ data: null }, 'data: null\n\n'],
  ])('of %j is written as the standard wants it', (frame, text) => {
    expect(frameText(frame)).toBe(text)
  })

  it.each([[{ id: '1\ndata: forged' }], [{ event: 'a\rb' }], [{ id: 'a\0' }]])('of %j is refused', (frame) => {
    expect(() => frameText(frame)).toThrow('not a single line')
  })
})

describe('a stream', () => {
  it('writes the frames its handler yields, and ends with them', async () => {
    open = () => frames([{ comment: 'hello' }, { id, event: event.event, data: event }])
    const response = await listen()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-request-id')).toHaveLength(36)
    expect(await response.text()).toBe(
      `: hello\n\nid: ${id}\nevent: session.recovered\ndata: ${JSON.stringify(event)}\n\n`,
    )
  })

  it('passes its handler the event to continue after', async () => {
    let resumedAt: string | null = null
    open = (_signal, resumed) => {
      resumedAt = resumed
      return frames([])
    }
    await (await listen({ 'Last-Event-ID': '41' })).text()
    expect(resumedAt).toBe('41')
  })

  it('that its handler refuses responds with the error', async () => {
    open = () => {
      throw limitReached(byOrganization('event streams', 'x'), 'There are 20 streams already.', {
        retryAfterSeconds: 15,
      })
    }
    const response = await listen()
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('15')
    expect(await response.json()).toMatchObject({ error: { code: 'RATE_LIMIT' } })
  })

  it('ends when its frames fail, or are not what the route promises', async () => {
    open = async function* () {
      yield { comment: 'one' }
      throw apiError('AUTH_ERROR', 'The key is gone.', { reason: 'invalid_api_key' })
    }
    expect(await (await listen()).text()).toBe(': one\n\n')
    open = () => frames([{ comment: 'two' }, { data: { id: 'x' } }])
    expect(await (await listen()).text()).toBe(': two\n\n')
  })

  it('frees its handler when the caller leaves', async () => {
    const freed = new Promise<void>((resolve) => {
      open = async function* (signal) {
        try {
          yield { comment: 'here' }
          await new Promise((wake) => signal.addEventListener('abort', wake))
        } finally {
          resolve()
        }
      }
    })
    const leave = new AbortController()
    const response = await listen({}, leave.signal)
    await response.body?.getReader().read()
    leave.abort()
    await freed
  })

  it('pulls no further frame while the caller does not read', async () => {
    let pulled = 0
    const chunk = { comment: 'x'.repeat(1024 * 1024) }
    const freed = new Promise<void>((resolve) => {
      open = async function* () {
        try {
          for (; pulled < 1000; pulled++) yield chunk
        } finally {
          resolve()
        }
      }
    })
    const leave = new AbortController()
    const response = await listen({}, leave.signal)
    const reader = response.body?.getReader()
    await reader?.read()
    leave.abort()
    await freed
    // The buffers of two sockets hold a few frames; without back-pressure all thousand would have been pulled.
    expect(pulled).toBeLessThan(100)
  })

  it('keeps nothing of the frames it has written, however long it lives', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const written: WeakRef<object>[] = []
    let kept = Number.NaN
    async function* many(): AsyncGenerator<Frame<never>> {
      for (let n = 0; n < 2000; n++) {
        const frame = { comment: `${n}` }
        written.push(new WeakRef(frame))
        yield frame
      }
      await turn()
      collectGarbage()
      kept = written.filter((frame) => frame.deref()).length
    }
    // Each frame fills it, so each is followed by a wait for room.
    const full = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void turn().then(() => done()) })
    const res = Object.assign(full, { writeHead() {}, flushHeaders() {} })
    await serveStream({ res } as unknown as Koa.Context, many(), new AbortController().signal)
    expect(written).toHaveLength(2000)
    expect(kept).toBeLessThan(10)
  })
})
