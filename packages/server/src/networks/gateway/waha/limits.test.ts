import { GatewayError } from '@msgctl/network/errors'
import type { GatewayEvent } from '@msgctl/network/events'
import type { GatewaySession } from '@msgctl/network/session'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { openWahaNetwork, type WahaNetwork } from '#testing/waha/network.ts'
import type { FakeLimits } from '#testing/waha/sessions.ts'

const { db } = await testDatabase()
const to = { kind: 'phone', digits: '12025550100' } as const
const endsAt = 1_900_000_000
const lock = { enforcementType: 'RESTRICT_ALL_COMPANIONS', isActive: true, timeEnforcementEnds: endsAt }
const capping = {
  cappingStatus: 'FIRST_WARNING',
  totalQuota: 1000,
  usedQuota: 640,
  cycleStart: endsAt - 1000,
  cycleEnd: endsAt,
  mvStatus: null,
  oteStatus: null,
}
const until = new Date(endsAt * 1000)

interface Followed {
  readonly network: WahaNetwork
  readonly session: GatewaySession
  /** The limits that were reported, in their order. */
  readonly reported: Extract<GatewayEvent, { kind: 'account.limits' }>['limits'][]
  stop(): Promise<void>
}

async function linked(): Promise<Followed> {
  const network = await openWahaNetwork(db)
  const { driver } = network
  const session = network.newNumber()
  const reported: Followed['reported'] = []
  const stop = driver.subscribe(async (events) => {
    for (const event of events)
      if (event.kind === 'account.limits' && event.containerId === session.containerId) reported.push(event.limits)
  })
  await driver.start(session)
  await eventually(
    () => driver.state(session),
    (state) => state.status === 'SCAN_QR_CODE',
  )
  await network.link(session)
  return { network, session, reported, stop }
}

async function count(reported: Followed['reported'], wanted: number): Promise<void> {
  await eventually(
    async () => reported.length,
    (found) => found >= wanted,
  )
}

describe('what the network allows an account', () => {
  it('is reported when it changes, and when a lock ends', async () => {
    const { network, session, reported, stop } = await linked()
    const { fake } = network
    await fake.limit(session.containerId, { reachoutTimelock: lock })
    await count(reported, 1)
    await fake.limit(session.containerId, { messageCapping: capping })
    await count(reported, 2)
    await fake.limit(session.containerId, { messageCapping: capping })
    await fake.limit(session.containerId, { reachoutTimelock: { ...lock, isActive: false } })
    await count(reported, 3)
    const newChats = { used: 640, quota: 1000, resetsAt: until }
    expect(reported).toEqual([
      { newChats: null, blockedUntil: until },
      { newChats, blockedUntil: until },
      { newChats, blockedUntil: null },
    ])
    await stop()
  })

  it('is reported by the poll when no webhook did, once', async () => {
    const { network, session, reported, stop } = await linked()
    network.fake.loseWebhooks(true)
    await network.fake.limit(session.containerId, { reachoutTimelock: lock })
    for (let n = 0; n < 3; n++) {
      const polls = () => network.fake.calls.filter((call) => call === 'GET /api/sessions').length
      const before = polls()
      await network.sim.clock.advance(61)
      network.sim.wake.signal('clock')
      await eventually(
        async () => polls(),
        (now) => now > before,
      )
    }
    await count(reported, 1)
    // Its time is moved to service time, which the test has moved on.
    const laterMs = (reported[0]?.blockedUntil?.getTime() ?? 0) - until.getTime()
    expect([reported.length, laterMs >= 60_000 && laterMs < 300_000]).toEqual([1, true])
    await stop()
  })

  it.each([
    ['an account without a quota', { ...capping, totalQuota: -1 }, { used: 640, quota: null }],
    ['an account that is capped', { ...capping, cappingStatus: 'CAPPED' }, { used: 1000, quota: 1000 }],
  ])('counts the new conversations of %s', async (_what, messageCapping, newChats) => {
    const { network, session, reported, stop } = await linked()
    await network.fake.limit(session.containerId, { messageCapping })
    await count(reported, 1)
    expect(reported[0]?.newChats).toMatchObject(newChats)
    await stop()
  })

  it('names an end for a lock that has none', async () => {
    const { network, session, reported, stop } = await linked()
    await network.fake.limit(session.containerId, { reachoutTimelock: { ...lock, timeEnforcementEnds: null } })
    await count(reported, 1)
    const hours = ((reported[0]?.blockedUntil?.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hours > 0.9 && hours < 2.1).toBe(true)
    await stop()
  })
})

describe('a send that the network refuses with 463', () => {
  async function refusalWith(limits: Partial<FakeLimits>, changed: { noRoutes?: boolean } = {}): Promise<unknown> {
    const { network, session, stop } = await linked()
    const { fake, driver } = network
    // What the server itself has not noticed yet.
    fake.loseWebhooks(true)
    await fake.limit(session.containerId, limits)
    fake.failNext({
      path: /sendText/,
      status: 500,
      body: (request) => ({ exception: { message: '2 UNKNOWN: server returned error 463' }, request }),
    })
    if (changed.noRoutes) {
      const body = () => ({ statusCode: 404, message: 'Cannot GET /api/sessions/x/timelock', error: 'Not Found' })
      fake.failNext({ path: /timelock$/, status: 404, body })
      fake.failNext({ path: /capping$/, status: 404, body })
    }
    const options = { clientId: crypto.randomUUID(), timeoutMs: 10_000 }
    const error = await driver.send(session, to, { kind: 'text', text: 'x' }, options).catch((thrown) => thrown)
    await stop()
    return error
  }

  it('fails this person only while the account has no time lock', async () => {
    const error = await refusalWith({})
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toMatchObject({ kind: 'contact_refused', outcome: 'not_sent', blockedUntil: undefined })
  })

  it('fails this person only after a time lock', async () => {
    const error = await refusalWith({ reachoutTimelock: { ...lock, isActive: false } })
    expect(error).toMatchObject({ kind: 'contact_refused' })
  })

  it.each([
    ['a server that reads the lock', {}],
    ['a server that knows it only with the account', { noRoutes: true }],
  ])('ends new conversations until the time lock ends, over %s', async (_what, changed) => {
    const error = await refusalWith({ reachoutTimelock: lock }, changed)
    expect(error).toMatchObject({ kind: 'new_chat_refused', outcome: 'not_sent', blockedUntil: until })
  })

  it('ends new conversations until the next cycle when the quota is used up', async () => {
    const error = await refusalWith({ messageCapping: { ...capping, usedQuota: 1000 } })
    expect(error).toMatchObject({ kind: 'new_chat_refused', blockedUntil: until })
  })
})
