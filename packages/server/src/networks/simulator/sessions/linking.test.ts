import type { GatewaySession } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { scanCode, setHost } from '#networks/simulator/control/control.ts'
import { testDatabase } from '#testing/database.ts'
import { type Network, openNetwork, person, someNumber } from '#testing/simulator/network.ts'
import { ownPhone } from './own-phone.ts'

const { db } = await testDatabase()

/** Returns the statuses that were reported for a number, with their reasons. */
function reportedStatuses({ events }: Network, session: GatewaySession): string[] {
  return events.flatMap((event) => {
    if (event.kind !== 'session.state' || event.containerId !== session.containerId) return []
    return [[event.state.status, event.state.reason].filter(Boolean).join(' ')]
  })
}

async function asking(network: Network): Promise<GatewaySession> {
  const session = someNumber()
  await network.gateway.start(session)
  await network.becomes(session, 'SCAN_QR_CODE')
  return session
}

describe('linking', () => {
  it('shows the text sim:<nonce>, which lives a minute', async () => {
    const network = await openNetwork(db)
    const session = await asking(network)
    const qr = await network.gateway.qr(session)
    expect(qr?.text).toMatch(/^sim:[\w-]{20,}$/)
    const livesMs = (qr?.expiresAt.getTime() ?? 0) - network.clock.now().getTime()
    expect(livesMs).toBeGreaterThan(50_000)
    // The process's clock follows the database's, a little behind.
    expect(livesMs).toBeLessThanOrEqual(61_000)
  })

  it('shows another code after a minute, and fails after six of them', async () => {
    const network = await openNetwork(db)
    network.listen()
    const session = await asking(network)
    const first = await network.gateway.qr(session)
    await network.clock.advance(60)
    expect((await network.gateway.qr(session))?.text).not.toBe(first?.text)
    await network.clock.advance(300)
    await network.becomes(session, 'FAILED')
    await network.until(() => reportedStatuses(network, session).length === 3)
    expect(reportedStatuses(network, session)).toEqual(['STARTING', 'SCAN_QR_CODE', 'FAILED qr_expired'])
  })

  it('reports every change, and who is linked', async () => {
    const network = await openNetwork(db)
    network.listen()
    const session = await network.linked('12125551234')
    await network.until(() => reportedStatuses(network, session).length === 4)
    expect(reportedStatuses(network, session)).toEqual(['STARTING', 'SCAN_QR_CODE', 'STARTING', 'WORKING'])
    expect(await network.gateway.state(session)).toMatchObject({
      status: 'WORKING',
      me: { id: '12125551234@c.us', digits: '12125551234', pushName: 'Sim 1234' },
    })
  })

  it('scans by itself where that is set', async () => {
    const network = await openNetwork(db, { autolink: true })
    const session = someNumber()
    await network.gateway.start(session)
    await network.becomes(session, 'WORKING')
    expect((await network.gateway.state(session)).me?.digits).toBe(ownPhone(session.containerId, 0))
  })

  it('always gives a number the same phone, or another one if that phone is in use', async () => {
    const network = await openNetwork(db)
    const session = await asking(network)
    await network.linked(ownPhone(session.containerId, 0))
    await scanCode(network.ctx, session.containerId)
    await network.becomes(session, 'WORKING')
    expect((await network.gateway.state(session)).me?.digits).toBe(ownPhone(session.containerId, 1))
    expect(ownPhone(session.containerId, 1)).toMatch(/^1[2-9]\d\d555[1-9]\d{3}$/)
  })

  it('pairs with the code that a person types on the phone', async () => {
    const network = await openNetwork(db)
    const session = await asking(network)
    const code = await network.gateway.pairingCode(session, '12125551234')
    expect(code).toMatch(/^[A-Z1-9]{8}$/)
    await network.becomes(session, 'WORKING')
    expect((await network.gateway.state(session)).me?.digits).toBe('12125551234')
  })

  it('refuses a pairing code to the phone 0193, and to a number that requests none', async () => {
    const network = await openNetwork(db)
    const session = await asking(network)
    await expect(network.gateway.pairingCode(session, person('0193').digits)).rejects.toMatchObject({
      kind: 'rejected',
    })
    await scanCode(network.ctx, session.containerId)
    await expect(network.gateway.pairingCode(session, '12125551234')).rejects.toMatchObject({ kind: 'session' })
  })

  it('never ends with the phone 0192', async () => {
    const network = await openNetwork(db)
    const session = await asking(network)
    await scanCode(network.ctx, session.containerId, person('0192').digits)
    await network.clock.advance(120)
    expect((await network.gateway.state(session)).status).toBe('SCAN_QR_CODE')
  })
})

describe('the phones that have mishaps', () => {
  it.each([
    ['0190', ['STARTING connection_lost', 'WORKING'], [30, 60]],
    ['0191', ['SCAN_QR_CODE logged_out'], [30]],
    ['0194', ['STARTING connection_lost', 'WORKING', 'STARTING connection_lost', 'WORKING'], [15, 5, 15, 5]],
  ])('%s reports %j', async (last4, expected, seconds) => {
    const network = await openNetwork(db)
    network.listen()
    const session = await network.linked(person(last4).digits)
    await network.until(() => reportedStatuses(network, session).length === 4)
    for (const [n, one] of seconds.entries()) {
      await network.clock.advance(one)
      network.ctx.wake.signal('clock')
      await network.until(() => reportedStatuses(network, session).length >= 5 + n)
    }
    expect(reportedStatuses(network, session).slice(4)).toEqual(expected)
    await network.gateway.remove(session)
  })

  it('0195 has its host down from the scan on, until it is given back', async () => {
    const network = await openNetwork(db)
    network.listen()
    const session = await asking(network)
    await scanCode(network.ctx, session.containerId, person('0195').digits)
    for (const call of ['state', 'start', 'stop', 'restart', 'logout', 'qr'] as const) {
      await expect(network.gateway[call](session)).rejects.toMatchObject({ kind: 'unreachable' })
    }
    expect(await network.gateway.health(session)).toMatchObject({ ok: false })
    const other = await network.linked('12025551235')
    expect(await network.gateway.silentHosts([other, session])).toEqual(new Set([session.containerId]))
    expect(reportedStatuses(network, session)).not.toContain('WORKING')
    await setHost(network.ctx, session.containerId, false)
    await network.becomes(session, 'WORKING')
    await network.until(() => reportedStatuses(network, session).includes('WORKING'))
  })
})

describe('hidden people', () => {
  it('0140 comes to light when the contacts are synced, 0141 never does', async () => {
    const network = await openNetwork(db)
    network.listen()
    const session = await network.linked()
    for (const last4 of ['0140', '0141']) {
      await network.gateway.send(
        session,
        person(last4),
        { kind: 'text', text: 'hi' },
        { clientId: last4, timeoutMs: 5000 },
      )
    }
    expect(await network.gateway.lids(session)).toEqual([])
    const contacts = await network.gateway.contacts(session)
    expect(contacts.find(({ name }) => name === 'Sim 0140')?.address).toEqual(person('0140'))
    expect(contacts.find(({ name }) => name === 'Sim 0141')?.address.kind).toBe('lid')
    expect(await network.gateway.lids(session)).toEqual([
      { lid: expect.stringMatching(/@lid$/), digits: person('0140').digits },
    ])
    const mappings = () => network.events.filter((event) => event.kind === 'lid.mapping')
    await network.until(() => mappings().length > 0)
    await network.gateway.contacts(session)
    expect(mappings()).toMatchObject([{ digits: person('0140').digits }])
    const checked = await network.gateway.check(session, [person('0140').digits, person('0141').digits])
    expect(checked.get(person('0140').digits)?.lid).toMatch(/@lid$/)
    expect(checked.get(person('0141').digits)?.lid).toBeUndefined()
  })
})

describe('a check', () => {
  it('leaves out the phones without a result, and times out when all are without one', async () => {
    const network = await openNetwork(db)
    const session = await network.linked()
    const silent = person('0102').digits
    const answer = await network.gateway.check(session, [person('0100').digits, silent])
    expect([...answer.keys()]).toEqual([person('0100').digits])
    await expect(network.gateway.check(session, [silent])).rejects.toMatchObject({
      kind: 'timeout',
      outcome: 'not_sent',
    })
  })

  it('ends when the caller gives up', async () => {
    const network = await openNetwork(db, { speed: 1 })
    const session = await (await openNetwork(db)).linked()
    const checked = network.gateway.check(session, [person('0102').digits], AbortSignal.timeout(50))
    await expect(checked).rejects.toMatchObject({ kind: 'timeout' })
  })
})
