import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { GatewaySession } from '@msgctl/network/gateway'
import { proxyLocation } from '@msgctl/network/proxy-address'
import { prepareRestoredNumbers, writeProxy } from '@msgctl/server/networks/gateway/direct/operator-store'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'
import { startHttpProxy, startRefusingProxy, startSocksProxy } from './loopback-proxies.ts'

const lab = await openHostLab({ GATEWAY_LEASE_SECONDS: '6' })
const { db, driver, net } = lab
const jane = '12025550100'
const to = { kind: 'phone', digits: jane } as const
const photo = Buffer.from('the bytes of a photo')

function setProxy(session: GatewaySession, proxy: string): Promise<void> {
  const { containerId } = session
  return writeProxy(db, session, lab.secrets.encrypt(proxy, proxyLocation(containerId)))
}

async function sendText(session: GatewaySession, clientId: string): Promise<void> {
  const content = { kind: 'text', text: `text ${clientId}` } as const
  await expect
    .poll(() => driver.send(session, to, content, { clientId, timeoutMs: 5000 }), { timeout: 30_000 })
    .toBeTruthy()
}

describe('the proxy of a number', { timeout: 90_000 }, () => {
  it.each([
    ['HTTP', startHttpProxy],
    ['SOCKS', startSocksProxy],
  ])('carries its connection and its files both ways (%s)', async (kind, start) => {
    const proxy = await start()
    const phone = `1555446000${kind.length}`
    const session = lab.newSession()
    await setProxy(session, proxy.address)
    await lab.link(phone, session)
    const { length: connections } = proxy.targets
    // The first one was linked, and the second one logged in.
    expect(connections).toBeGreaterThanOrEqual(2)
    const content = {
      kind: 'image',
      bytes: () => Readable.from([photo]),
      sizeBytes: photo.length,
      mimetype: 'image/png',
    } as const
    await driver.send(session, to, content, { clientId: `PHOTO${kind}`, timeoutMs: 10_000 })
    expect(proxy.targets.length).toBe(connections + 1)
    await net.sendFile({ from: jane, to: phone, mimetype: 'image/jpeg', base64: photo.toString('base64') })
    await expect.poll(() => lab.eventsOf(session, 'message.in')).toHaveLength(1)
    const { networkId = '', raw = null } = lab.eventsOf(session, 'message.in')[0]?.message ?? {}
    const file = await driver.fetchMedia(session, { networkId, chat: to, raw })
    expect(await buffer(file?.bytes ?? Readable.from([]))).toEqual(photo)
    expect(proxy.targets.length).toBe(connections + 2)
    expect(new Set(proxy.targets.map((target) => target.split(':')[0]))).toEqual(new Set(['127.0.0.1', 'localhost']))
  })

  it('is used after it was changed, and nothing else when it does not respond', async () => {
    const session = await lab.link('15554460020')
    const proxy = await startHttpProxy()
    await setProxy(session, proxy.address)
    await expect.poll(() => proxy.targets.length, { timeout: 30_000 }).toBeGreaterThan(0)
    await lab.becomes(session, 'WORKING')
    const { logins } = await net.counts({})
    await setProxy(session, 'http://127.0.0.1:1')
    const failures = async () => /unreachable"\} (\d+)/.exec(await lab.metrics())?.[1]
    await expect.poll(async () => Number(await failures()), { timeout: 30_000 }).toBeGreaterThan(1)
    expect((await net.counts({})).logins).toBe(logins)
  })
})

describe('a proxy that refuses', { timeout: 90_000 }, () => {
  it.each([401, 402, 403, 405, 407, 502])('with %i ends no link: the number is back without it', async (status) => {
    const phone = `15554461${status}`
    const session = await lab.link(phone)
    await setProxy(session, await startRefusingProxy(status))
    const ends = () =>
      lab
        .output()
        .split('\n')
        .filter((line) => line.includes('connection_ended') && line.includes(session.containerId))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    const refused = { code: null, obstacle: String(status), reason: 'unreachable', isLinked: true, next: 'connect' }
    await expect.poll(ends, { timeout: 30_000 }).toContainEqual(expect.objectContaining(refused))
    await writeProxy(db, session, null)
    await lab.becomes(session, 'WORKING')
    await sendText(session, `AFTER${status}`)
  })
})

describe('the log of a host', { timeout: 90_000 }, () => {
  it('says why the network ended a connection, and with which code it refused a message', async () => {
    const phone = '15554460040'
    const session = await lab.link(phone)
    const stranger = '12025550138'
    await net.setFaults({ refusals: { [stranger]: '479' } })
    const content = { kind: 'text', text: 'hello' } as const
    const send = driver.send(session, { kind: 'phone', digits: stranger }, content, { clientId: 'NO', timeoutMs: 5000 })
    await expect(send).rejects.toThrow()
    await net.streamError({ phone, code: '503' })
    const { containerId } = session
    const lines = () =>
      lab
        .output()
        .split('\n')
        .filter((line) => line.includes(containerId))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    const ended = { event: 'connection_ended', code: 503, obstacle: null, reason: 'connection_lost', isLinked: true }
    await expect.poll(lines, { timeout: 30_000 }).toContainEqual(expect.objectContaining(ended))
    expect(lines()).toContainEqual(expect.objectContaining({ event: 'message_refused', code: 479 }))
    expect(lab.output()).not.toContain(stranger)
  })
})

describe('a restored backup', { timeout: 90_000 }, () => {
  it('sends and receives again, in new sessions', async () => {
    const phone = '15554460030'
    const session = await lab.link(phone)
    const { containerId } = session
    const tables = ['gateway_keys', 'gateway_sent']
    const exchange = async (round: string) => {
      await sendText(session, `TO${round}`)
      const { id } = await net.write({ from: jane, to: phone, message: { conversation: `from ${round}` } })
      const arrived = () => lab.eventsOf(session, 'message.in').map(({ message }) => message.networkId)
      await expect.poll(arrived, { timeout: 30_000 }).toContain(id)
    }
    await exchange('BEFORE')
    for (const table of tables) await db.raw(`create table old_${table} as select * from ${table}`)
    const { creds = null } = (await db('gateway_sessions').where({ containerId }).first('creds')) ?? {}
    for (const round of ['ONE', 'TWO', 'THREE']) await exchange(round)
    const { undecryptable } = await net.counts({})
    await lab.replaceHost(async () => {
      for (const table of tables) {
        await db.raw(`delete from ${table} where container_id = ?`, [containerId])
        await db.raw(`insert into ${table} select * from old_${table} where container_id = ?`, [containerId])
      }
      await db('gateway_sessions').where({ containerId }).update({ creds })
      expect(await prepareRestoredNumbers(db)).toBeGreaterThan(0)
    })
    await exchange('AFTER')
    const { shown } = await net.phoneShows({ by: jane, from: phone, id: 'TOAFTER' })
    expect(shown).not.toBeNull()
    // Old ratchets would encrypt with keys that were used.
    expect((await net.counts({})).undecryptable).toBe(undecryptable)
  })
})
