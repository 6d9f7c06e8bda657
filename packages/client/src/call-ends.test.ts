import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { collectGarbage } from './test/collect-garbage.ts'
import { connect, errorFrom } from './test/connect.ts'
import { failure, hang, json, reset } from './test/scripted-server.ts'
import type { Transport } from './transport.ts'

const me = json(200, { success: true, name: 'Ada' })
const send = { phone: '+12025550100', message: 'hello' }

describe('a time-out', () => {
  it('ends an attempt that is not answered, and a read is tried again', async () => {
    const { client, server, clock } = await connect({ timeoutMs: 1_000 }, hang, me)
    const call = client.account.me()
    await server.arrived(1)
    clock.advance(999)
    expect(server.requests).toHaveLength(1)
    clock.advance(1)
    await call
    await server.requests[0]?.closed
    expect(server.requests).toHaveLength(2)
  })

  it('covers the body, not only the head of an answer', async () => {
    const { client, server, clock } = await connect({ maxRetries: 0 }, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"success":')
    })
    const call = errorFrom(client.account.me({}, { timeoutMs: 500 }))
    await server.arrived(1)
    clock.advance(500)
    expect(await call).toMatchObject({ code: 'TIMEOUT', message: 'There was no complete answer within 500 ms.' })
  })

  it('leaves a send in doubt', async () => {
    const { client, server, clock } = await connect({}, hang)
    const call = errorFrom(client.alert.send(send))
    await server.arrived(1)
    clock.advance(30_000)
    expect(await call).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown', status: undefined })
  })

  it('of a list of numbers is 60 s, since the service may ask the network for 25 s', async () => {
    const { client, server, clock } = await connect({ maxRetries: 0 }, hang)
    const call = errorFrom(client.recipients.validate({ phones: ['+12025550100'] }))
    await server.arrived(1)
    clock.advance(59_999)
    clock.advance(1)
    expect((await call).message).toContain('60000 ms')
  })

  it('is cut short by the deadline of the whole call', async () => {
    const { client, server, clock } = await connect({ deadlineMs: 45_000 }, hang)
    const call = errorFrom(client.account.me())
    await server.arrived(1)
    clock.advance(30_000)
    await server.arrived(2)
    clock.advance(14_750)
    expect((await call).message).toContain('14750 ms')
    expect(server.requests).toHaveLength(2)
  })

  it('that is given for one call may be longer than the deadline all calls have', async () => {
    const { client, server, clock } = await connect({ deadlineMs: 1_000, maxRetries: 0 }, hang)
    const call = errorFrom(client.account.me({}, { timeoutMs: 5_000 }))
    await server.arrived(1)
    clock.advance(5_000)
    expect((await call).message).toContain('5000 ms')
  })

  it('works with a transport that ignores its signal', async () => {
    const deaf: Transport = () => new Promise(() => {})
    const { client, clock } = await connect({ fetch: deaf, maxRetries: 0 }, hang)
    const call = errorFrom(client.account.me())
    clock.advance(30_000)
    expect(await call).toMatchObject({ code: 'TIMEOUT' })
  })
})

describe('an abort', () => {
  it('ends a request under way and closes its connection; a send is then in doubt', async () => {
    const { client, server } = await connect({}, hang)
    const controller = new AbortController()
    const call = errorFrom(client.alert.send(send, { signal: controller.signal }))
    await server.arrived(1)
    controller.abort(new Error('enough'))
    const error = await call
    expect(error).toMatchObject({ code: 'ABORTED', outcome: 'unknown' })
    expect(error.cause).toMatchObject({ message: 'enough' })
    await server.requests[0]?.closed
  })

  it('of the whole client ends its calls and streams, beside the signal of a single call', async () => {
    const all = new AbortController()
    const { client, server } = await connect({ signal: all.signal }, hang, hang, hang)
    const single = new AbortController()
    const ended = errorFrom(client.account.me({}, { signal: single.signal }))
    await server.arrived(1)
    single.abort()
    expect(await ended).toMatchObject({ code: 'ABORTED' })
    const calls = [errorFrom(client.alert.send(send)), errorFrom(client.events.stream().next())]
    await server.arrived(3)
    all.abort()
    expect(await Promise.all(calls)).toMatchObject([{ code: 'ABORTED', outcome: 'unknown' }, { code: 'ABORTED' }])
    const late = errorFrom(client.account.me({}, { signal: new AbortController().signal }))
    expect(await late).toMatchObject({ code: 'ABORTED' })
    expect(server.requests).toHaveLength(3)
  })

  it('by a time-out of the caller is not lost to a garbage collection', async () => {
    const { client, server } = await connect({ signal: new AbortController().signal }, hang)
    const call = errorFrom(client.account.me({}, { signal: AbortSignal.timeout(200) }))
    await server.arrived(1)
    collectGarbage()
    expect(await call).toMatchObject({ code: 'ABORTED', cause: { name: 'TimeoutError' } })
  })

  it('keeps no listener at the signals of a client and a call', async () => {
    const [all, single] = [new AbortController().signal, new AbortController().signal]
    const { client } = await connect({ signal: all }, me)
    await client.account.me({}, { signal: single })
    expect([all, single].map((signal) => getEventListeners(signal, 'abort'))).toEqual([[], []])
  })

  it('signal that outlives its calls keeps nothing of them', async () => {
    const { client } = await connect({}, reset, me)
    const { signal } = new AbortController()
    await client.account.me({}, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('before the call sends nothing', async () => {
    const { client, server } = await connect({}, me)
    const error = await errorFrom(client.alert.send(send, { signal: AbortSignal.abort() }))
    expect(error).toMatchObject({ code: 'ABORTED', outcome: 'not_sent' })
    expect(server.requests).toHaveLength(0)
  })

  it('ends the wait between two attempts', async () => {
    const busy = failure(503, 'SERVICE_BUSY', {}, { 'retry-after': '20' })
    const { client, server, clock } = await connect({}, busy)
    const controller = new AbortController()
    clock.duringWait = () => controller.abort()
    const error = await errorFrom(client.alert.send(send, { signal: controller.signal }))
    expect(error).toMatchObject({ code: 'ABORTED', outcome: 'not_sent' })
    expect(server.requests).toHaveLength(1)
  })
})
