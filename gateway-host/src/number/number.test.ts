import { randomUUID } from 'node:crypto'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Closing, ConnectionEvents, Engine } from '../engine/engine.ts'
import { LeaseStore } from '../leases/lease-store.ts'
import { openVault } from '../leases/open-vault.ts'
import { createCommitter } from '../vault/committer.ts'
import { HostedNumber } from './number.ts'
import type { NumberContext } from './number-context.ts'

const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url, max: 6 })
cleanUpAfterFile(() => pool.end())
const secrets = openSecrets(newSecretsKeys())

/** A connection that a number opened, and the device that it logged in as. */
interface Opened {
  readonly events: ConnectionEvents
  readonly device: number
}

const ended: Closing = {
  code: 401,
  cause: null,
  expiresAt: null,
  location: null,
  obstacle: null,
  isPasskeyDemanded: false,
}

/** A linked number that runs. `connect` is called before each transaction that ends a link. */
async function newNumber(connect: () => Promise<void>, replace: () => Promise<string | null> = async () => null) {
  const containerId = randomUUID()
  await pool.query(
    `insert into gateway_sessions (container_id, organization_id, wanted, sequence) values ($1, $2, 'running', 1)`,
    [containerId, randomUUID()],
  )
  const hostId = randomUUID()
  const leases = new LeaseStore(pool, hostId, 60_000)
  const committer = createCommitter({ pool, hostId })
  const lease = (await leases.claim(1000)).find((taken) => taken.containerId === containerId)
  if (!lease) throw new Error('the lease was not free')
  const vault = await openVault({ pool, secrets, leases, committer }, lease)
  Object.assign(vault.creds, { me: { id: '12025550100:1@s.whatsapp.net', name: 'Jane' }, account: {} })
  vault.stageCreds()
  const opened: Opened[] = []
  const warnings: string[] = []
  const linkPool = Object.assign(Object.create(pool) as pg.Pool, {
    query: (...args: Parameters<pg.Pool['query']>) => pool.query(...args),
    async connect() {
      await connect()
      return pool.connect()
    },
  })
  const engine: Pick<Engine, 'open'> = {
    open(_vault, _config, events) {
      opened.push({ events, device: vault.creds.registrationId })
      return { close: async () => undefined } as ReturnType<Engine['open']>
    },
  }
  const context = {
    pool: linkPool,
    linkPool,
    engine,
    config: {},
    onReconnect: () => undefined,
    onEvents: () => undefined,
    logins: { take: () => 0 },
    webVersions: { fixed: null, current: async () => '2.3000.1', replace },
    history: {},
    log: { info: () => undefined, warn: ({ event }: { event: string }) => void warnings.push(event) },
  }
  const number = new HostedNumber(context as unknown as NumberContext, vault, null)
  onTestFinished(() => number.stop())
  number.start('started')
  await expect.poll(() => opened.length).toBe(1)
  const retired = async () =>
    (await pool.query('select retired_at from gateway_sessions where container_id = $1', [containerId])).rows[0]
  return { number, opened, warnings, retired }
}

describe('a number whose link has ended', () => {
  it('does not connect before that is stored, and tries that again', async () => {
    let tries = 0
    const { opened, warnings, retired } = await newNumber(async () => {
      if (++tries === 1) throw new Error('timeout')
    })
    opened[0]?.events.onClose(ended)
    await expect.poll(() => opened.length).toBe(2)
    expect(opened[1]?.device).not.toBe(opened[0]?.device)
    expect(await retired()).toEqual({ retired_at: expect.any(Date) })
    expect(tries).toBe(2)
    expect(warnings).toEqual(['link_not_ended'])
  })

  it('connects once when it is restarted before that ends, with the new credentials', async () => {
    let proceed: () => void = () => undefined
    const paused = new Promise<void>((resolve) => (proceed = resolve))
    let tries = 0
    const { number, opened } = await newNumber(() => {
      tries++
      return paused
    })
    opened[0]?.events.onClose(ended)
    await expect.poll(() => tries).toBe(1)
    const restarted = number.restart()
    proceed()
    await restarted
    await expect.poll(() => opened.length).toBe(2)
    expect(opened[1]?.device).not.toBe(opened[0]?.device)
    await number.settled()
    expect(opened).toHaveLength(2)
  })
})

it('connects again when the database fails while the version is replaced', async () => {
  const { opened, warnings } = await newNumber(
    async () => undefined,
    () => Promise.reject(new Error('timeout')),
  )
  opened[0]?.events.onClose({ ...ended, code: 405 })
  await expect.poll(() => opened.length).toBe(2)
  expect(warnings).toEqual(['connection_not_opened'])
})
