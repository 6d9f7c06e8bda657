import { describe, expect, it } from 'vitest'
import { connect, errorFrom } from '../test/connect.ts'
import { type Answer, failure, json } from '../test/scripted-server.ts'

const at = (status: string) => json(200, { success: true, message: { id: 'm', status }, timeline: [] })

describe('messages.wait', () => {
  it.each([
    ['sent', ['queued', 'sending', 'sent'], 'sent'],
    ['delivered', ['sent', 'read'], 'read'],
    [undefined, ['sent', 'delivered'], 'delivered'],
    ['read', ['queued', 'failed'], 'failed'],
  ] as const)('until %s reads %j and returns the message', async (until, statuses, last) => {
    const { client, server } = await connect({}, ...statuses.map(at))
    expect(await client.messages.wait({ id: 'm', until })).toMatchObject({ id: 'm', status: last })
    // A key of one number may read this path.
    expect(server.requests.map(({ path }) => path)).toEqual(statuses.map(() => '/alert/messages/m'))
  })

  it('reads often at first and then less, and ends at its deadline', async () => {
    const { client, clock } = await connect({}, at('sent'))
    const start = clock.now()
    const error = await errorFrom(client.messages.wait({ id: 'm', until: 'read' }, { deadlineMs: 60_000 }))
    expect(error).toMatchObject({ code: 'TIMEOUT', message: 'The message is sent after 60000 ms, and not yet read.' })
    expect(clock.waits.slice(0, 2)).toEqual([250, 375])
    expect(Math.max(...clock.waits)).toBe(5_000)
    expect(clock.now() - start).toBeGreaterThan(50_000)
    expect(clock.now() - start).toBeLessThan(60_000)
  })

  it('ends with the error of a read, and when the signal aborts', async () => {
    const missing = await connect({}, failure(404, 'MESSAGE_NOT_FOUND'))
    expect(await errorFrom(missing.client.messages.wait({ id: 'm' }))).toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
    const { client, clock } = await connect({}, at('sent'))
    const stop = new AbortController()
    clock.duringWait = () => stop.abort()
    const error = await errorFrom(client.messages.wait({ id: 'm' }, { signal: stop.signal }))
    expect(error).toMatchObject({ code: 'ABORTED' })
  })
})

describe('the input of messages.wait', () => {
  it.each([
    [{ id: 'm', until: 'seen' }, 'messages.wait: id is missing or until unknown'],
    [{ id: 'm', until: 'queued' }, 'messages.wait: id is missing or until unknown'],
    [{ messageId: 'm' }, 'messages.wait: messageId is not a field of this call. It takes: id, until.'],
    [{ until: 'read' }, 'messages.wait: id is missing or until unknown'],
  ])('%j is refused before anything is read', async (input, message) => {
    const { client, server } = await connect({}, at('queued'))
    await expect(client.messages.wait(input as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    })
    expect(server.requests).toHaveLength(0)
  })
})

describe('a read that fails while messages.wait has time left', () => {
  const busy = failure(503, 'SERVICE_BUSY')
  const cut: Answer = (response) => void response.destroy()

  it.each([
    ['with SERVICE_BUSY', busy],
    ['without a connection', cut],
    ['with the page of a proxy', failure(502, 'UNKNOWN')],
  ])('%s is repeated', async (_how, broken) => {
    const { client, server } = await connect({ maxRetries: 0 }, at('sent'), broken, broken, broken, at('delivered'))
    expect(await client.messages.wait({ id: 'm' })).toMatchObject({ status: 'delivered' })
    expect(server.requests).toHaveLength(5)
  })

  it('with TIMEOUT is repeated', async () => {
    const silent: Answer = () => {}
    const { client, clock, server } = await connect({ maxRetries: 0, timeoutMs: 1_000 }, silent, at('delivered'))
    const timer = clock.nextTimer()
    const waited = client.messages.wait({ id: 'm' })
    await Promise.all([timer, server.arrived(1)])
    clock.advance(1_000)
    expect(await waited).toMatchObject({ status: 'delivered' })
  })

  it('ends it with its own error at the deadline, and waits as long as the service asks', async () => {
    const { client, clock } = await connect(
      { maxRetries: 0 },
      failure(503, 'SERVICE_BUSY', {}, { 'retry-after': '20' }),
    )
    const error = await errorFrom(client.messages.wait({ id: 'm' }, { deadlineMs: 60_000 }))
    expect(error).toMatchObject({ code: 'SERVICE_BUSY' })
    expect(clock.waits).toEqual([20_000, 20_000])
  })

  it('ends it at once where the signal has timed out', async () => {
    const { client, server } = await connect({}, at('sent'))
    const signal = AbortSignal.abort(new DOMException('late', 'TimeoutError'))
    const error = await errorFrom(client.messages.wait({ id: 'm' }, { signal }))
    expect([error.code, server.requests.length]).toEqual(['TIMEOUT', 0])
  })
})

describe('messages.send', () => {
  it('is alert.send', async () => {
    const { client, server } = await connect({}, json(201, { success: true, messageId: 'm' }))
    await client.messages.send({ phone: '+12025550100', message: 'hello' })
    expect(server.requests[0]?.path).toBe('/alert/send')
  })
})
