import { randomBytes } from 'node:crypto'
import type { Secrets } from '@msgctl/network/secrets'
import type { Lease, LeaseStore } from './lease-store.ts'

const keyBytes = 32

/**
 * Returns the key of a number, and makes it for a new one. It is stored encrypted with SECRETS_KEYS. Throws when the
 * key in SECRETS_KEYS that encrypted it is missing.
 */
export async function openNumberKey(secrets: Secrets, store: LeaseStore, lease: Lease): Promise<Buffer> {
  const location = `gateway_sessions:sealed_key:${lease.containerId}` as const
  if (lease.sealedKey !== null) return Buffer.from(secrets.decrypt(lease.sealedKey, location), 'base64')
  const key = randomBytes(keyBytes)
  await store.storeKey(lease, secrets.encrypt(key.toString('base64'), location))
  return key
}
