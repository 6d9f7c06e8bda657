import type { GatewayError } from '@msgctl/network/errors'
import type { Content } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { saveFaults } from '#networks/simulator/control/store.ts'
import { testDatabase } from '#testing/database.ts'
import { failure, openListening } from '#testing/simulator/listening.ts'
import { openNetwork, person, sending } from '#testing/simulator/network.ts'

const { db } = await testDatabase()
const hello: Content = { kind: 'text', text: 'hello' }

describe('time', () => {
  it('is up when the caller says so, at speed 1', async () => {
    const network = await openNetwork(db, { speed: 1 })
    const session = await (await openNetwork(db)).linked()
    expect(await failure(network.gateway.send(session, person('0150'), hello, sending(undefined, 100)))).toMatchObject({
      kind: 'timeout',
    })
  })

  it('is up when the caller gives up, although the network took the message', async () => {
    const network = await openNetwork(db, { speed: 1 })
    const quick = await openListening(db)
    const giveUp = new AbortController()
    const options = { ...sending('slow', 60_000), signal: giveUp.signal }
    const sent = failure(network.gateway.send(quick.session, person('0150'), hello, options))
    await expect.poll(async () => (await quick.reached()).length, { interval: 5 }).toBe(1)
    giveUp.abort()
    expect(await sent).toMatchObject({ kind: 'timeout', outcome: 'unknown' })
    const again = await quick.gateway.send(quick.session, person('0150'), hello, sending('slow'))
    expect(again.status).toBe('sent')
    expect(await quick.reached()).toHaveLength(1)
  })

  it('makes sixty seconds one at speed 60', async () => {
    const network = await openNetwork(db, { speed: 60 })
    const session = await (await openNetwork(db)).linked()
    const startedMs = performance.now()
    await network.gateway.send(session, person('0150'), hello, sending(undefined, 10_000))
    const tookMs = performance.now() - startedMs
    expect(tookMs).toBeGreaterThan(330)
    expect(tookMs).toBeLessThan(15_000)
  })
})

describe('faults', () => {
  it('strike the same messages again with the same seed, until they are called off', async () => {
    const { gateway, session, linked } = await openListening(db)
    await saveFaults(db, { send: { rejected: 0.5 } })
    const run = async (number: typeof session) => {
      const ends: string[] = []
      for (let n = 0; n < 20; n++) {
        ends.push(
          await gateway.send(number, person('0100'), hello, sending(`m${n}`)).then(
            () => 'sent',
            (error: GatewayError) => error.kind,
          ),
        )
      }
      return ends
    }
    const first = await run(session)
    expect(new Set(first)).toEqual(new Set(['sent', 'rejected']))
    expect(await run(await linked())).toEqual(first)
    await db.raw('delete from sim_faults')
    expect(new Set(await run(await linked()))).toEqual(new Set(['sent']))
  })

  it('let a message through in the end that is tried again', async () => {
    const { gateway, session, reached } = await openListening(db)
    await saveFaults(db, { send: { timeout_not_sent: 0.5, timeout_sent: 0.3 } })
    for (let n = 0; n < 10; n++) {
      const send = (): Promise<unknown> => gateway.send(session, person('0100'), hello, sending(`m${n}`)).catch(send)
      await send()
    }
    await db.raw('delete from sim_faults')
    expect(await reached()).toHaveLength(10)
  })

  it('add a wait to every call, at speed 0 too', async () => {
    const { gateway, session } = await openListening(db)
    await saveFaults(db, { latencyMs: 120 })
    const startedMs = performance.now()
    await gateway.send(session, person('0100'), hello, sending())
    await db.raw('delete from sim_faults')
    expect(performance.now() - startedMs).toBeGreaterThan(110)
  })
})
