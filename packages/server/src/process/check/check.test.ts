import { newSecretsKeys } from '@msgctl/network/secrets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { testDatabase, withEmptyDatabase } from '#testing/database.ts'
import { makeOrganization } from '#testing/make.ts'
import { serveDatabase } from '#testing/start-server.ts'
import { startTransactionPooler } from '#testing/transaction-pooler.ts'
import { checkInstallation } from './check.ts'
import type { DatabaseFacts } from './database-facts-store.ts'
import { judgeDatabase } from './database-rules.ts'
import { judgeHosts } from './host-rules.ts'
import { judgeWebVersion } from './web-version-rules.ts'

const { db, url } = await testDatabase()
const keys = newSecretsKeys()
const good = {
  NODE_ENV: 'production',
  DATABASE_URL: url,
  SECRETS_KEYS: keys,
  GATEWAY: 'waha',
  METRICS_PORT: '9464',
  HOST: '0.0.0.0',
  TRUSTED_PROXIES: '10.0.0.0/8',
  PUBLIC_URL: 'https://msg.example.com',
}

/** The cluster of the tests is fast, because its data is worth nothing. */
const simulated = { ...good, GATEWAY: 'simulator' }

const careless = {
  Autovacuum: expect.stringMatching(/^failed: /),
  Commits: expect.stringMatching(/^failed: .*can be lost/),
  Durability: 'failed: Turn on fsync and full_page_writes, or a crash corrupts the data.',
}

/** Returns the findings that are not ok, by name. */
async function complaints(env: Record<string, string | undefined>): Promise<Record<string, string>> {
  const findings = await checkInstallation(env)
  const bad = findings.filter(({ outcome }) => outcome !== 'ok')
  return Object.fromEntries(bad.map(({ name, outcome, text }) => [name, `${outcome}: ${text}`]))
}

describe('msgctl-server check', () => {
  it('finds a good installation good, but for the mail server that it has not', async () => {
    expect(await complaints(simulated)).toEqual({
      ...careless,
      GATEWAY: expect.stringMatching(/^note: simulator/),
      SMTP_URL: expect.stringMatching(/^note: Without SMTP_URL/),
    })
  })

  it('notices that no host can hold a number of the network', async () => {
    expect((await complaints(good))['WAHA servers']).toMatch(/^note: There is no WAHA server.*waha add/)
    const direct = { ...good, GATEWAY: 'direct' }
    expect((await complaints(direct))['Gateway hosts']).toMatch(/^note: No gateway host runs/)
  })

  it('says what to do about each setting', async () => {
    expect(await complaints({ GATEWAY: 'simulator', PORT: '3000' })).toEqual({
      NODE_ENV: expect.stringMatching(/^failed: Set NODE_ENV=production/),
      DATABASE_URL: expect.stringMatching(/^failed: Set DATABASE_URL/),
      SECRETS_KEYS: expect.stringMatching(/^failed: Set SECRETS_KEYS.*randomBytes/),
      GATEWAY: 'note: simulator: no message reaches a real phone.',
      METRICS_PORT: expect.stringMatching(/^note: Set METRICS_PORT/),
      TRUSTED_PROXIES: expect.stringMatching(/^note: List the address/),
      PUBLIC_URL: expect.stringMatching(/^note: Set PUBLIC_URL/),
      SMTP_URL: expect.stringMatching(/^note: /),
    })
    expect(await complaints({ ...good, PORT: 'x', LOG_LEVEL: 'loud' })).toEqual({
      Settings: expect.stringMatching(/^failed: These settings cannot be used: PORT: must be .*; LOG_LEVEL: .*$/),
    })
  })

  it('says why the database cannot be used', async () => {
    const nowhere = await complaints({ ...good, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(nowhere.Database).toMatch(/^failed: .*nothing listens there/)
    await withEmptyDatabase(async (empty) => {
      const found = await complaints({ ...good, DATABASE_URL: empty })
      expect(found.Migrations).toMatch(/^failed: Run msgctl-server migrate\. To apply: 0001/)
    })
    await rows(db, `update database_identity set identity = 'of the backup'`)
    onTestFinished(
      async () => void (await rows(db, 'update database_identity set identity = read_database_identity()')),
    )
    expect((await complaints(good)).Restore).toMatch(/^failed: .*after-restore/)
  })

  it('says that the database takes no changes', async () => {
    const { pathname } = new URL(url)
    const alter = (change: string) => db.raw(`alter database "${pathname.slice(1)}" ${change}`)
    await alter('set default_transaction_read_only = on')
    onTestFinished(async () => void (await alter('reset default_transaction_read_only')))
    expect((await complaints(good)).Primary).toMatch(/^failed: The database takes no changes\./)
  })

  it('notices a pooler in transaction mode, and what its sessions lack', async () => {
    const pooler = await startTransactionPooler(url)
    onTestFinished(() => pooler.stop())
    const through = { ...good, DATABASE_URL: pooler.url }
    expect((await complaints(through)).Pooler).toMatch(/^failed: .*DATABASE_PREPARED=0/)
    const shared = await complaints({ ...through, DATABASE_PREPARED: '0' })
    expect(shared.Pooler).toMatch(/^failed: .*alter role \S+ in database \S+ set statement_timeout = '30000';/)
  })

  it('opens what is stored with the keys', async () => {
    const server = await serveDatabase(db, url, { worker: false, env: { SECRETS_KEYS: keys } })
    const client = server.client(await makeOrganization(server))
    await client.webhook.set({ webhookUrl: 'https://example.com/hook' })
    await server.stop()
    expect(await complaints(good)).not.toHaveProperty('Stored secrets')
    const missing = await complaints({ ...good, SECRETS_KEYS: newSecretsKeys().replace('1:', '2:') })
    expect(missing['Stored secrets']).toMatch(/^failed: SECRETS_KEYS lacks the key 1/)
    const another = await complaints({ ...good, SECRETS_KEYS: newSecretsKeys() })
    expect(another['Stored secrets']).toMatch(/^failed: 1 do not open/)
  })

  it('signs in to the mail server', async () => {
    const findings = await complaints({ ...simulated, SMTP_URL: 'smtp://127.0.0.1:1' })
    expect(findings).toMatchObject({
      ...careless,
      'Mail server': expect.stringMatching(/^failed: .*ECONNECTION|ESOCKET/),
    })
  })
})

describe('the version of the network’s own client', () => {
  const now = new Date('2026-11-01T00:00:00Z')

  it.each([
    [29, 'ok'],
    [30, 'note'],
    [49, 'note'],
    [50, 'failed'],
  ])('that was present %i days ago is %s', (days, outcome) => {
    const knownAt = new Date(now.getTime() - days * 86_400_000)
    const version = { version: '2.3000.7', source: 'fetched', knownAt, triedAt: now, fault: 'no route' } as const
    const found = judgeWebVersion(version, now)
    expect(found).toMatchObject({ name: 'Web version', outcome })
    expect(found.text).toContain('2.3000.7')
  })

  it('is judged while a gateway host uses it', async () => {
    expect(await complaints(good)).not.toHaveProperty('Web version')
    await rows(
      db,
      `insert into gateway_hosts (id, url, version, capacity, started_at, seen_at)
       values (gen_random_uuid(), 'http://10.0.0.7:7070', '0.1.0', 250, gateway_clock(), gateway_clock())`,
    )
    await rows(
      db,
      `insert into gateway_web_version (version, source, known_at)
       values ('2.3000.9999999999', 'fetched', service_now() - interval '40 days')`,
    )
    onTestFinished(async () => void (await rows(db, 'delete from gateway_hosts')))
    expect((await complaints(good))['Web version']).toMatch(/^note: 2\.3000\.9999999999 .* web-version --fetch$/)
  })
})

describe('the hosts of numbers', () => {
  const server = { draining: false, numbers: 1, capacity: 2 }
  const host = { draining: false, isAlive: true }

  it.each([
    ['waha', { waha: [server, { ...server, draining: true }], direct: [] }, 'ok', '1 of 2 take numbers'],
    ['waha', { waha: [{ ...server, numbers: 2 }], direct: [] }, 'note', 'full or draining'],
    ['direct', { waha: [], direct: [host, { ...host, isAlive: false }] }, 'ok', '1 of 1 take numbers'],
    ['direct', { waha: [], direct: [{ ...host, isAlive: false }] }, 'note', 'No gateway host runs'],
  ])('of %s are judged: %o', (gateway, hosts, outcome, text) => {
    expect(judgeHosts(gateway, hosts)).toEqual([
      expect.objectContaining({ outcome, text: expect.stringContaining(text) }),
    ])
  })

  it('are no matter of the simulator', () => {
    expect(judgeHosts('simulator', { waha: [], direct: [] })).toEqual([])
  })
})

describe('the facts of a database', () => {
  const facts: DatabaseFacts = {
    version: 170004,
    versionText: '17.4',
    role: 'msgctl',
    standby: false,
    readOnly: false,
    mayCreate: true,
    encoding: 'UTF8',
    extensions: { pg_trgm: 'installed', btree_gin: 'installed' },
    maxConnections: 97,
    connections: 5,
    settings: { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', autovacuum: 'on' },
  }

  it.each<[string, Partial<DatabaseFacts>, number, string]>([
    ['Postgres', { version: 140011, versionText: '14.11' }, 0, 'failed'],
    ['Primary', { standby: true }, 0, 'failed'],
    ['Primary', { readOnly: true }, 0, 'failed'],
    ['Rights', { mayCreate: false }, 0, 'failed'],
    ['Encoding', { encoding: 'SQL_ASCII' }, 0, 'failed'],
    ['Search', { extensions: { pg_trgm: 'available', btree_gin: 'available' } }, 0, 'note'],
    ['Search', { extensions: {} }, 0, 'note'],
    ['Durability', { settings: { ...facts.settings, fsync: 'off' } }, 0, 'failed'],
    ['Commits', { settings: { ...facts.settings, synchronous_commit: 'off' } }, 0, 'failed'],
    ['Autovacuum', { settings: { ...facts.settings, autovacuum: 'off' } }, 0, 'failed'],
    ['Connections', { connections: 60 }, 0, 'note'],
    ['Clock', {}, 6000, 'failed'],
    ['Clock', {}, -6000, 'failed'],
  ])('%s is judged', (name, change, aheadMs, outcome) => {
    const bad = judgeDatabase({ ...facts, ...change }, 20, aheadMs).filter((one) => one.outcome !== 'ok')
    expect(bad.map((one) => [one.name, one.outcome])).toEqual([[name, outcome]])
  })

  it('of a good database are all ok', () => {
    expect(judgeDatabase(facts, 20, 100).every(({ outcome }) => outcome === 'ok')).toBe(true)
  })
})
