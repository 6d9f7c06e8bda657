import type { Gateway } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { insertNumber } from '#numbers/records/store.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import type { Services } from '#services.ts'
import { eventually } from '#testing/eventually.ts'
import { aNumber } from '#testing/features/number.ts'
import { makeOrganization } from '#testing/make.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'
import { superviseDue } from './supervisor.ts'

const server = await startTestServer({ worker: false })
const { services } = server
let phones = 0

async function working() {
  phones += 1
  const number = await aNumber(server, `1202555${String(5000 + phones)}`)
  await number.scan()
  await number.becomes('WORKING')
  return number
}

/** Runs the supervisor until no number is due. */
async function supervise(some: Services = services): Promise<void> {
  while (await superviseDue(some));
}

/** Advances the clock in steps (default: 5 seconds), and runs the supervisor after each step. */
async function pass(seconds: number, step = 5): Promise<void> {
  for (let passed = 0; passed < seconds; passed += step) {
    await server.advance(Math.min(step, seconds - passed))
    await supervise()
  }
}

/** Returns services whose gateway counts its calls of `restart`. Each call is handled by `how` when it is given. */
function counting(how?: (gateway: Gateway) => ReturnType<Gateway['restart']>) {
  const calls: string[] = []
  const gateway: Gateway = {
    ...services.gateway,
    restart(session) {
      calls.push(session.containerId)
      return how ? how(services.gateway) : services.gateway.restart(session)
    },
  }
  return { calls, services: { ...services, gateway } }
}

describe('a number that does not come back', () => {
  it('is tried after 5, 10, 20, 40 and 80 s, reported as exhausted once, then tried every five minutes', async () => {
    const number = await working()
    await number.control('drop', { seconds: 7200 })
    await number.applyNetworkState()
    await pass(305)
    expect((await number.events()).map(({ data }) => data)).toMatchObject([{ retriesExhausted: false, lastAttempt: 0 }])
    await pass(30)
    expect(await number.events()).toMatchObject([
      { event: 'session.disconnected', data: { retriesExhausted: false, lastAttempt: 0 } },
      { event: 'session.disconnected', data: { retriesExhausted: true, lastAttempt: 5, status: 'FAILED' } },
    ])
    const { history } = await number.client.numbers.history()
    const retries = history.filter(({ reason }) => reason === 'retry').reverse()
    const failures = history.filter(({ to }) => to === 'FAILED').reverse()
    expect(retries.map(({ at }, i) => (Date.parse(at) - Date.parse(failures[i]?.at ?? '')) / 1000)).toEqual(
      [5, 10, 20, 40, 80].map((seconds) => expect.closeTo(seconds, -1)),
    )
    expect((await number.client.numbers.status()).manager).toMatchObject({ retryCount: 5, maxRetries: 5 })
    await pass(290, 145)
    expect((await number.client.numbers.status()).manager.retryCount).toBe(5)
    await pass(15)
    expect((await number.client.numbers.status()).manager.retryCount).toBe(6)
    await pass(600, 30)
    expect(await number.events()).toHaveLength(2)
    await number.remove()
  }, 60_000)

  it('is reported once when it flaps twenty times in a minute, and as recovered once when it stays', async () => {
    const number = await working()
    await number.control('drop', { seconds: 60 })
    await number.applyNetworkState()
    await pass(35)
    expect(await number.events()).toHaveLength(1)
    await server.advance(30)
    for (let flap = 0; flap < 20; flap++) {
      await number.applyNetworkState()
      await number.control('drop', { seconds: 2 })
      await number.applyNetworkState()
      await server.advance(3)
      await supervise()
    }
    await number.applyNetworkState()
    await number.becomes('WORKING')
    expect((await number.events()).map(({ event }) => event)).toEqual(['session.disconnected', 'session.recovered'])
    await number.remove()
  }, 60_000)

  it('continues from the stored state when no supervisor ran for an hour', async () => {
    const number = await working()
    await number.control('drop', { seconds: 60 })
    await number.applyNetworkState()
    await server.advance(3600)
    await supervise()
    expect((await number.client.numbers.status()).status).toBe('WORKING')
    expect(await number.events()).toEqual([])
    await number.remove()
  })
})

describe('a start that got lost', () => {
  it('is made up for after a minute when the process died before it asked the network', async () => {
    const organization = await makeOrganization(server)
    const { organizationId } = organization
    const id = newId()
    await transaction(server.db, (trx) =>
      insertNumber(trx, {
        id,
        organizationId,
        gateway: services.config.gateway,
        label: 'Lost',
        instanceName: `number-${id}`,
      }),
    )
    await server.advance(59)
    await supervise()
    const session = { organizationId, containerId: id }
    expect((await services.gateway.state(session)).status).toBe('STOPPED')
    await server.advance(2)
    await supervise()
    expect((await services.gateway.state(session)).status).toBe('SCAN_QR_CODE')
  })

  it('is tried again when the network refused it, and again later', async () => {
    const number = await working()
    await number.control('drop', { seconds: 30 })
    await number.applyNetworkState()
    await server.advance(10)
    const refusing = counting(() => Promise.reject(new Error('no room')))
    await number.client.numbers.stop()
    await number.client.numbers.start()
    await server.advance(30)
    await services.gateway.stop(number)
    await supervise(refusing.services)
    expect((await number.client.numbers.status()).status).toBe('FAILED')
    await server.advance(5)
    await supervise(refusing.services)
    expect(refusing.calls).toEqual([number.containerId])
    expect(await number.client.numbers.status()).toMatchObject({
      status: 'FAILED',
      manager: { lastError: 'The network could not start the number. It is retried by itself.', retryCount: 1 },
    })
    await server.advance(10)
    await supervise()
    await number.applyNetworkState()
    expect(await number.becomes('WORKING')).toMatchObject({ manager: { retryCount: 0 } })
    await number.remove()
  })
})

describe('a number that is removed while it is tried', () => {
  it('does not come to life at the network', async () => {
    const number = await working()
    await number.control('drop', { seconds: 3600 })
    await number.applyNetworkState()
    await pass(30)
    const removing = counting(async (gateway) => {
      await number.remove()
      await gateway.ensure(number)
      return gateway.restart(number)
    })
    await server.advance(5)
    await supervise(removing.services)
    expect(removing.calls).toEqual([number.containerId])
    expect(await services.gateway.state(number)).toMatchObject({ status: 'STOPPED', me: null })
  })
})

describe('a host that is down', () => {
  it('makes its numbers UNREACHABLE after three failed probes, and recovers them when it responds again', async () => {
    const number = await working()
    const { containerId } = number
    await number.control('host-down')
    await server.advance(60)
    await supervise()
    await server.advance(5)
    await supervise()
    expect((await number.client.numbers.status()).status).toBe('WORKING')
    await server.advance(5)
    await supervise()
    expect(await number.client.numbers.status()).toMatchObject({ status: 'UNREACHABLE', connected: false })
    await pass(600, 60)
    await number.control('host-up')
    await server.advance(10)
    await supervise()
    expect((await number.client.numbers.status()).status).toBe('WORKING')
    const about = { containerId, session: `number-${containerId}`, numberPhone: expect.any(String) }
    expect(await number.events()).toEqual([
      {
        event: 'session.disconnected',
        data: {
          status: 'FAILED',
          message: 'The host of the number does not respond. The number comes back by itself.',
          reason: 'instance_down',
          lastAttempt: 0,
          timestamp: expect.any(String),
          ...about,
        },
      },
      { event: 'session.recovered', data: { status: 'WORKING', recoveredAt: expect.any(String), ...about } },
    ])
    await number.remove()
  })

  it('does not carry out a stop until it responds again', async () => {
    const number = await working()
    await number.control('host-down')
    await expect(number.client.numbers.stop()).rejects.toMatchObject({ code: 'GATEWAY_UNREACHABLE' })
    await pass(75)
    expect((await number.client.numbers.status()).status).toBe('UNREACHABLE')
    await number.control('host-up')
    await server.advance(10)
    await supervise()
    expect((await number.client.numbers.status()).status).toBe('STOPPED')
    expect((await services.gateway.state(number)).status).toBe('STOPPED')
    await number.remove()
  })

  it('takes a stop back when the number is started before it was made up for', async () => {
    const number = await working()
    await number.control('host-down')
    await number.client.numbers.stop().catch(() => undefined)
    expect((await number.client.numbers.start()).status).toBe('starting')
    await number.control('host-up')
    await pass(120, 60)
    expect((await number.client.numbers.status()).status).toBe('WORKING')
    await number.remove()
  })

  it('is checked soon after a send could not reach it', async () => {
    const number = await working()
    await number.control('host-down')
    await expect(
      number.client.alert.sendLocation({ phone: '12025550100', latitude: 1, longitude: 2 }),
    ).rejects.toMatchObject({ code: 'GATEWAY_UNREACHABLE' })
    // The request for a check follows a moment after the response to the send.
    const isDue = 'select 1 as due from numbers where id = :containerId and next_check_at <= service_now()'
    await eventually(
      () => rows(server.db, isDue, { containerId: number.containerId }),
      (due) => due.length > 0,
    )
    await supervise()
    await server.advance(5)
    await supervise()
    await server.advance(5)
    await supervise()
    expect((await number.client.numbers.status()).status).toBe('UNREACHABLE')
    await number.remove()
  })

  it('that misses two probes and then responds again causes no event', async () => {
    const number = await working()
    await number.control('host-down')
    await server.advance(60)
    await supervise()
    await server.advance(5)
    await supervise()
    await number.control('host-up')
    await pass(300, 60)
    expect((await number.client.numbers.status()).status).toBe('WORKING')
    expect(await number.events()).toEqual([])
    await number.remove()
  })
})

describe('several supervisors', () => {
  it('try a number once, even when they check it at the same moment', async () => {
    const other = await serveDatabase(server.db, server.databaseUrl, { worker: false })
    try {
      const number = await working()
      await number.control('drop', { seconds: 3600 })
      await number.applyNetworkState()
      await pass(30)
      await server.advance(5)
      const counted = counting()
      const theirs = { ...other.services, gateway: counted.services.gateway }
      // Otherwise its clock follows the advanced one only within a second.
      await other.services.clock.sync()
      await Promise.all([counted.services, theirs, counted.services, theirs].map((one) => superviseDue(one)))
      expect(counted.calls).toEqual([number.containerId])
      expect((await number.history()).filter((change) => change.includes('retry'))).toHaveLength(1)
      await number.remove()
    } finally {
      await other.stop()
    }
  })
})
