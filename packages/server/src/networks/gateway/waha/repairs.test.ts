import { GatewayError } from '@msgctl/network/errors'
import type { GatewaySession } from '@msgctl/network/session'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { openWahaNetwork, type WahaNetwork } from '#testing/waha/network.ts'
import { counted, linked, restarts, works } from '#testing/waha/repaired.ts'

const { db } = await testDatabase()
const minute = 60
const hour = 3600

describe('a session that works while every message is refused', () => {
  /** Sends to each of them; returns how each send ended. */
  async function send(
    { driver }: Pick<WahaNetwork, 'driver'>,
    session: GatewaySession,
    people: readonly string[],
  ): Promise<string[]> {
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

  it('is left alone while another process sends, whose messages are taken', async () => {
    const network = await openWahaNetwork(db)
    const session = await linked(network)
    const other = { driver: network.reopen() }
    const badRequest = { exception: { message: 'server returned error 400' } }
    for (const person of people) {
      network.fake.failNext({ path: /sendText/, status: 500, body: () => badRequest })
      expect(await send(network, session, [person])).toEqual([refused])
      await network.sim.clock.advance(1)
      if (person !== people[2]) expect(await send(other, session, ['12025550104'])).toEqual(['sent'])
    }
    expect(restarts(network, session)).toBe(0)
    // From here on none is taken; the last refusal counts.
    network.fake.jam(session.containerId)
    expect(await send(network, session, people.slice(0, 2))).toEqual([refused, restarted])
    await other.driver.close()
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
