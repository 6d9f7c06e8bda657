import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { InboundMessage } from '../gateway.ts'
import { linked, listen, type MakeHarness, text, timeoutMs, to } from './harness.ts'

/** Tests the events that every driver must report. */
export function describeEvents(makeHarness: MakeHarness): void {
  it('reports that a message was delivered and read', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const listener = listen(harness.gateway)
    const { ref } = await harness.gateway.send(session, to(harness), text('hi'), { clientId: 'hi', timeoutMs })
    await listener.until((events) =>
      ['delivered', 'read'].every((status) =>
        events.some(
          (event) => event.kind === 'message.status' && event.networkId === ref.networkId && event.status === status,
        ),
      ),
    )
    const ours = listener.events.filter((event) => event.containerId === session.containerId)
    expect(ours.every((event) => event.organizationId === session.organizationId)).toBe(true)
    await listener.stop()
  })

  it('reports when a number begins to work', async () => {
    const harness = await makeHarness()
    const listener = listen(harness.gateway)
    const session = await linked(harness)
    await listener.until((events) =>
      events.some(
        (event) =>
          event.kind === 'session.state' &&
          event.state.status === 'WORKING' &&
          event.containerId === session.containerId,
      ),
    )
    await listener.stop()
  })

  it('counts the states of a number upwards, in its reports and in the responses of calls', async () => {
    const harness = await makeHarness()
    const listener = listen(harness.gateway)
    const session = await linked(harness)
    const stopped = await harness.gateway.stop(session)
    const started = await harness.gateway.start(session)
    expect(started.sequence).toBeGreaterThan(stopped.sequence)
    const reported = () =>
      listener.events.flatMap((event) =>
        event.kind === 'session.state' && event.containerId === session.containerId ? [event.state] : [],
      )
    await listener.until(() =>
      reported().some((state) => state.status === 'WORKING' && state.sequence >= started.sequence),
    )
    const { sequence } = await harness.gateway.state(session)
    const sequences = reported().map((state) => state.sequence)
    expect(new Set(sequences).size).toBe(sequences.length)
    expect(Math.max(...sequences)).toBe(sequence)
    expect(reported().find((state) => state.sequence === sequence)?.status).toBe('WORKING')
    await listener.stop()
  })

  it('reports an incoming message', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const listener = listen(harness.gateway)
    await harness.writeTo(session, 'good morning')
    await listener.until((events) =>
      events.some(
        (event) => event.kind === 'message.in' && event.message.text === 'good morning' && event.at instanceof Date,
      ),
    )
    await listener.stop()
  })

  it('reports a photo, whose file can be fetched', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const listener = listen(harness.gateway)
    // Everybody with these last four digits replies with a photo.
    const chat = { kind: 'phone', digits: '12025550136' } as const
    await harness.gateway.send(session, chat, text('a photo, please'), { clientId: crypto.randomUUID(), timeoutMs })
    const photos = () =>
      listener.events.flatMap((event) =>
        event.kind === 'message.in' && event.containerId === session.containerId ? [event.message] : [],
      )
    await listener.until(() => photos().length === 1)
    await listener.stop()
    const [{ networkId, type, raw }] = photos() as [InboundMessage]
    expect(type).toBe('image')
    const file = await harness.gateway.fetchMedia(session, { networkId, chat, raw })
    expect(file?.mimetype).toMatch(/^image\/(?:jpeg|png)$/)
    expect((await buffer(file?.bytes ?? Readable.from([]))).length).toBeGreaterThan(0)
  })

  it('reports an event again when the handler failed', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    await harness.writeTo(session, 'once more')
    let refusals = 2
    const listener = listen(harness.gateway, () => {
      if (refusals-- > 0) throw new Error('the database is away')
    })
    await listener.until((events) =>
      events.some((event) => event.kind === 'message.in' && event.message.text === 'once more'),
    )
    await listener.stop()
  })

  it('waits for the running handler when it is stopped, and does not call it again', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const entered = barrier()
    const released = barrier()
    let calls = 0
    let done = false
    const stop = harness.gateway.subscribe(async () => {
      calls++
      entered.open()
      await released.opened
      done = true
    })
    await harness.writeTo(session, 'wait')
    await entered.opened
    const stopping = stop()
    released.open()
    await stopping
    expect(done).toBe(true)
    await harness.writeTo(session, 'too late')
    expect(calls).toBe(1)
  })
}

function barrier() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
