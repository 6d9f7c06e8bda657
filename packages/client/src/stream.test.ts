import { describe, expect, it } from 'vitest'
import { connect, errorFrom } from './test/connect.ts'
import {
  type Answer,
  failure,
  hang,
  json,
  type Received,
  reset,
  type ScriptedServer,
  stream,
} from './test/scripted-server.ts'

/** Returns one event in the format of the service. */
function written(n: number): string {
  return `id: p${n}\ndata: ${JSON.stringify({ id: `e${n}`, event: 'message.read', data: { n } })}\n\n`
}

const cut = (response: { destroy(): unknown }) => response.destroy()
const end = (response: { end(): unknown }) => response.end()

const redirect: Answer = (response) => {
  response.writeHead(307, { location: '/x' }).end()
}

/** Returns the numbers of the first events, then leaves the loop. */
async function take(events: AsyncIterable<{ readonly data: unknown }>, count: number): Promise<number[]> {
  const numbers: number[] = []
  for await (const { data } of events) {
    numbers.push((data as { n: number }).n)
    if (numbers.length === count) break
  }
  return numbers
}

const positionsOf = (server: ScriptedServer) =>
  server.requests.map(({ query, headers }) => [query.get('after'), headers['last-event-id']])

describe('events.stream', () => {
  it('yields events as they arrive and closes the connection when the loop is left', async () => {
    const { client, server } = await connect({}, stream(written(1) + written(2) + written(3)))
    expect(await take(client.events.stream({ types: ['message.read'] }), 2)).toEqual([1, 2])
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/events/stream' })
    expect(server.requests[0]?.query.toString()).toBe('types=message.read')
    expect(server.requests[0]?.headers).toMatchObject({ accept: 'text/event-stream' })
    await server.requests[0]?.closed
  })

  it('neither skips nor repeats an event when the connection breaks in the middle of one', async () => {
    const half = written(3).slice(0, 20)
    const { client, server } = await connect(
      {},
      stream(written(1) + written(2) + half, cut),
      stream(written(3) + written(4).slice(0, -1), end),
      stream(written(4)),
    )
    expect(await take(client.events.stream(), 4)).toEqual([1, 2, 3, 4])
    expect(positionsOf(server)).toEqual([
      [null, undefined],
      ['p2', 'p2'],
      ['p3', 'p3'],
    ])
  })

  it('survives a break after any byte', async () => {
    const text = written(1) + written(2)
    // The second connection sends the events after the requested position, like the service.
    const rest: Answer = (response, request) => {
      const from = Number(request.query.get('after')?.slice(1) ?? 0)
      return stream([written(1), written(2), written(3)].slice(from).join(''))(response, request)
    }
    const cuts = Array.from({ length: text.length + 1 }, (_, at) => [stream(text.slice(0, at), cut), rest])
    const { client } = await connect({}, ...cuts.flat())
    for (const _ of cuts) expect(await take(client.events.stream(), 3)).toEqual([1, 2, 3])
  })

  it('drops an event that a new connection repeats', async () => {
    const { client } = await connect(
      {},
      stream(written(1) + written(2), end),
      stream(written(1) + written(2) + written(3)),
    )
    expect(await take(client.events.stream(), 3)).toEqual([1, 2, 3])
  })

  it('begins after a given position and reports its position', async () => {
    const { client, server } = await connect({}, stream(written(8)))
    const events = client.events.stream({ after: 'p7' })
    expect(events.lastEventId).toBe('p7')
    expect(await take(events, 1)).toEqual([8])
    expect(events.lastEventId).toBe('p8')
    expect(positionsOf(server)).toEqual([['p7', 'p7']])
  })

  it('reads its position from a block without an event: a break before the first event skips nothing', async () => {
    const { client, server } = await connect({}, stream('id: p5\n\n', cut), stream(written(6)))
    expect(await take(client.events.stream(), 1)).toEqual([6])
    expect(positionsOf(server)[1]).toEqual(['p5', 'p5'])
  })

  it('continues by the id of the event when the stream sends none', async () => {
    const bare = (n: number) => written(n).replace(/^id.*\n/, '')
    const { client, server } = await connect({}, stream(bare(1), end), stream(bare(1) + bare(2)))
    expect(await take(client.events.stream(), 2)).toEqual([1, 2])
    expect(positionsOf(server)[1]).toEqual(['e1', 'e1'])
  })

  it('does not drop an event that inherits the id of the previous one', async () => {
    const bare = (n: number) => written(n).replace(/^id.*\n/, '')
    const { client } = await connect({}, stream(`id: p0\n\n${bare(1)}${written(2)}${bare(3)}`))
    expect(await take(client.events.stream(), 3)).toEqual([1, 2, 3])
  })

  it('replaces a connection that is silent for three heartbeats, and not before', async () => {
    const { client, server, clock } = await connect({}, stream(written(1)), stream(written(2)))
    const events = client.events.stream()
    expect((await events.next()).value).toMatchObject({ id: 'e1' })
    const listening = clock.nextTimer()
    const next = events.next()
    await listening
    clock.advance(44_999)
    expect(server.requests).toHaveLength(1)
    clock.advance(1)
    expect((await next).value).toMatchObject({ id: 'e2' })
    expect(positionsOf(server)[1]).toEqual(['p1', 'p1'])
    await events.return()
  })

  it('keeps a connection that only sends heartbeats', async () => {
    let write: (text: string) => void = () => {}
    const { client, server, clock } = await connect({}, (response) => {
      write = (text) => response.write(text)
      return stream(written(1))(response, {} as Received)
    })
    const events = client.events.stream()
    await events.next()
    const listening = clock.nextTimer()
    const next = events.next()
    await listening
    for (let beats = 0; beats < 4; beats += 1) {
      const heard = clock.nextTimer()
      write(': heartbeat\n\n')
      await heard
      clock.advance(44_000)
    }
    write(written(2))
    expect((await next).value).toMatchObject({ id: 'e2' })
    expect(server.requests).toHaveLength(1)
    await events.return()
  })

  it('reports each reconnect, backs off with jitter, and resets the backoff after an event', async () => {
    const busy = failure(503, 'SERVICE_BUSY', {}, { 'retry-after': '3' })
    const { client, clock } = await connect(
      {},
      stream(written(1), end),
      reset,
      busy,
      stream(written(2), end),
      stream(written(3)),
    )
    const reconnects: (readonly [string, number])[] = []
    const events = client.events.stream(
      {},
      { onReconnect: ({ error, waitMs }) => reconnects.push([error.code, waitMs]) },
    )
    expect(await take(events, 3)).toEqual([1, 2, 3])
    expect(reconnects).toEqual([
      ['CONNECTION_FAILED', 250],
      ['CONNECTION_FAILED', 500],
      ['SERVICE_BUSY', 4_000],
      ['CONNECTION_FAILED', 250],
    ])
    expect(clock.waits).toEqual(reconnects.map(([, waitMs]) => waitMs))
  })

  it('survives minutes of maintenance once it was open, and reconnects after five minutes at the latest', async () => {
    const busy = (seconds: string) => failure(503, 'SERVICE_BUSY', {}, { 'retry-after': seconds })
    const responses = [stream(written(1), end), busy('120'), busy('7200'), stream(written(2))]
    const { client, clock } = await connect({}, ...responses)
    expect(await take(client.events.stream(), 2)).toEqual([1, 2])
    expect(clock.waits).toEqual([250, 120_500, 301_000])
  })

  it('resets the backoff after a connection of 10 s, even without an event', async () => {
    const held: Answer = (response, request) =>
      stream(': heartbeat\n\n', async () => {
        await thirdConnection
        clock.advance(10_000)
        response.destroy()
      })(response, request)
    const { client, clock } = await connect({}, stream(written(1), end), reset, held, stream(written(2)))
    const thirdConnection = new Promise<void>((resolve) => {
      const original = clock.timer.bind(clock)
      // The third connection is being read once its idle timeout is set.
      clock.timer = (ms, fire) => {
        if (ms === 45_000 && clock.waits.length === 2) resolve()
        return original(ms, fire)
      }
    })
    expect(await take(client.events.stream(), 2)).toEqual([1, 2])
    expect(clock.waits).toEqual([250, 500, 250])
  })

  it('gives up without a response', async () => {
    const { client, server, clock } = await connect({}, hang)
    const first = errorFrom(client.events.stream().next())
    for (const count of [1, 2, 3]) {
      await server.arrived(count)
      clock.advance(30_000)
    }
    expect(await first).toMatchObject({ code: 'TIMEOUT', message: 'No complete response arrived within 30000 ms.' })
    expect(server.requests).toHaveLength(3)
  })

  it('waits as long as the stream requests', async () => {
    const { client, clock } = await connect({}, stream(`retry: 5000\n\n${written(1)}`, end), stream(written(2)))
    await take(client.events.stream(), 2)
    expect(clock.waits).toEqual([5_250])
  })

  it('never gives up once it was open, but does when it never was', async () => {
    const many = Array.from({ length: 12 }, () => reset)
    const running = await connect({}, stream(written(1), end), ...many, stream(written(2)))
    expect(await take(running.client.events.stream(), 2)).toEqual([1, 2])
    const { client, server } = await connect({}, reset)
    expect(await errorFrom(client.events.stream().next())).toMatchObject({ code: 'CONNECTION_FAILED' })
    expect(server.requests).toHaveLength(3)
  })

  it.each([
    ['AUTH_ERROR', 401],
    ['PRODUCT_REQUIRED', 403],
  ])('ends with %s, also when it comes at a reconnect', async (code, status) => {
    const { client } = await connect({}, stream(written(1), end), failure(status, code))
    const events = client.events.stream()
    await events.next()
    expect(await errorFrom(events.next())).toMatchObject({ code, status, endpoint: 'GET /events/stream' })
    expect((await events.next()).done).toBe(true)
  })

  it.each([
    ['an answer that is no stream', json(200, { success: true }), 'INVALID_RESPONSE'],
    ['an event that is not JSON', stream('id: 1\ndata: {"id"\n\n'), 'INVALID_RESPONSE'],
    ['an event without end', stream(`data: ${'x'.repeat(1024 * 1024)}`), 'INVALID_RESPONSE'],
    ['a redirect', redirect, 'REDIRECTED'],
  ])('refuses %s', async (_, response, code) => {
    const { client, server } = await connect({}, response)
    expect(await errorFrom(client.events.stream().next())).toMatchObject({ code })
    expect(server.requests).toHaveLength(1)
  })

  it('ends when the signal aborts: while it connects, reads or waits', async () => {
    const connecting = await connect({}, hang)
    const first = new AbortController()
    const opening = errorFrom(connecting.client.events.stream({}, { signal: first.signal }).next())
    await connecting.server.arrived(1)
    first.abort()
    expect(await opening).toMatchObject({ code: 'ABORTED' })

    const listening = await connect({}, stream(written(1)))
    const second = new AbortController()
    const events = listening.client.events.stream({}, { signal: second.signal })
    await events.next()
    const next = errorFrom(events.next())
    second.abort()
    expect(await next).toMatchObject({ code: 'ABORTED' })
    await listening.server.requests[0]?.closed

    const waiting = await connect({}, reset)
    const third = new AbortController()
    waiting.clock.duringWait = () => third.abort()
    const retried = errorFrom(waiting.client.events.stream({}, { signal: third.signal }).next())
    expect(await retried).toMatchObject({ code: 'ABORTED' })
    expect(waiting.server.requests).toHaveLength(1)
  })

  it('rejects invalid options before anything is sent', async () => {
    const { client, server } = await connect({}, hang)
    expect(() => client.events.stream({}, { idleTimeoutMs: 0 })).toThrow('idleTimeoutMs')
    expect(() => client.events.stream({}, { headers: { 'a b': '' } })).toThrow('headers')
    expect(server.requests).toHaveLength(0)
  })
})
