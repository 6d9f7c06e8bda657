import { afterEach, describe, expect, it } from 'vitest'
import { aNumber } from '#testing/features/number.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()

type Number = Awaited<ReturnType<typeof aNumber>>
let made: Number | null = null

async function ground(last4: string): Promise<Number> {
  made = await aNumber(server, `1202555${last4}`)
  return made
}
afterEach(() => made?.remove())

const linked = [
  ' STARTING created user',
  'STARTING SCAN_QR_CODE  network',
  'SCAN_QR_CODE STARTING  network',
  'STARTING WORKING  network',
]

describe('a number linked with the phone ..0190, which drops after 30 s', () => {
  it('is disconnected when it is not back within 30 s, and recovers when the network has it back', async () => {
    const number = await ground('0190')
    const { client, containerId } = number
    await number.scan()
    await number.becomes('WORKING')
    await server.advance(30)
    expect((await number.becomes('STARTING')).manager.queuesPaused).toBe(true)
    expect(await number.events()).toEqual([])
    await server.advance(30)
    expect(await number.becomes('FAILED')).toMatchObject({
      connected: false,
      manager: {
        totalFailures: 1,
        lastError: 'The connection to the network was lost. It is retried by itself; check that the phone is online.',
        queuesPaused: true,
      },
      action: { type: 'reconnect', canLogout: true },
    })
    await server.advance(5)
    expect((await number.becomes('STARTING')).manager.retryCount).toBe(1)
    await number.isRestarting()
    await server.advance(25)
    expect(await number.becomes('WORKING')).toMatchObject({
      manager: { retryCount: 0, totalRecoveries: 1, totalFailures: 1, queuesPaused: false },
      action: { type: 'none' },
    })
    const about = { containerId, numberPhone: '12025550190', session: `number-${containerId}` }
    expect(await number.events()).toEqual([
      {
        event: 'session.disconnected',
        data: {
          status: 'FAILED',
          message: 'The connection to the network was lost. It is retried by itself; check that the phone is online.',
          retriesExhausted: false,
          lastAttempt: 0,
          timestamp: expect.any(String),
          ...about,
        },
      },
      { event: 'session.recovered', data: { status: 'WORKING', recoveredAt: expect.any(String), ...about } },
    ])
    expect(await number.history()).toEqual([
      ...linked,
      'WORKING STARTING connection_lost network',
      'STARTING FAILED connection_lost supervisor',
      'FAILED STARTING retry supervisor',
      'STARTING WORKING  network',
    ])
    expect((await client.numbers.list()).sessions).toMatchObject([{ status: 'WORKING', connected: true }])
  })
})

describe('a number linked with the phone ..0191, which logs it out after 30 s', () => {
  it('needs a scan, and recovers when it is linked again', async () => {
    const number = await ground('0191')
    const { containerId } = number
    await number.scan()
    await number.becomes('WORKING')
    await server.advance(30)
    expect(await number.becomes('SCAN_QR_CODE')).toMatchObject({
      me: null,
      manager: { lastError: 'The link was ended, by a logout or on the phone. Scan the QR to link the number again.' },
      action: { type: 'scan_qr', canLogout: false },
    })
    await number.control('scan', { phone: '12025551191' })
    await number.becomes('WORKING')
    const about = { containerId, session: `number-${containerId}` }
    expect(await number.events()).toEqual([
      { event: 'session.needs_scan', data: { status: 'SCAN_QR_CODE', numberPhone: '12025550191', ...about } },
      {
        event: 'session.recovered',
        data: { status: 'WORKING', recoveredAt: expect.any(String), numberPhone: '12025551191', ...about },
      },
    ])
    expect((await number.history()).slice(linked.length)).toEqual([
      'WORKING SCAN_QR_CODE logged_out network',
      'SCAN_QR_CODE STARTING  network',
      'STARTING WORKING  network',
    ])
  })
})

describe('a number that the phone ..0192 shall link, which never scans', () => {
  it('gives up after six codes, reports no event and waits for a person', async () => {
    const number = await ground('0192')
    await number.scan()
    await server.advance(340)
    await number.becomes('SCAN_QR_CODE')
    await server.advance(30)
    expect(await number.becomes('FAILED')).toMatchObject({
      manager: { lastError: 'No QR was scanned in time. Start the number to get a new one.', retryCount: 0 },
      action: { type: 'start', canLogout: false },
    })
    await server.advance(3600)
    expect(await number.events()).toEqual([])
    expect(await number.history()).toEqual([...linked.slice(0, 2), 'SCAN_QR_CODE FAILED qr_expired network'])
    expect((await number.client.numbers.start()).status).toBe('starting')
    await number.becomes('SCAN_QR_CODE')
  })
})

describe('a number that the phone ..0193 shall be paired with, which refuses the code', () => {
  it('responds with GATEWAY_ERROR and still waits for a scan', async () => {
    const number = await ground('0193')
    await number.becomes('SCAN_QR_CODE')
    await expect(number.client.numbers.pair({ phone: '12025550193' })).rejects.toMatchObject({
      status: 502,
      code: 'GATEWAY_ERROR',
    })
    await number.becomes('SCAN_QR_CODE')
    expect(await number.history()).toEqual(linked.slice(0, 2))
    expect(await number.events()).toEqual([])
  })
})

describe('a number linked with the phone ..0194, which flaps', () => {
  it('is back each time before an event is reported', async () => {
    const number = await ground('0194')
    await number.scan()
    await number.becomes('WORKING')
    for (let round = 0; round < 3; round++) {
      await server.advance(15)
      await number.becomes('STARTING')
      await server.advance(5)
      await number.becomes('WORKING')
    }
    expect(await number.events()).toEqual([])
    const flap = ['WORKING STARTING connection_lost network', 'STARTING WORKING  network']
    expect(await number.history()).toEqual([...linked, ...flap, ...flap, ...flap])
  })
})

describe('a number linked with the phone ..0195, whose host goes down', () => {
  it('is UNREACHABLE after three probes, and recovers when the host responds again', async () => {
    const number = await ground('0195')
    const { client, containerId } = number
    await number.scan()
    await server.advance(60)
    for (let probe = 0; probe < 2; probe++) {
      await expect.poll(() => missedProbes(number)).toBe(probe + 1)
      await number.becomes('SCAN_QR_CODE')
      await server.advance(5)
    }
    expect(await number.becomes('UNREACHABLE')).toMatchObject({ connected: false, action: { type: 'contact_support' } })
    await expect(client.numbers.qr()).rejects.toMatchObject({ status: 503, code: 'GATEWAY_UNREACHABLE' })
    await expect(client.numbers.reconnect()).rejects.toMatchObject({ status: 503, code: 'GATEWAY_UNREACHABLE' })
    await number.becomes('UNREACHABLE')
    await number.control('host-up')
    await number.becomes('WORKING')
    const about = { containerId, session: `number-${containerId}` }
    expect(await number.events()).toEqual([
      {
        event: 'session.disconnected',
        data: {
          status: 'FAILED',
          message: 'The host of the number does not respond. The number comes back by itself.',
          reason: 'instance_down',
          lastAttempt: 0,
          numberPhone: null,
          timestamp: expect.any(String),
          ...about,
        },
      },
      {
        event: 'session.recovered',
        data: { status: 'WORKING', recoveredAt: expect.any(String), numberPhone: '12025550195', ...about },
      },
    ])
    expect((await number.history()).slice(2)).toEqual([
      'SCAN_QR_CODE UNREACHABLE instance_down supervisor',
      'UNREACHABLE WORKING  network',
    ])
  })
})

async function missedProbes({ containerId }: Number): Promise<number> {
  const [row] = await server.db('numbers').where({ id: containerId }).select('missedProbes')
  return row?.missedProbes ?? Number.NaN
}
