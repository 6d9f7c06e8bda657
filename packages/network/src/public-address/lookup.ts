import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { type AllowedRanges, mayReach } from './address.ts'
import { RefusedAddressError } from './failure.ts'
import { isLocalhost, loopbacks, normalizeHost } from './url.ts'

/** Finds every address of a name. */
export type Lookup = (name: string) => Promise<string[]>

/**
 * Resolves every address of a name by DNS, without the operating system's resolver, which blocks a thread of a pool of
 * four for as long as a dead name server takes, and passwords and files wait for the same threads.
 */
export async function resolveName(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0) throw new Error('the name has no address')
  return addresses
}

/**
 * The addresses to connect to for `hostname`. Throws {@link RefusedAddressError} when any of them may not be reached:
 * a name that mixes good and bad ones is an attempt to get through by chance.
 */
export async function reachableAddresses(
  hostname: string,
  allowed: AllowedRanges,
  lookup: Lookup,
): Promise<LookupAddress[]> {
  const host = normalizeHost(hostname)
  const addresses = isLocalhost(host) ? loopbacks(allowed) : await lookup(host)
  if (addresses.length === 0 || !addresses.every((address) => mayReach(address, allowed)))
    throw new RefusedAddressError()
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}
