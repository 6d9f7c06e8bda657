import { randomUUID } from 'node:crypto'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { LeaseClock } from '../leases/lease-clock.ts'
import { LeaseStore } from '../leases/lease-store.ts'
import { openVault } from '../leases/open-vault.ts'
import { createCommitter } from './committer.ts'
import { Fenced } from './fenced.ts'
import { holdFrames } from './frame-gate.ts'
import { kindNumber } from './key-kinds.ts'
import type { Vault } from './vault.ts'

const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url, max: 6 })
cleanUpAfterFile(() => pool.end())
const secrets = openSecrets(newSecretsKeys())

async function newNumber(): Promise<string> {
  const containerId = randomUUID()
  await pool.query(
    `insert into gateway_sessions (container_id, organization_id, wanted, sequence) values ($1, $2, 'running', 1)`,
    [containerId, randomUUID()],
  )
  return containerId
}

/** A host process as its database sees it. `onRead` is called before each statement of its vaults, and may throw. */
function newHost(leaseMs = 60_000, observe: () => void = () => undefined, onRead: (text: string) => void = () => {}) {
  const reading = Object.assign(Object.create(pool) as pg.Pool, {
    async query(statement: pg.QueryConfig | string, values?: unknown[]) {
      onRead(typeof statement === 'string' ? statement : statement.text)
      return pool.query(statement, values)
    },
  })
  const hostId = randomUUID()
  const leases = new LeaseStore(pool, hostId, leaseMs)
  const committer = createCommitter({ pool, hostId, figures: { observe, failed: () => undefined } })
  /** Takes all leases that are free. */
  async function openAll(): Promise<Map<string, Vault>> {
    const opened = (await leases.claim(1000)).map(async (lease) => {
      return [lease.containerId, await openVault({ pool: reading, secrets, leases, committer }, lease)] as const
    })
    return new Map(await Promise.all(opened))
  }
  return {
    leases,
    openAll,
    async open(containerId: string): Promise<Vault> {
      const vault = (await openAll()).get(containerId)
      if (!vault) throw new Error('the lease was not free')
      return vault
    },
  }
}

const session = (byte: number) => ({ session: { '12025550100.0': Buffer.alloc(4, byte) } })
const readSession = async (vault: Vault) => (await vault.keys.get('session', ['12025550100.0']))['12025550100.0']

describe('a vault', () => {
  it('reads what is staged at once, and from the disk after a restart', async () => {
    const containerId = await newNumber()
    const host = newHost()
    const vault = await host.open(containerId)
    await vault.keys.set(session(1))
    expect(await readSession(vault)).toEqual(Buffer.alloc(4, 1))
    vault.creds.nextPreKeyId = 77
    vault.stageCreds()
    await vault.committed()
    await host.leases.release([containerId])
    const later = await newHost().open(containerId)
    expect(await readSession(later)).toEqual(Buffer.alloc(4, 1))
    expect(later.creds.nextPreKeyId).toBe(77)
    expect(later.creds.noiseKey).toEqual(vault.creds.noiseKey)
  })

  it('waits for a database that does not respond, and calls no key missing because of it', async () => {
    const containerId = await newNumber()
    const host = newHost()
    const vault = await host.open(containerId)
    await vault.keys.set(session(1))
    await vault.committed()
    await host.leases.release([containerId])
    let failures = 0
    const later = await newHost(60_000, undefined, (text) => {
      if (text.includes('from gateway_keys') && failures++ < 3) throw new Error('timeout')
    }).open(containerId)
    expect(await readSession(later)).toEqual(Buffer.alloc(4, 1))
    expect(failures).toBe(4)
  })

  it('stores nothing that can be read without SECRETS_KEYS', async () => {
    const containerId = await newNumber()
    const vault = await newHost().open(containerId)
    await vault.keys.set({ session: { a: Buffer.from('a key that is secret') } })
    vault.stageSent({ id: 'ID', chat: 'c', message: Buffer.from('a text that is secret'), isPoll: false })
    vault.stageCreds()
    await vault.committed()
    const { rows } = await pool.query(
      `select (select string_agg(value, '') from gateway_keys where container_id = $1) as keys,
              (select string_agg(message, '') from gateway_sent where container_id = $1) as sent,
              sealed_key, creds from gateway_sessions where container_id = $1`,
      [containerId],
    )
    const stored = JSON.stringify(rows[0], (_, value: unknown) =>
      (value as { type?: string } | null)?.type === 'Buffer' ? Buffer.from(value as never).toString('latin1') : value,
    )
    expect(stored).not.toContain('secret')
    expect(stored).not.toContain('noiseKey')
    expect((await vault.findSent('ID'))?.message.toString()).toBe('a text that is secret')
  })

  it('stores nothing after another process took the number, and reports it once', async () => {
    const containerId = await newNumber()
    const [first, second] = [newHost(1), newHost()]
    const old = await first.open(containerId)
    await old.keys.set(session(1))
    await old.committed()
    let reports = 0
    old.onFenced = () => void reports++
    await new Promise((resolve) => setTimeout(resolve, 5))
    const owner = await second.open(containerId)
    await owner.keys.set(session(2))
    await owner.committed()
    await old.keys.set(session(3))
    await expect(old.committed()).rejects.toThrow(Fenced)
    expect(reports).toBe(1)
    expect(() => old.stageCreds()).toThrow(Fenced)
    await second.leases.release([containerId])
    expect(await readSession(await newHost().open(containerId))).toEqual(Buffer.alloc(4, 2))
  })

  it('commits many numbers in one statement, and keeps the numbers apart', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, newNumber))
    let commits = 0
    const host = newHost(60_000, () => commits++)
    const vaults = await host.openAll()
    expect(vaults.size).toBeGreaterThanOrEqual(20)
    await Promise.all(ids.map((id, index) => vaults.get(id)?.keys.set(session(index))))
    await Promise.all(ids.map((id) => vaults.get(id)?.committed()))
    expect(commits).toBeLessThanOrEqual(3)
    await host.leases.release(ids)
    const later = await newHost().openAll()
    for (const [index, id] of ids.entries()) {
      expect(await readSession(later.get(id) ?? expect.fail('the lease was not free'))).toEqual(Buffer.alloc(4, index))
    }
  })

  it('keeps what could not be committed, and commits it in the next attempt', async () => {
    const containerId = await newNumber()
    const vault = await newHost().open(containerId)
    await pool.query('alter table gateway_keys rename to gateway_keys_away')
    await vault.keys.set(session(9))
    const committed = vault.committed()
    await new Promise((resolve) => setTimeout(resolve, 50))
    await pool.query('alter table gateway_keys_away rename to gateway_keys')
    await committed
    const { rows } = await pool.query('select kind from gateway_keys where container_id = $1', [containerId])
    expect(rows).toEqual([{ kind: kindNumber('session') }])
  })

  it('commits work as a whole, and lets frames wait for it', async () => {
    const containerId = await newNumber()
    const vault = await newHost().open(containerId)
    const stored = async () =>
      (await pool.query('select id from gateway_keys where container_id = $1 order by id', [containerId])).rows.length
    let finish: () => void = () => undefined
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const work = vault.inOneCommit(async () => {
      await vault.keys.set({ session: { first: Buffer.from([1]) } })
      await finished
      await vault.keys.set({ session: { second: Buffer.from([2]) } })
    })
    const committed = vault.committed()
    const order: string[] = []
    void work.then(() => order.push('work'))
    const next = vault.inOneCommit(async () => order.push('next'))
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(await stored()).toBe(0)
    finish()
    await Promise.all([work, committed, next])
    expect(await stored()).toBe(2)
    expect(order).toEqual(['work', 'next'])
  })

  it('stores nothing of work that a fence interrupts, also while the lease is still its own', async () => {
    const containerId = await newNumber()
    const host = newHost()
    const vault = await host.open(containerId)
    await vault.keys.set(session(1))
    await vault.committed()
    // A host fences all its numbers when it could not renew its leases in time.
    const work = vault.inOneCommit(async () => {
      await vault.keys.set(session(2))
      vault.fence()
      vault.stageEvent({ eventId: 'decrypted', body: { kind: 'message.out' } })
    })
    await expect(work).rejects.toThrow(Fenced)
    // A commit of another number comes after everything that the fenced one could have committed.
    const other = await host.open(await newNumber())
    await other.keys.set(session(3))
    await other.committed()
    await host.leases.release([containerId])
    expect(await readSession(await newHost().open(containerId))).toEqual(Buffer.alloc(4, 1))
  })

  it('refuses a kind of key that it does not know', async () => {
    const vault = await newHost().open(await newNumber())
    await expect(vault.keys.set({ 'new-kind': { a: 1 } } as never)).rejects.toThrow('unknown kind of key: new-kind')
  })
})

describe('the gate of frames', () => {
  function newGate() {
    const marks = { mark: 0, done: 0, isFenced: false, fail: false }
    const sent: number[] = []
    const state = { nowMs: 0, terminated: false, waiting: [] as (() => void)[] }
    const socket = {
      send: (bytes: Uint8Array) => void sent.push(bytes[0] ?? -1),
      terminate: () => (state.terminated = true),
    }
    const leases = new LeaseClock(15_000, () => state.nowMs)
    holdFrames(
      socket as never,
      {
        get mark() {
          return marks.mark
        },
        get isFenced() {
          return marks.isFenced
        },
        isCommitted: (mark) => marks.done >= mark,
        committed: (mark) =>
          new Promise((resolve, reject) =>
            state.waiting.push(() => (marks.fail ? reject(new Fenced()) : marks.done >= mark && resolve())),
          ),
      },
      leases,
    )
    const settle = async () => {
      for (let round = 0; round < 5; round++) {
        for (const check of state.waiting) check()
        await Promise.resolve()
      }
    }
    const send = (frame: number) =>
      new Promise<Error | undefined>((resolve) =>
        (socket.send as (...args: unknown[]) => void)(Buffer.from([frame]), resolve),
      )
    return { marks, sent, state, leases, settle, send }
  }

  it('sends at once when nothing is staged', () => {
    const gate = newGate()
    void gate.send(1)
    expect(gate.sent).toEqual([1])
  })

  it('sends nothing of a process that stood still, until its lease is renewed', async () => {
    const gate = newGate()
    gate.state.nowMs = 12_000
    await gate.send(1)
    await gate.settle()
    expect(gate.sent).toEqual([])
    gate.leases.renewed(12_000)
    await gate.settle()
    expect(gate.sent).toEqual([1])
  })

  it('holds a frame until its mark is committed, and keeps the order', async () => {
    const gate = newGate()
    gate.marks.mark = 1
    await gate.send(1)
    gate.marks.mark = 2
    await gate.send(2)
    expect(gate.sent).toEqual([])
    gate.marks.done = 1
    await gate.settle()
    expect(gate.sent).toEqual([1])
    gate.marks.done = 2
    await gate.settle()
    expect(gate.sent).toEqual([1, 2])
  })

  it('ends the connection and sends nothing when the number belongs to another process', async () => {
    const gate = newGate()
    gate.marks.mark = 1
    await gate.send(1)
    gate.marks.fail = true
    await gate.settle()
    expect(gate.sent).toEqual([])
    expect(gate.state.terminated).toBe(true)
    gate.marks.isFenced = true
    expect(await gate.send(2)).toBeInstanceOf(Fenced)
  })
})
