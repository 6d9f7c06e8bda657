import type { GatewayError } from '@msgctl/network/errors'
import type { Content, GatewayEvent, SendReceipt } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { setHost, setPresence } from '#networks/simulator/control/control.ts'
import { inboundBody, writeInbound } from '#networks/simulator/control/inbound.ts'
import { purge } from '#networks/simulator/history/store.ts'
import { testDatabase } from '#testing/database.ts'
import { openNetwork, person, sending, statusesOf } from '#testing/simulator/network.ts'

const { db } = await testDatabase()
const hello: Content = { kind: 'text', text: 'hello' }

function idsOf(events: readonly GatewayEvent[]): string[] {
  return events.flatMap((event) => (event.kind === 'message.status' ? [event.networkId] : []))
}

describe('several processes', () => {
  it('receive each event in exactly one of them', async () => {
    const first = await openNetwork(db)
    const second = await openNetwork(db)
    const session = await first.linked()
    const sends = Array.from({ length: 400 }, (_, n) =>
      (n % 2 ? first : second).gateway.send(session, person('0121'), hello, sending()),
    )
    const sent = await Promise.all(sends)
    first.listen()
    second.listen()
    const wanted = sent.map(({ ref }) => ref.networkId).sort()
    const all = () => [...first.events, ...second.events]
    await Promise.race([first, second].map((one) => one.until(() => idsOf(all()).length >= wanted.length)))
    expect(idsOf(all()).sort()).toEqual(wanted)
  })

  it('find everything again after the one that worked is gone', async () => {
    const first = await openNetwork(db)
    const session = await first.linked()
    const { ref } = await first.gateway.send(session, person('0100'), hello, sending('before'))
    await first.close()
    const second = await openNetwork(db)
    second.listen()
    await second.until((events) => statusesOf(events, ref.networkId).length === 2)
    expect((await second.gateway.state(session)).status).toBe('WORKING')
    const again = await second.gateway.send(session, person('0100'), hello, sending('before'))
    expect(again.ref).toEqual(ref)
  })

  it('receive again the events that another process had locked when it died', async () => {
    const network = await openNetwork(db)
    const session = await network.linked()
    const { ref } = await network.gateway.send(session, person('0121'), hello, sending())
    const dying = await db.transaction()
    const held = await dying.raw('select id from sim_events where container_id = ? for update', [session.containerId])
    expect(held.rows).not.toHaveLength(0)
    network.listen()
    const other = await network.linked()
    const { ref: free } = await network.gateway.send(other, person('0121'), hello, sending())
    await network.until((events) => statusesOf(events, free.networkId).length === 1)
    expect(statusesOf(network.events, ref.networkId)).toEqual([])
    await dying.rollback()
    await network.until((events) => statusesOf(events, ref.networkId).length === 1)
  })
})

describe('a handler that fails', () => {
  it('gets the same events again, and one that it can never take does not stop the others', async () => {
    const network = await openNetwork(db)
    const session = await network.linked()
    const poison = await network.gateway.send(session, person('0121'), hello, sending())
    const others = await Promise.all(
      Array.from({ length: 20 }, () => network.gateway.send(session, person('0121'), hello, sending())),
    )
    const taken: GatewayEvent[] = []
    network.gateway.subscribe(async (batch) => {
      if (idsOf(batch).includes(poison.ref.networkId)) throw new Error('this one is too much')
      taken.push(...batch)
    })
    await expect.poll(() => idsOf(taken).length, { interval: 10 }).toBe(others.length)
  })

  it('may use the gateway while it works', async () => {
    const network = await openNetwork(db)
    const session = await network.linked()
    let answered = false
    network.gateway.subscribe(async () => {
      await network.gateway.restart(session)
      await network.gateway.send(session, person('0121'), hello, sending())
      await network.gateway.remove(session)
      answered = true
    })
    await expect.poll(() => answered, { interval: 10 }).toBe(true)
  })
})

describe('a phone that is off', () => {
  it('of 0120 gets its messages when it is put on, in their order', async () => {
    const network = await openNetwork(db)
    network.listen()
    const session = await network.linked()
    const { ref } = await network.gateway.send(session, person('0120'), hello, sending())
    const { ref: other } = await network.gateway.send(session, person('0121'), hello, sending())
    await network.until((events) => statusesOf(events, other.networkId).length === 1)
    await expect.poll(() => waiting('person:12025550120'), { interval: 5 }).toBe(2)
    expect(statusesOf(network.events, ref.networkId)).toEqual([])
    await setPresence(network.ctx, '12025550120', true)
    await network.until((events) => statusesOf(events, ref.networkId).length === 2)
    expect(statusesOf(network.events, ref.networkId)).toEqual(['delivered', 'read'])
  })

  it('of any person holds back receipts and replies', async () => {
    const network = await openNetwork(db)
    network.listen()
    const session = await network.linked()
    await setPresence(network.ctx, person('0130').digits, false)
    await network.gateway.send(session, person('0130'), hello, sending())
    await expect.poll(() => waiting('person:12025550130'), { interval: 5 }).toBe(3)
    await setPresence(network.ctx, person('0130').digits, true)
    await network.until((events) => events.some((event) => event.kind === 'message.in'))
  })
})

describe('a link that is down', () => {
  it('lets what people write wait until the number works again', async () => {
    const network = await openNetwork(db)
    network.listen()
    const session = await network.linked()
    await network.until((events) => events.some((event) => event.kind === 'history.progress'))
    await network.gateway.stop(session)
    await writeInbound(
      network.ctx,
      inboundBody.parse({ containerId: session.containerId, from: '12025550100', text: 'hi' }),
    )
    await expect.poll(() => waiting(`session:${session.containerId}`), { interval: 5 }).toBe(1)
    expect(network.events.some((event) => event.kind === 'message.in')).toBe(false)
    await network.gateway.start(session)
    await network.until((events) => events.some((event) => event.kind === 'message.in'))
  })
})

async function waiting(waitsFor: string): Promise<number> {
  const counted = await db('sim_events').where({ waitsFor }).count<{ count: number }[]>('* as count')
  return counted[0]?.count ?? 0
}

describe('time', () => {
  it('brings receipts when the service clock reaches them, not before', async () => {
    const network = await openNetwork(db, { speed: 1 })
    const session = await (await openNetwork(db)).linked()
    await network.clock.freeze()
    try {
      const sent = await Promise.all(
        [1, 2, 3].map(() => network.gateway.send(session, person('0100'), hello, sending())),
      )
      network.listen()
      const arrived = () => sent.map(({ ref }) => statusesOf(network.events, ref.networkId).length)
      await network.clock.advance(2)
      network.ctx.wake.signal('clock')
      await network.until(() => arrived().every((count) => count >= 1))
      expect(arrived()).toEqual([1, 1, 1])
      await network.clock.advance(3)
      network.ctx.wake.signal('clock')
      await network.until(() => arrived().every((count) => count === 2))
    } finally {
      await db.raw('update service_clock set frozen_at = null')
    }
  })
})

it('takes a host away and gives it back', async () => {
  const network = await openNetwork(db)
  network.listen()
  const session = await network.linked()
  await setHost(network.ctx, session.containerId, true)
  expect(await network.gateway.health(session)).toMatchObject({ ok: false })
  expect(await network.gateway.health()).toMatchObject({ ok: true })
  await expect(network.gateway.state(session)).rejects.toMatchObject({ kind: 'unreachable', outcome: 'not_sent' })
  await expect(network.gateway.send(session, person('0100'), hello, sending())).rejects.toMatchObject({
    kind: 'unreachable',
  })
  const before = network.events.length
  await setHost(network.ctx, session.containerId, false)
  await network.until((events) =>
    events.slice(before).some((event) => event.kind === 'session.state' && event.state.status === 'WORKING'),
  )
  expect(await network.gateway.state(session)).toMatchObject({ status: 'WORKING' })
})

it('continues after the database has closed every connection', async () => {
  const network = await openNetwork(db)
  network.listen()
  const session = await network.linked()
  await network.until((events) => events.some((event) => event.kind === 'history.progress'))
  await db.raw(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid()`,
  )
  const options = sending()
  const send = (): Promise<SendReceipt> =>
    network.gateway.send(session, person('0100'), hello, options).catch((error: GatewayError) => {
      if (error.kind === 'unreachable') return send()
      throw error
    })
  const { ref } = await send()
  await network.until((events) => statusesOf(events, ref.networkId).length === 2)
})

it('forgets what is older than a week, and nothing younger', async () => {
  const network = await openNetwork(db)
  const session = await network.linked()
  await network.gateway.send(session, person('0100'), hello, sending('old'))
  await network.clock.advance(8 * 86_400)
  const again = await network.linked()
  await network.gateway.send(again, person('0100'), hello, sending('young'))
  expect(await purge(db, 7)).toBe(false)
  const left = await db('sim_messages')
    .whereIn('containerId', [session.containerId, again.containerId])
    .pluck('clientId')
  expect(left).toEqual(['young'])
})
