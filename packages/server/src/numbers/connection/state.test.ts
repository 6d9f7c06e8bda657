import { describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { applyState } from './state.ts'
import type { FoundState } from './state-rules.ts'

const server = await startTestServer({ worker: false })
const me = { id: '12025550077@c.us', digits: '12025550077', pushName: 'Seven' }

async function ground(options: { linked?: boolean } = {}) {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization, options)
  const { organizationId } = organization
  const client = server.client(organization)
  return {
    organizationId,
    containerId,
    client,
    report: (state: FoundState, at?: Date) =>
      applyState(server.services, { organizationId, containerId, state, source: 'network', ...(at ? { at } : {}) }),
    /** The supervisor's word that it did not come back in time. */
    giveUp: () =>
      applyState(server.services, {
        organizationId,
        containerId,
        state: { status: 'FAILED', me: null, reason: 'connection_lost' },
        source: 'supervisor',
      }),
    async events() {
      return (await client.events.list()).events
    },
  }
}

describe('what the network reports', () => {
  it('becomes events with the specification’s payloads, for a number that was linked', async () => {
    const { containerId, report, giveUp, events, client } = await ground()
    const phone = (await client.numbers.list()).sessions[0]?.phoneNumber
    await report({ status: 'SCAN_QR_CODE', me: null, reason: 'logged_out' })
    await report({ status: 'WORKING', me })
    await giveUp()
    const about = { containerId, session: `number-${containerId}` }
    expect((await events()).map(({ event, data }) => ({ event, data }))).toEqual([
      { event: 'session.needs_scan', data: { status: 'SCAN_QR_CODE', numberPhone: phone, ...about } },
      {
        event: 'session.recovered',
        data: { status: 'WORKING', recoveredAt: expect.any(String), numberPhone: me.digits, ...about },
      },
      {
        event: 'session.disconnected',
        data: {
          status: 'FAILED',
          message: 'The connection to the network was lost. It is retried by itself; check that the phone is online.',
          retriesExhausted: false,
          lastAttempt: 0,
          timestamp: expect.any(String),
          numberPhone: me.digits,
          ...about,
        },
      },
    ])
  })

  it('causes one event, however often it is reported', async () => {
    const { report, giveUp, events } = await ground()
    for (let i = 0; i < 3; i++) await giveUp()
    for (let i = 0; i < 3; i++) await report({ status: 'WORKING', me })
    expect((await events()).map(({ event }) => event)).toEqual(['session.disconnected', 'session.recovered'])
  })

  it('causes one event when several processes receive its report at the same time', async () => {
    const { report, events } = await ground()
    await Promise.all(Array.from({ length: 6 }, () => report({ status: 'SCAN_QR_CODE', me: null })))
    expect((await events()).map(({ event }) => event)).toEqual(['session.needs_scan'])
  })

  it('causes no event for a number that was never linked', async () => {
    const { report, events } = await ground({ linked: false })
    await report({ status: 'SCAN_QR_CODE', me: null })
    await report({ status: 'FAILED', me: null, reason: 'qr_expired' })
    await report({ status: 'STARTING', me: null })
    await report({ status: 'SCAN_QR_CODE', me: null })
    await report({ status: 'WORKING', me })
    expect(await events()).toEqual([])
  })

  it('ends in the newest state, in whatever order the reports arrive and whatever their clock says', async () => {
    const { report, client } = await ground()
    const now = server.services.clock.now().getTime()
    const at = (ms: number) => new Date(now + ms)
    const first = now + 10
    await report({ status: 'SCAN_QR_CODE', me: null, sequence: first + 1 }, at(-8))
    expect(await report({ status: 'STARTING', me: null, sequence: first }, at(0))).toBeNull()
    expect((await client.numbers.status()).status).toBe('SCAN_QR_CODE')
    await report({ status: 'WORKING', me, sequence: first + 3 }, at(-50))
    expect(await report({ status: 'STARTING', me, sequence: first + 2 }, at(0))).toBeNull()
    expect(await report({ status: 'SCAN_QR_CODE', me: null, sequence: first + 1 }, at(0))).toBeNull()
    expect(await client.numbers.status()).toMatchObject({ status: 'WORKING', me: { id: me.id } })
    const times = (await client.numbers.history()).history.map((change) => change.at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('keeps a number as a user or the supervisor left it when a report is repeated', async () => {
    const { report, giveUp, client } = await ground()
    const sequence = server.services.clock.now().getTime() + 10
    const repeated = () => report({ status: 'WORKING', me, sequence }, server.services.clock.now())
    expect(await repeated()).not.toBeNull()
    await giveUp()
    expect(await repeated()).toBeNull()
    expect((await client.numbers.status()).status).toBe('FAILED')
    // The response of a call is current.
    await report({ status: 'WORKING', me, sequence })
    expect((await client.numbers.status()).status).toBe('WORKING')
  })

  it('does not shut out what comes next when a report claims to be of the future', async () => {
    const { report, client } = await ground()
    const future = new Date(server.services.clock.now().getTime() + 3_600_000)
    await report({ status: 'STARTING', me }, future)
    await server.advance(60)
    await report({ status: 'SCAN_QR_CODE', me: null }, server.services.clock.now())
    expect((await client.numbers.status()).status).toBe('SCAN_QR_CODE')
  })

  it('changes nothing when it was judged by a state that is past', async () => {
    const { organizationId, containerId, report, client } = await ground()
    const before = await report({ status: 'STARTING', me })
    await report({ status: 'WORKING', me })
    const state = { status: 'FAILED', me: null } as const
    const expected = before ?? expect.fail('the report was dropped')
    expect(
      await applyState(server.services, { organizationId, containerId, state, source: 'supervisor', expected }),
    ).toBeNull()
    expect((await client.numbers.status()).status).toBe('WORKING')
  })

  it('is dropped for a number that is gone', async () => {
    const { organizationId } = await ground()
    const containerId = crypto.randomUUID()
    const state = { status: 'WORKING', me } as const
    expect(await applyState(server.services, { organizationId, containerId, state, source: 'network' })).toBeNull()
  })

  it('is dropped under another organization’s name', async () => {
    const [own, other] = [await ground(), await ground()]
    const moved = await applyState(server.services, {
      organizationId: other.organizationId,
      containerId: own.containerId,
      state: { status: 'FAILED', me: null },
      source: 'network',
    })
    expect(moved).toBeNull()
    expect((await own.client.numbers.status()).status).toBe('WORKING')
  })
})
