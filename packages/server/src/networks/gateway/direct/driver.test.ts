import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { GatewayEvent, GatewaySession, NetAddress } from '@msgctl/network/gateway'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { isSignedCall, notOwnedStatus, rpcKeyPurpose, signatureHeader, timeHeader } from '@msgctl/network/wire'
import pino from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startClock } from '#platform/db/clock.ts'
import { rows } from '#platform/db/db.ts'
import { localWake } from '#platform/db/wake.ts'
import { testDatabase } from '#testing/database.ts'
import { direct } from './driver.ts'
import { deleteExpiredMessages } from './store.ts'

const { db } = await testDatabase()
const secrets = openSecrets(newSecretsKeys())
const to: NetAddress = { kind: 'phone', digits: '12025550100' }
const options = { clientId: 'ID', timeoutMs: 5000 }
const refused = { kind: 'refused', outcome: 'not_sent' }

/** A call as a host received it. */
interface Received {
  readonly operation: string
  readonly head: Record<string, unknown>
  readonly file: string
  readonly isSigned: boolean
}

async function newDriver(keys = secrets) {
  const clock = await startClock(db, { followMs: 30_000 })
  const driver = direct({ db, clock, wake: localWake(), secrets: keys, log: pino({ level: 'silent' }) })
  onTestFinished(async () => {
    await driver.close()
    clock.stop()
  })
  return driver
}

/** A gateway host whose response is given. `own` gives it numbers. */
async function newHost(respond: (call: Received) => { status?: number; body: object | string }) {
  const calls: Received[] = []
  const key = secrets.derive(rpcKeyPurpose)?.key ?? Buffer.alloc(0)
  const server: Server = createServer(async (request, response) => {
    const body = await buffer(request)
    const end = 4 + body.readUInt32BE()
    const head = body.subarray(4, end)
    const operation = request.url?.replace('/rpc/', '') ?? ''
    const signed = { timeMs: Number(request.headers[timeHeader]), operation, head }
    const call = {
      operation,
      head: JSON.parse(head.toString()) as Record<string, unknown>,
      file: body.subarray(end).toString(),
      isSigned: isSignedCall(
        key,
        signed,
        String(request.headers[signatureHeader]),
        performance.timeOrigin + performance.now(),
      ),
    }
    calls.push(call)
    const { status = 200, body: result } = respond(call)
    const type = typeof result === 'string' ? 'application/octet-stream' : 'application/json'
    response
      .writeHead(status, { 'content-type': type })
      .end(typeof result === 'string' ? result : JSON.stringify(result))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  const id = crypto.randomUUID()
  await rows(
    db,
    `insert into gateway_hosts (id, url, version, capacity, started_at, seen_at)
     values (:id, :url, '1', 10, gateway_clock(), gateway_clock())`,
    { id, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
  )
  const own = (session: GatewaySession, status = 'WORKING') =>
    rows(
      db,
      `update gateway_sessions set host_id = :id, lease_until = gateway_clock() + interval '1 min', wanted = 'running',
              status = :status, epoch = epoch + 1 where container_id = :containerId`,
      { id, status, containerId: session.containerId },
    )
  return { calls, own, close }
}

const newNumber = () => ({ containerId: crypto.randomUUID(), organizationId: crypto.randomUUID() })

describe('session calls of sockets of our own', () => {
  it('are stored while no host runs, and report each state once in order', async () => {
    const driver = await newDriver()
    const session = newNumber()
    const events: GatewayEvent[] = []
    const stop = driver.subscribe(async (batch) => void events.push(...batch))
    const first = await driver.start(session)
    expect(first).toMatchObject({ status: 'STARTING', reason: 'started', me: null })
    expect(await driver.start(session)).toEqual(first)
    const second = await driver.stop(session)
    const third = await driver.restart(session)
    expect([second.status, third.status]).toEqual(['STOPPED', 'STARTING'])
    expect(third.sequence).toBeGreaterThan(second.sequence)
    await expect
      .poll(() => events.flatMap((event) => (event.kind === 'session.state' ? [event.state] : [])))
      .toEqual([first, second, third])
    expect(events.every(({ at, containerId }) => at instanceof Date && containerId === session.containerId)).toBe(true)
    await stop()
    expect(await driver.silentHosts([session])).toEqual(new Set([session.containerId]))
    expect(await driver.health(session)).toMatchObject({ ok: false })
    // This test is the first of its database that has a number or a host.
    await driver.start(session)
    expect(await driver.health()).toMatchObject({ ok: false })
    await newHost(() => ({ body: {} }))
    expect(await driver.health()).toEqual({ ok: true })
  })

  it('do not touch numbers of another organization', async () => {
    const driver = await newDriver()
    const session = newNumber()
    await driver.start(session)
    const stranger = { ...session, organizationId: crypto.randomUUID() }
    await expect(driver.stop(stranger)).rejects.toMatchObject({ kind: 'session' })
    await driver.remove(stranger)
    expect((await driver.state(session)).status).toBe('STARTING')
  })

  it('request a restart from a host that may not have noticed a stop', async () => {
    const driver = await newDriver()
    const host = await newHost(() => ({ body: {} }))
    const session = newNumber()
    await driver.start(session)
    await host.own(session)
    await driver.stop(session)
    await driver.start(session)
    const found = await rows(db, 'select request, wanted from gateway_sessions where container_id = :containerId', {
      containerId: session.containerId,
    })
    expect(found).toEqual([{ request: 'restart', wanted: 'running' }])
  })

  it('count up from the time, also for a number that was removed', async () => {
    const driver = await newDriver()
    const session = newNumber()
    const { sequence } = await driver.start(session)
    await driver.remove(session)
    expect((await driver.state(session)).status).toBe('STOPPED')
    expect((await driver.start(session)).sequence).toBeGreaterThan(sequence - 60_000)
  })
})

describe('calls to a gateway host', () => {
  async function connected(respond: Parameters<typeof newHost>[0]) {
    const [driver, host, session] = [await newDriver(), await newHost(respond), newNumber()]
    await driver.ensure(session)
    await host.own(session)
    return { driver, host, session }
  }

  it('are signed, and carry a file with its hash', async () => {
    const { driver, host, session } = await connected(() => ({ body: { value: { ref: {}, status: 'sent' } } }))
    const bytes = () => Readable.from([Buffer.from('some '), Buffer.from('bytes')])
    const image = { kind: 'image', bytes, sizeBytes: 10, mimetype: 'image/png', caption: 'x' } as const
    expect(await driver.send(session, to, image, options)).toMatchObject({ status: 'sent' })
    const [call] = host.calls
    expect(call).toMatchObject({ operation: 'send', isSigned: true, file: 'some bytes' })
    expect(call?.head).toMatchObject({
      containerId: session.containerId,
      clientId: 'ID',
      content: { kind: 'image', caption: 'x' },
      file: { sizeBytes: 10, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    })
  })

  it('fail as the host reports', async () => {
    const failure = { kind: 'new_chat_refused', outcome: 'not_sent', safeMessage: 'Not now.', blockedUntilMs: 5000 }
    const { driver, session } = await connected(() => ({ status: 409, body: failure }))
    await expect(driver.send(session, to, { kind: 'text', text: 'x' }, options)).rejects.toMatchObject({
      kind: 'new_chat_refused',
      outcome: 'not_sent',
      safeMessage: 'Not now.',
      blockedUntil: new Date(5000),
    })
  })

  it('follow a number to its next host', async () => {
    const { driver, host, session } = await connected(({ operation }) =>
      operation === 'check' ? { body: { value: {} } } : { status: notOwnedStatus, body: {} },
    )
    await driver.check(session, ['12025550100'])
    const next = await newHost(() => ({ body: { value: { about: 'here' } } }))
    await next.own(session)
    expect(await driver.profile(session)).toEqual({ about: 'here' })
    expect([host.calls.length, next.calls.length]).toEqual([2, 1])
    await next.close()
    await expect(driver.profile(session)).rejects.toMatchObject({ kind: 'unreachable', outcome: 'not_sent' })
  })

  it('are not made for a number that is not connected', async () => {
    const { driver, host, session } = await connected(() => ({ body: {} }))
    await driver.stop(session)
    const sent = driver.send(session, to, { kind: 'text', text: 'x' }, options)
    await expect(sent).rejects.toMatchObject({ kind: 'session', outcome: 'not_sent' })
    expect(host.calls).toEqual([])
  })

  it.each([
    [400, 'not_sent'],
    [401, 'not_sent'],
    [404, 'not_sent'],
    [502, 'unknown'],
  ] as const)('are tried again after a %i, which no call of the same release gets', async (status, outcome) => {
    const { driver, session } = await connected(() => ({ status, body: {} }))
    const sent = driver.send(session, to, { kind: 'text', text: 'x' }, options)
    await expect(sent).rejects.toMatchObject({ kind: 'unreachable', outcome })
  })

  it('need SECRETS_KEYS', async () => {
    const { host, session } = await connected(() => ({ body: {} }))
    const driver = await newDriver(openSecrets(undefined))
    await expect(driver.profile(session)).rejects.toMatchObject({ kind: 'unreachable' })
    expect(host.calls).toEqual([])
  })

  it('send the fallback when a message to forward is gone', async () => {
    const { driver, host, session } = await connected(({ operation }) =>
      operation === 'forward'
        ? { status: 409, body: { ...refused, kind: 'rejected', safeMessage: 'Gone.' } }
        : { body: { value: { ref: {}, status: 'sent' } } },
    )
    const message = { networkId: 'OLD', chat: to, raw: null }
    const fallback = { kind: 'text', text: 'again' } as const
    await driver.forward(session, to, message, { ...options, fallback })
    expect(host.calls.map(({ operation }) => operation)).toEqual(['forward', 'send'])
    await expect(driver.forward(session, to, message, { ...options, fallback: null })).rejects.toMatchObject({
      kind: 'rejected',
    })
  })

  it('download files, and know when there is none', async () => {
    const file: { body: object | string } = { body: 'the bytes' }
    const { driver, session } = await connected(() => file)
    const message = { networkId: 'A', chat: to, raw: { mimetype: 'image/png' } }
    const found = await driver.fetchMedia(session, message)
    expect(found?.mimetype).toBe('image/png')
    expect(found && (await buffer(found.bytes)).toString()).toBe('the bytes')
    file.body = { value: null }
    expect(await driver.fetchMedia(session, message)).toBeNull()
  })
})

describe('a signature of a call', () => {
  const key = Buffer.alloc(32, 1)
  const call = { timeMs: 1_000_000, operation: 'send', head: Buffer.from('{}') }

  it.each([
    ['another operation', { ...call, operation: 'unlink' }, 0],
    ['another head', { ...call, head: Buffer.from('{"a":1}') }, 0],
    ['another time', { ...call, timeMs: 1_000_001 }, 0],
    ['an old call', call, 61_000],
  ])('does not hold for %s', async (_, changed, laterMs) => {
    const { signCall } = await import('@msgctl/network/wire')
    expect(isSignedCall(key, call, signCall(key, call), call.timeMs)).toBe(true)
    expect(isSignedCall(key, changed, signCall(key, call), call.timeMs + laterMs)).toBe(false)
  })
})

describe('the cleanup of sent messages', () => {
  it('keeps what phones may request again, and polls for their votes', async () => {
    const session = newNumber()
    await (await newDriver()).ensure(session)
    const insert = (id: string, days: number, delivered: boolean, isPoll = false) =>
      rows(
        db,
        `insert into gateway_sent (container_id, network_id, chat, message, is_poll, created_at, delivered_at)
         select :containerId, :id, 'c', '', :isPoll, t.at, case when :delivered then t.at end
           from (select gateway_clock() - :days * interval '1 day' as at) t`,
        { containerId: session.containerId, id, days, delivered, isPoll },
      )
    await insert('delivered', 2, true)
    await insert('recent', 0.5, true)
    await insert('undelivered', 2, false)
    await insert('old', 15, false)
    await insert('poll', 80, true, true)
    await insert('old poll', 91, true, true)
    while ((await deleteExpiredMessages(db)) > 0);
    const left = await rows<{ id: string }>(
      db,
      'select network_id as id from gateway_sent where container_id = :containerId order by 1',
      { containerId: session.containerId },
    )
    expect(left.map(({ id }) => id)).toEqual(['poll', 'recent', 'undelivered'])
  })
})
