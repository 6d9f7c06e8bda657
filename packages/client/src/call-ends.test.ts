import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { collectGarbage } from './test/collect-garbage.ts'
import { connect, errorFrom } from './test/connect.ts'
import { failure, hang, json, reset } from './test/scripted-server.ts'
import type { Transport } from './transport.ts'

const me = json(200, { success: true, name: 'Ada' })
const send = { phone: '+12025550100', message: 'hello' }

describe('a timeout', () => {
  it('ends an attempt without a response, and a read is retried', async () => {
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

  it('covers the body of a response, not only its head', async () => {
    const { client, server, clock } = await connect({ maxRetries: 0 }, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"success":')
    })
    const call = errorFrom(client.account.me({}, { timeoutMs: 500 }))
    await server.arrived(1)
    clock.advance(500)
    expect(await call).toMatchObject({ code: 'TIMEOUT', message: 'No complete response arrived within 500 ms.' })
  })

  it('leaves the outcome of a send unknown', async () => {
    const { client, server, clock } = await connect({}, hang)
    const call = errorFrom(client.alert.send(send))
    await server.arrived(1)
    clock.advance(30_000)
    expect(await call).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown', status: undefined })
  })

  it('is 60 s for a list of numbers, because the service may query the network for 25 s', async () => {
    const { client, server, clock } = await connect({ maxRetries: 0 }, hang)
    const call = errorFrom(client.recipients.validate({ phones: ['+12025550100'] }))
    await server.arrived(1)
    clock.advance(59_999)
    clock.advance(1)
    expect((await call).message).toContain('60000 ms')
  })

  it('is shortened by the deadline of the call', async () => {
    const { client, server, clock } = await connect({ deadlineMs: 45_000 }, hang)
    const call = errorFrom(client.account.me())
    await server.arrived(1)
    clock.advance(30_000)
    await server.arrived(2)
    clock.advance(14_750)
    expect((await call).message).toContain('The call did not end within its deadline of 45000 ms.')
    expect(server.requests).toHaveLength(2)
  })

  it('of one call may be longer than the deadline of the client', async () => {
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
  it('ends a running request and closes its connection; the outcome of a send is then unknown', async () => {
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

  it('of the client ends its calls and streams, in addition to the signal of a call', async () => {
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

  it('by a timeout of the caller is not lost to garbage collection', async () => {
    const { client, server } = await connect({ signal: new AbortController().signal }, hang)
    const call = errorFrom(client.account.me({}, { signal: AbortSignal.timeout(200) }))
    await server.arrived(1)
    collectGarbage()
    expect(await call).toMatchObject({ code: 'TIMEOUT', cause: { name: 'TimeoutError' } })
  })

  it('leaves no listener on the signals of a client and a call', async () => {
    const [all, single] = [new AbortController().signal, new AbortController().signal]
    const { client } = await connect({ signal: all }, me)
    await client.account.me({}, { signal: single })
    expect([all, single].map((signal) => getEventListeners(signal, 'abort'))).toEqual([[], []])
  })

  it('signal that outlives its calls keeps no reference to them', async () => {
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
