import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { LeaseClock } from '../leases/lease-clock.ts'
import type { Lease, LeaseStore } from '../leases/lease-store.ts'
import { Host, type HostContext } from './host.ts'

const leaseMs = 15_000
const ignore = () => undefined
const webVersions = { fixed: null }

/** A host without a database, whose leases are these. */
function hostWith(owned: readonly string[]) {
  const released: string[] = []
  const leases = {
    register: async () => undefined,
    claim: async () => [],
    renew: async () => owned.map((containerId) => ({ containerId, epoch: '1', wanted: 'running', request: null })),
    release: async (ids: readonly string[]) => void released.push(...ids),
  } as unknown as LeaseStore
  const config = { leases: new LeaseClock(leaseMs) }
  const log = { info: ignore, warn: ignore }
  const context = { leases, leaseMs, capacity: 10, url: '', version: '', log, config, webVersions }
  const host = new Host(context as unknown as HostContext)
  return { host, released }
}

it('releases the lease of a number that it does not hold, but not of one that may be opening', async () => {
  const { host, released } = hostWith(['dropped'])
  await host.renew()
  expect(released).toEqual([])
  await host.renew()
  expect(released).toEqual(['dropped'])
})

const lease: Lease = {
  containerId: 'opened',
  organizationId: 'organization',
  epoch: '1',
  sealedKey: null,
  creds: null,
  sealedProxy: null,
  wasRunning: false,
  isLinked: false,
  wanted: 'running',
  request: null,
}

/** A host that may take one number, with these calls of its leases. */
function hostThatOpens(leases: Partial<Record<keyof LeaseStore, (ids: readonly string[]) => Promise<unknown>>>): Host {
  const calls = {
    register: async () => undefined,
    claim: async () => [lease],
    storeKey: async () => undefined,
    release: async () => undefined,
    ...leases,
  }
  return new Host({
    leases: calls as unknown as LeaseStore,
    leaseMs,
    capacity: 1,
    config: { leases: new LeaseClock(leaseMs) },
    log: { info: ignore, warn: ignore },
    onFenced: ignore,
    onEvents: ignore,
    secrets: { encrypt: () => '' },
    pool: { query: async () => ({ rows: [], rowCount: 1 }) },
    committer: { notify: ignore, failed: ignore },
    logins: { take: () => leaseMs },
    webVersions,
    direct: { room: 1, take: ignore },
  } as unknown as HostContext)
}

it('keeps a number that opens while a renewal runs, which does not name it', async () => {
  let finish: (() => void) | undefined
  const host = hostThatOpens({ renew: () => new Promise((resolve) => (finish = () => resolve([]))) })
  const renewing = host.renew()
  await host.poll()
  finish?.()
  await renewing
  expect([...host.numbers.keys()]).toEqual(['opened'])
  await host.numbers.get('opened')?.stop()
})

it('keeps a number that is named by many renewals while it opens, as after a burst of signals', async () => {
  let finish: (() => void) | undefined
  const released: string[] = []
  const host = hostThatOpens({
    storeKey: () => new Promise((resolve) => (finish = () => resolve(undefined))),
    renew: async () => [lease],
    release: async (ids) => void released.push(...ids),
  })
  const polling = host.poll()
  const renewals = [host.renew(), host.renew(), host.renew()]
  await nextTurn()
  finish?.()
  await Promise.all([polling, ...renewals])
  expect(released).toEqual([])
  await host.numbers.get('opened')?.stop()
})
