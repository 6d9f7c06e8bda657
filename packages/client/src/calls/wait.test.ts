import { describe, expect, it } from 'vitest'
import { connect, errorFrom } from '../test/connect.ts'
import { failure, json } from '../test/scripted-server.ts'

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

describe('messages.send', () => {
  it('is alert.send', async () => {
    const { client, server } = await connect({}, json(201, { success: true, messageId: 'm' }))
    await client.messages.send({ phone: '+12025550100', message: 'hello' })
    expect(server.requests[0]?.path).toBe('/alert/send')
  })
})
