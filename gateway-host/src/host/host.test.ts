import { expect, it } from 'vitest'
import { LeaseClock } from '../leases/lease-clock.ts'
import type { LeaseStore } from '../leases/lease-store.ts'
import { Host, type HostContext } from './host.ts'

const leaseMs = 15_000

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
  const log = { info: () => undefined, warn: () => undefined }
  const host = new Host({ leases, leaseMs, capacity: 10, url: '', version: '', log, config } as unknown as HostContext)
  return { host, released }
}

it('releases the lease of a number that it does not hold, but not of one that may be opening', async () => {
  const { host, released } = hostWith(['dropped'])
  await host.renew()
  expect(released).toEqual([])
  await host.renew()
  expect(released).toEqual(['dropped'])
})
