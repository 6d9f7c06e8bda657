import ipaddr from 'ipaddr.js'
import type { Db } from '../db/db.ts'
import { apiError } from '../errors.ts'
import { countAttempt } from './attempt-store.ts'

/** How many attempts one address has in a window, and what they are called in the message. */
export interface AddressLimit {
  readonly what: 'sign-ins' | 'sign-ups'
  readonly attempts: number
  readonly windowSeconds: number
}

/** Counts an attempt of this address. Throws RATE_LIMIT past the limit; refused attempts do not prolong the window. */
export async function limitAddress(db: Db, ip: string, { what, attempts, windowSeconds }: AddressLimit): Promise<void> {
  const counted = await countAttempt(db, `${what} from ${network(ip)}`, windowSeconds)
  if (counted.attempts <= attempts) return
  const { retryAfterSeconds } = counted
  throw apiError('RATE_LIMIT', `Too many ${what} from this address. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

/** What stands for the caller: an IPv4 address, or the first 64 bits of an IPv6 one, which one household can vary at will. */
export function network(ip: string): string {
  if (!ipaddr.IPv6.isValid(ip)) return ip
  return ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString()
}
