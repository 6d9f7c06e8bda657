import { GatewayError } from '@msgctl/network/errors'
import type { GatewayEvent } from '@msgctl/network/events'
import type { GatewaySession } from '@msgctl/network/session'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inboundBody, writeInbound } from '#networks/simulator/control/inbound.ts'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { openWahaNetwork, type WahaNetwork } from '#testing/waha/network.ts'

const { db } = await testDatabase()
const minute = 60
const hour = 3600

async function linked(network: WahaNetwork): Promise<GatewaySession> {
  const session = network.newNumber()
  await network.driver.start(session)
  await works(network, session, 'SCAN_QR_CODE')
  await network.link(session)
  return session
}

function works({ driver }: WahaNetwork, session: GatewaySession, status = 'WORKING') {
  return eventually(
    () => driver.state(session),
    (state) => state.status === status,
  )
}

/** How often sessions were restarted. */
function restarts({ fake }: WahaNetwork, { containerId }: GatewaySession): number {
  return fake.calls.filter((call) => call === `POST /api/sessions/${containerId}/restart`).length
}

async function counted({ metrics }: WahaNetwork, reason: string): Promise<number> {
  const { body } = await metrics.text()
  return Number(new RegExp(`msgctl_waha_restarts_total\\{reason="${reason}"\\} (\\d+)`).exec(body)?.[1] ?? 0)
}

describe('a session that works while every message is refused', () => {
  /** Sends to each of them; returns how each send ended. */
  async function send({ driver }: WahaNetwork, session: GatewaySession, people: readonly string[]): Promise<string[]> {
    const ends: string[] = []
    for (const digits of people) {
      const options = { clientId: crypto.randomUUID(), timeoutMs: 10_000 }
      const error = await driver.send(session, { kind: 'phone', digits }, { kind: 'text', text: 'x' }, options).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      if (error !== null && !(error instanceof GatewayError)) throw error
      const waits = error?.retryAfterMs ? `, in ${Math.round(error.retryAfterMs / 60_000)} min` : ''
      ends.push(error ? `${error.kind}, ${error.outcome}${waits}` : 'sent')
    }
    return ends
  }
  const people = ['12025550100', '12025550102', '12025550103']
  const refused = 'rejected, not_sent'
  const restarted = 'session, not_sent'

  it('is restarted at the third person, whose message waits, and sends again', async () => {
    const network = await openWahaNetwork(db)
    const session = await linked(network)
    network.fake.jam(session.containerId)
    expect(await send(network, session, people)).toEqual([refused, refused, restarted])
    await works(network, session)
    expect(await send(network, session, people)).toEqual(['sent', 'sent', 'sent'])
    expect([restarts(network, session), await counted(network, 'refusing')]).toEqual([1, 1])
    expect(network.log()).toContain('waha_session_restarted')
  })

  it('is left alone while one person is refused, or others are not', async () => {
    const network = await openWahaNetwork(db)
    const session = await linked(network)
    network.fake.jam(session.containerId)
    expect(await send(network, session, ['12025550100', '12025550100', '12025550100'])).toEqual([
      refused,
      refused,
      refused,
    ])
    await network.driver.restart(session)
    await works(network, session)
    const before = restarts(network, session)
    expect(await send(network, session, ['12025550102'])).toEqual(['sent'])
    network.fake.jam(session.containerId)
    expect(await send(network, session, ['12025550102', '12025550103'])).toEqual([refused, refused])
    expect(restarts(network, session)).toBe(before)
  })

  it('is left alone when the refusals are an hour apart', async () => {
    const network = await openWahaNetwork(db)
    const session = await linked(network)
    network.fake.jam(session.containerId)
    for (const person of people) {
      expect(await send(network, session, [person])).toEqual([refused])
      await network.sim.clock.advance(hour)
    }
    expect(restarts(network, session)).toBe(0)
  })

  it('is restarted once an hour at most, and pauses its queue until then', async () => {
    const network = await openWahaNetwork(db)
    const session = await linked(network)
    network.fake.jam(session.containerId)
    await send(network, session, people)
    await works(network, session)
    network.fake.jam(session.containerId)
    // Sends that were under way during the restart.
    expect(await send(network, session, people)).toEqual([refused, refused, restarted])
    await network.sim.clock.advance(10 * minute)
    expect(await send(network, session, people)).toEqual([refused, refused, `${refused}, in 50 min`])
    expect(restarts(network, session)).toBe(1)
    await network.sim.clock.advance(50 * minute)
    expect((await send(network, session, people)).at(-1)).toBe(restarted)
    expect([restarts(network, session), await counted(network, 'refusing')]).toEqual([2, 2])
  })
})

describe('a session that works and reports nothing', () => {
  interface Followed {
    readonly network: WahaNetwork
    readonly texts: string[]
    pass(seconds: number): Promise<void>
    write(session: GatewaySession, text: string): Promise<void>
  }

  async function followed(): Promise<Followed> {
    const network = await openWahaNetwork(db)
    const texts: string[] = []
    const stop = network.driver.subscribe(async (events: readonly GatewayEvent[]) => {
      texts.push(...events.flatMap((event) => (event.kind === 'message.in' ? [event.message.text] : [])))
    })
    onTestFinished(stop)
    return {
      network,
      texts,
      /** Moves the clock, and waits until the sessions were polled then. */
      async pass(seconds) {
        const polls = () => network.fake.calls.filter((call) => call === 'GET /api/sessions').length
        const before = polls()
        await network.sim.clock.advance(seconds)
        network.sim.wake.signal('clock')
        await eventually(
          async () => polls(),
          (now) => now > before,
        )
      },
      async write({ containerId }, text) {
        const message = { containerId, from: '12025550100', text }
        await writeInbound(network.sim, inboundBody.parse(message))
      },
    }
  }

  /** How often the chats of a session were compared. */
  function examinations({ fake }: WahaNetwork, { containerId }: GatewaySession): number {
    return fake.calls.filter((call) => call === `GET /api/${containerId}/chats/overview`).length
  }

  async function examined(network: WahaNetwork, session: GatewaySession, times: number): Promise<void> {
    await eventually(
      async () => examinations(network, session),
      (found) => found >= times,
    )
  }

  it('is restarted after an hour in which a person wrote, and reports what it kept', async () => {
    const { network, texts, pass, write } = await followed()
    const session = await linked(network)
    network.fake.deafen(session.containerId)
    await pass(10 * minute)
    await write(session, 'is this number alive?')
    await pass(49 * minute)
    expect(restarts(network, session)).toBe(0)
    await pass(2 * minute)
    await eventually(
      async () => texts,
      (all) => all.includes('is this number alive?'),
    )
    expect([restarts(network, session), await counted(network, 'deaf')]).toEqual([1, 1])
    expect(network.log()).toContain('waha_session_restarted')
  })

  it('is left alone when only the number itself wrote', async () => {
    const { network, pass } = await followed()
    const session = await linked(network)
    await pass(10 * minute)
    const options = { clientId: crypto.randomUUID(), timeoutMs: 10_000 }
    const content = { kind: 'text', text: 'x' } as const
    network.fake.deafen(session.containerId)
    // A person who neither replies nor reads.
    await network.driver.send(session, { kind: 'phone', digits: '12025550120' }, content, options)
    await pass(hour)
    await examined(network, session, 1)
    await pass(hour)
    await examined(network, session, 2)
    expect([restarts(network, session), examinations(network, session)]).toEqual([0, 2])
  })

  it('is left alone when it reported the newest message', async () => {
    const { network, texts, pass, write } = await followed()
    const session = await linked(network)
    await pass(4 * minute)
    // Webhooks are recorded once in five minutes.
    await write(session, 'hello')
    await eventually(
      async () => texts,
      (all) => all.includes('hello'),
    )
    await pass(hour)
    await examined(network, session, 1)
    expect(restarts(network, session)).toBe(0)
  })

  it('is restarted once a day where that does not help', async () => {
    const { network, pass, write } = await followed()
    const session = await linked(network)
    // Webhooks are lost on their way, which no restart changes.
    network.fake.loseWebhooks(true)
    await pass(10 * minute)
    await write(session, 'hello')
    await pass(51 * minute)
    await eventually(
      async () => restarts(network, session),
      (count) => count === 1,
    )
    await works(network, session)
    await pass(hour)
    await examined(network, session, 2)
    expect(restarts(network, session)).toBe(1)
    await pass(23 * hour)
    await eventually(
      async () => restarts(network, session),
      (count) => count === 2,
    )
  })

  it('is restarted once an hour at most, and one session of a server a minute', async () => {
    const { network, pass, write } = await followed()
    const [one, other] = [await linked(network), await linked(network)]
    const both = () => restarts(network, one) + restarts(network, other)
    for (const session of [one, other]) network.fake.deafen(session.containerId)
    await pass(10 * minute)
    for (const session of [one, other]) await write(session, 'hello')
    await pass(51 * minute)
    await eventually(
      async () => both(),
      (count) => count === 1,
    )
    await pass(minute + 1)
    await eventually(
      async () => both(),
      (count) => count === 2,
    )
    // Both are deaf again at once, and a person writes.
    for (const session of [one, other]) {
      await works(network, session)
      network.fake.deafen(session.containerId)
    }
    await pass(10 * minute)
    for (const session of [one, other]) await write(session, 'hello again')
    await pass(40 * minute)
    expect([restarts(network, one), restarts(network, other)]).toEqual([1, 1])
  })
})
