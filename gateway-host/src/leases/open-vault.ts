import type { Secrets } from '@msgctl/network/secrets'
import { initAuthCreds } from 'baileys'
import type { Pool } from 'pg'
import type { Committer } from '../vault/committer.ts'
import { openCreds } from '../vault/creds.ts'
import { Vault } from '../vault/vault.ts'
import type { Lease, LeaseStore } from './lease-store.ts'
import { openNumberKey } from './number-key.ts'

/** What vaults of one process share. */
export interface VaultContext {
  readonly pool: Pool
  readonly secrets: Secrets
  readonly leases: LeaseStore
  readonly committer: Committer
}

/** Opens the vault of a number whose lease this process has. A number that was never linked gets new credentials. */
export async function openVault(context: VaultContext, lease: Lease): Promise<Vault> {
  const { containerId, organizationId, epoch, creds } = lease
  const dataKey = await openNumberKey(context.secrets, context.leases, lease)
  return new Vault({
    containerId,
    organizationId,
    epoch,
    dataKey,
    creds: creds ? openCreds({ containerId, dataKey }, creds) : initAuthCreds(),
    pool: context.pool,
    committer: context.committer,
  })
}
