import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { proxyLocation } from '@msgctl/network/proxy-address'
import { openSecrets } from '@msgctl/network/secrets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deleteRetiredLinks } from '#networks/gateway/direct/retired-link-store.ts'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { gatewayCommands } from './gateway-commands.ts'
import type { Terminal } from './terminal.ts'

const server = await startTestServer({ worker: false, env: { GATEWAY: 'direct' } })
const { db } = server
const secretsKeys = server.services.config.secretsKeys
const proxy = 'socks5://name:secret@10.0.0.5:1080'

/** Runs `msgctl-server gateway ...`, and returns what the operator would see. */
async function run(words: readonly string[], env: Record<string, string | undefined> = {}) {
  const seen = { out: '', err: '', exitCode: 0 }
  const terminal: Terminal = {
    env: { DATABASE_URL: server.databaseUrl, SECRETS_KEYS: secretsKeys, ...env },
    write: (text) => {
      seen.out += text
    },
    complain: (text) => {
      seen.err += text
    },
    readInput: async () => '',
    ask: async () => null,
    end: (exitCode) => {
      seen.exitCode = exitCode
    },
    leave: (exitCode) => {
      throw new Error(`left with ${exitCode}`)
    },
  }
  await gatewayCommands(terminal).parseAsync([...words], { from: 'user' })
  return seen
}

/** Serves a text on the loopback address for one test. */
async function serveText(text: () => string): Promise<string> {
  const http = createServer((_, response) => response.end(text()))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/sw.js`
}

async function storedProxy(containerId: string) {
  const [found] = await rows<{ sealed: string | null; request: string | null }>(
    db,
    'select sealed_proxy as sealed, request from gateway_sessions where container_id = :containerId',
    { containerId },
  )
  return found
}

describe('gateway proxy', () => {
  it('stores the proxy of a number encrypted, shows it without its password, and removes it', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization, { linked: false })
    expect((await run(['proxy', 'list'])).out).toBe('No number connects through a proxy.\n')
    const { out } = await run(['proxy', 'set', containerId], { GATEWAY_PROXY: proxy })
    expect(out).toContain(`The number ${containerId} connects through socks5://***@10.0.0.5:1080 from now on.`)
    const stored = await storedProxy(containerId)
    expect(stored?.sealed).not.toContain('secret')
    expect(openSecrets(secretsKeys).decrypt(stored?.sealed ?? '', proxyLocation(containerId))).toBe(proxy)
    const listed = await run(['proxy', 'list', '--json'])
    expect(JSON.parse(listed.out)).toEqual([{ containerId, proxy: 'socks5://***@10.0.0.5:1080' }])
    expect((await run(['proxy', 'remove', containerId])).out).toContain('without a proxy')
    expect((await storedProxy(containerId))?.sealed).toBeNull()
  })

  it('has a number that runs connected again', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization, { linked: false })
    await server.services.gateway.start({ containerId, organizationId: organization.organizationId })
    await run(['proxy', 'set', containerId], { GATEWAY_PROXY: proxy })
    expect((await storedProxy(containerId))?.request).toBe('restart')
    await run(['proxy', 'remove', containerId])
  })

  it('refuses an unknown number, a number of another network, and what is no proxy', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization, { linked: false })
    const set = (id: string, value: string) => run(['proxy', 'set', id], { GATEWAY_PROXY: value })
    expect((await set(randomUUID(), proxy)).err).toContain('There is no such number')
    expect(await set(containerId, 'ftp://name:secret@a')).toMatchObject({ out: '', exitCode: 1 })
    expect((await set(containerId, 'ftp://name:secret@a')).err).not.toContain('name:secret@a')
    await rows(db, `update numbers set gateway = 'simulator' where id = :containerId`, { containerId })
    expect((await set(containerId, proxy)).err).toContain('connected by simulator')
  })
})

describe('gateway hosts', () => {
  it('lists the hosts with their numbers', async () => {
    expect((await run(['hosts'])).out).toBe('No gateway host is running.\n')
    await rows(
      db,
      `insert into gateway_hosts (id, url, version, capacity, started_at, seen_at)
       values (gen_random_uuid(), 'http://10.0.0.7:7070', '0.1.0', 250, gateway_clock(),
           gateway_clock() - interval '1 minute')`,
    )
    expect((await run(['hosts'])).out).toMatch(/http:\/\/10\.0\.0\.7:7070 +0\.1\.0 +0\/250 +silent/)
  })
})

describe('gateway web-version', () => {
  it('shows that of the release, fetches the present one, and sets one', async () => {
    const text = 'self.x = {"client_revision":1045649367}'
    const url = await serveText(() => text)
    expect((await run(['web-version'])).out).toContain('that of this release')
    expect((await run(['web-version', '--fetch'], { GATEWAY_WEB_VERSION_URL: url })).out).toMatch(
      /^2\.3000\.1045649367, fetched from the network; known as the present one at 2/,
    )
    expect((await run(['hosts'])).out).toMatch(/http:\/\/10\.0\.0\.7:7070 .* 2\.3000\.1045649367\n/)
    await rows(db, `update gateway_hosts set web_version = '2.3000.9'`)
    expect((await run(['hosts'])).out).toMatch(/2\.3000\.9 \(fixed\)\n/)
    expect((await run(['web-version', '--set', '2.3000.5'])).out).toContain('2.3000.5, set by an operator')
    expect((await run(['web-version', '--set', '2.3000.5', '--fetch'])).err).toContain('not both')
  })

  it('keeps the last one when the network cannot be reached', async () => {
    await run(['web-version', '--set', '2.3000.5'])
    const { err, exitCode } = await run(['web-version', '--fetch'], { GATEWAY_WEB_VERSION_URL: 'http://127.0.0.1:1/x' })
    expect(err).toContain('The version was not fetched: the network cannot be reached.')
    expect(exitCode).toBe(1)
    expect((await run(['web-version'])).out).toMatch(/^2\.3000\.5, set .*\nThe last try to fetch it failed at 2/)
  })
})

describe('gateway link', () => {
  it('restores a link that the network ended, once, and not over a new one', async () => {
    expect((await run(['link', 'list'])).out).toBe('No ended link is kept.\n')
    const [ended, again] = [randomUUID(), randomUUID()]
    const retired = { retiredAt: db.raw('service_now()'), retiredCreds: Buffer.from('old'), wanted: 'running' }
    const row = {
      organizationId: randomUUID(),
      sequence: 1,
      creds: Buffer.from('new'),
      hostId: randomUUID(),
      ...retired,
    }
    await db('gateway_sessions').insert([
      { ...row, containerId: ended, epoch: 7 },
      { ...row, containerId: again, me: JSON.stringify({ id: 'x' }) },
    ])
    const key = { containerId: ended, id: 'x', value: Buffer.from('') }
    await db('gateway_keys').insert([
      { ...key, kind: 2 },
      { ...key, kind: 1003 },
    ])
    const listed = await run(['link', 'list'])
    expect(listed.out).toMatch(new RegExp(`${ended} .* not linked\\n`))
    expect(listed.out).toMatch(new RegExp(`${again} .* linked again\\n`))
    expect((await run(['link', 'restore', ended])).out).toContain('is restored')
    const after = await db('gateway_sessions').where({ containerId: ended }).first()
    expect(after).toMatchObject({ creds: Buffer.from('old'), retiredAt: null, hostId: null, status: 'STARTING' })
    expect(Number(after?.epoch)).toBe(8)
    expect(await db('gateway_keys').where({ containerId: ended }).pluck('kind')).toEqual([3])
    expect((await run(['link', 'restore', ended])).err).toContain('No ended link')
    expect((await run(['link', 'restore', again])).err).toContain('linked to a phone again')
  })

  it('keeps it for 30 days', async () => {
    const kept = () => db('gateway_sessions').whereNotNull('retiredAt').pluck('containerId')
    const [containerId = ''] = await kept()
    const keys = ['x', 'y', 'z'].map((id) => ({ containerId, id, value: Buffer.from(''), kind: 1003 }))
    await db('gateway_keys').insert(keys)
    await server.advance(29 * 86_400)
    expect(await deleteRetiredLinks(db)).toBe(0)
    await server.advance(2 * 86_400)
    expect(await deleteRetiredLinks(db, 2)).toBe(1)
    expect(await kept()).toEqual([containerId])
    expect(await db('gateway_keys').where({ containerId })).toHaveLength(1)
    expect((await run(['link', 'list'])).out).toBe('No ended link is kept.\n')
    expect(await deleteRetiredLinks(db, 2)).toBe(1)
    expect(await kept()).toEqual([])
    expect(await deleteRetiredLinks(db, 2)).toBe(0)
    expect(await db('gateway_keys').where({ containerId })).toEqual([])
    await db('gateway_sessions').delete()
  })
})

describe('gateway after-restore', () => {
  it('takes linked numbers away from their hosts, and has their ratchets deleted', async () => {
    const linked = randomUUID()
    const session = { containerId: linked, organizationId: randomUUID(), sequence: 1, creds: Buffer.from('x') }
    await db('gateway_sessions').insert({ ...session, hostId: randomUUID(), epoch: 7 })
    expect((await run(['after-restore'])).out).toContain('1 number begins new encrypted sessions')
    const after = await db('gateway_sessions').where({ containerId: linked }).first('hostId', 'epoch', 'request')
    expect(after).toMatchObject({ hostId: null, request: 'renew' })
    expect(Number(after?.epoch)).toBeGreaterThan(7)
  })
})
