import { randomUUID } from 'node:crypto'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { LeaseStore } from '../leases/lease-store.ts'
import { openVault } from '../leases/open-vault.ts'
import { createCommitter } from './committer.ts'
import { Fenced } from './fenced.ts'
import { endLink } from './retirement.ts'

const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url, max: 6 })
const leasePool = new pg.Pool({ connectionString: url, max: 1, statement_timeout: 500 })
cleanUpAfterFile(async () => {
  await Promise.all([pool.end(), leasePool.end()])
})
const secrets = openSecrets(newSecretsKeys())

/** A number of a host, and a pool whose statements are reported after each of them. */
async function newNumber(onDone: (text: string, rows: number) => Promise<unknown> = async () => undefined) {
  const containerId = randomUUID()
  await pool.query(
    `insert into gateway_sessions (container_id, organization_id, wanted, sequence) values ($1, $2, 'running', 1)`,
    [containerId, randomUUID()],
  )
  const hostId = randomUUID()
  const leases = new LeaseStore(leasePool, hostId, 60_000)
  const committer = createCommitter({ pool, hostId })
  const lease = (await leases.claim(1000)).find((taken) => taken.containerId === containerId)
  if (!lease) throw new Error('the lease was not free')
  const vault = await openVault({ pool, secrets, leases, committer }, lease)
  vault.stageCreds()
  await vault.keys.set({ session: { '12025550100.0': Buffer.from([1]) } })
  await vault.committed()
  const observed = Object.assign(Object.create(pool) as pg.Pool, {
    query: (...args: Parameters<pg.Pool['query']>) => pool.query(...args),
    async connect() {
      const client = await pool.connect()
      return {
        release: (isBroken?: boolean) => client.release(isBroken),
        async query(text: string, values?: unknown[]) {
          const result = await client.query(text, values)
          await onDone(text, result.rowCount ?? 0)
          return result
        },
      }
    },
  })
  const kinds = async () =>
    (
      await pool.query<{ kind: number; count: number }>(
        'select kind, count(*)::int from gateway_keys where container_id = $1 group by 1 order by 1',
        [containerId],
      )
    ).rows
  const retired = async () =>
    (await pool.query('select retired_at from gateway_sessions where container_id = $1', [containerId])).rows[0]
  return { containerId, vault, leases, observed, kinds, retired }
}

const readSession = { type: 'session', ids: ['12025550100.0'] } as const

describe('the end of a link', () => {
  it('keeps its keys aside, and begins as a device that was never linked', async () => {
    const { vault, observed, kinds, retired } = await newNumber()
    const { registrationId } = vault.creds
    await endLink(observed, vault, 'keep')
    expect(vault.creds.registrationId).not.toBe(registrationId)
    expect(await vault.keys.get(readSession.type, [...readSession.ids])).toEqual({})
    expect(await kinds()).toEqual([{ kind: 1000, count: 1 }])
    await vault.keys.set({ session: { a: Buffer.from([2]) } })
    await endLink(observed, vault, 'delete')
    expect(await kinds()).toEqual([{ kind: 1000, count: 1 }])
    await endLink(observed, vault, 'everything')
    expect(await kinds()).toEqual([])
    expect(await retired()).toEqual({ retired_at: null })
  })

  it('does not delete what it has kept when the process does not know that it was stored', async () => {
    let failures = 0
    const { vault, observed, kinds, retired } = await newNumber(async (text) => {
      if (text === 'commit' && failures++ === 0) throw new Error('connection lost')
    })
    await expect(endLink(observed, vault, 'keep')).rejects.toThrow('connection lost')
    // What the old connection still stages.
    vault.stageCreds()
    await vault.keys.set({ session: { a: Buffer.from([2]), b: Buffer.from([2]) } })
    await vault.committed()
    await endLink(observed, vault, 'keep')
    expect(await kinds()).toEqual([{ kind: 1000, count: 1 }])
    expect(await retired()).toEqual({ retired_at: expect.any(Date) })
  })

  it('changes nothing when it fails, in the memory neither', async () => {
    const { vault, observed, kinds } = await newNumber(async (text) => {
      if (text.includes('update gateway_sessions')) throw new Error('timeout')
    })
    const { registrationId } = vault.creds
    await expect(endLink(observed, vault, 'keep')).rejects.toThrow('timeout')
    expect(vault.creds.registrationId).toBe(registrationId)
    expect(Object.keys(await vault.keys.get(readSession.type, [...readSession.ids]))).toEqual([...readSession.ids])
    expect(await kinds()).toEqual([{ kind: 0, count: 1 }])
  })

  it('lets the host renew its leases while the keys of a large link are moved', async () => {
    let renewed = 0
    let most = 0
    const { containerId, vault, leases, observed, kinds } = await newNumber(async (text, rows) => {
      if (!text.includes('gateway_keys set')) return
      most = Math.max(most, rows)
      renewed += (await leases.renew()).length
    })
    await pool.query(
      `insert into gateway_keys (container_id, kind, id, value)
       select $1, 1, n::text, '' from generate_series(1, 12000) n`,
      [containerId],
    )
    await endLink(observed, vault, 'keep')
    expect(await kinds()).toEqual([
      { kind: 1000, count: 1 },
      { kind: 1001, count: 12_000 },
    ])
    expect(renewed).toBeGreaterThanOrEqual(3)
    expect(most).toBe(5000)
  })

  it('changes nothing of a number that another process owns', async () => {
    const { containerId, vault, observed, kinds } = await newNumber()
    await pool.query('update gateway_sessions set epoch = epoch + 1 where container_id = $1', [containerId])
    await expect(endLink(observed, vault, 'keep')).rejects.toThrow(Fenced)
    expect(await kinds()).toEqual([{ kind: 0, count: 1 }])
  })
})
