import type { GatewayEvent } from '@msgctl/network/events'
import type { GatewaySession } from '@msgctl/network/session'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inboundBody, writeInbound } from '#networks/simulator/control/inbound.ts'
import { rows } from '#platform/db/db.ts'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { openWahaNetwork, type WahaNetwork } from '#testing/waha/network.ts'
import { counted, linked, restarts, works } from '#testing/waha/repaired.ts'

const { db } = await testDatabase()
const restartReported = `select heard_at >= repaired_at as is_reported from waha_sessions
  where container_id = :containerId and reported_status = 'WORKING'`
const minute = 60
const hour = 3600

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

  it('is restarted once a day where only its messages are lost, as a restart itself is reported', async () => {
    const { network, pass, write } = await followed()
    const session = await linked(network)
    network.fake.loseWebhooks('messages')
    await pass(10 * minute)
    await write(session, 'hello')
    await pass(51 * minute)
    await eventually(
      async () => restarts(network, session),
      (count) => count === 1,
    )
    await eventually(
      () => rows<{ isReported: boolean }>(db, restartReported, { containerId: session.containerId }),
      ([found]) => found?.isReported === true,
    )
    for (const times of [2, 3]) {
      await pass(10 * minute)
      await write(session, 'hello again')
      await pass(51 * minute)
      await examined(network, session, times)
    }
    expect(restarts(network, session)).toBe(1)
    await pass(22 * hour)
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
