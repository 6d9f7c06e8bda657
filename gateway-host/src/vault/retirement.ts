import { type AuthenticationCreds, initAuthCreds } from 'baileys'
import type { Pool, PoolClient } from 'pg'
import { openCreds, sealCreds } from './creds.ts'
import { Fenced } from './fenced.ts'
import type { Vault } from './vault.ts'

/** What the kinds of keys of an ended link are raised by. Both sides of the database know it. */
export const retiredKinds = 1000
/** Keys that one statement changes. */
const batchSize = 5000

/** What becomes of a link that has ended; `everything` is for a number that was logged out on purpose. */
export type LinkEnd = 'keep' | 'delete' | 'everything'

/**
 * Gives a number whose link has ended new credentials, as one that was never linked. `keep`: its old ones and its keys
 * are kept aside, in the place of those of an earlier link, because the network may have ended it by mistake. `delete`:
 * they are deleted, and an earlier link stays aside. `everything`: both are deleted. It is one transaction, after which
 * the memory follows. Throws {@link Fenced} when another process owns the number, and errors of the database: then
 * nothing has changed, or it was stored and the same call ends it. The number must have no connection.
 */
export async function endLink(pool: Pool, vault: Vault, end: LinkEnd): Promise<void> {
  const creds = initAuthCreds()
  await vault.replaceLink(creds, () => inTransaction(pool, (client) => storeEnd(client, vault, end, creds)))
}

/** The row of the number is locked last and briefly: a host renews the leases of all its numbers in one statement. */
async function storeEnd(client: PoolClient, vault: Vault, end: LinkEnd, creds: AuthenticationCreds): Promise<void> {
  const isKept = end === 'keep' && !(await isRetired(client, vault))
  if (isKept || end === 'everything') await inBatches(client, vault, 'delete from gateway_keys', 'kind >= $3')
  const change = isKept ? 'update gateway_keys set kind = kind + $3' : 'delete from gateway_keys'
  await inBatches(client, vault, change, 'kind < $3')
  const retired = {
    keep: isKept ? ', retired_at = service_now(), retired_creds = creds' : '',
    delete: '',
    everything: ', retired_at = null, retired_creds = null',
  }
  const { rowCount } = await client.query(
    `update gateway_sessions set creds = $3${retired[end]} where container_id = $1 and epoch = $2`,
    [vault.containerId, vault.epoch, sealCreds(vault, creds)],
  )
  if (rowCount !== 1) throw new Fenced()
}

/**
 * Whether the link in memory is kept aside already: an earlier transaction was stored, and the process does not know
 * it. Its keys are those that were kept.
 */
async function isRetired(client: PoolClient, vault: Vault): Promise<boolean> {
  const { rows } = await client.query<{ sealed: Buffer | null }>(
    'select retired_creds as sealed from gateway_sessions where container_id = $1 and epoch = $2',
    [vault.containerId, vault.epoch],
  )
  const sealed = rows[0]?.sealed
  if (!sealed) return false
  const own = Buffer.from(vault.creds.signedIdentityKey.public)
  return own.equals(openCreds(vault, sealed).signedIdentityKey.public)
}

/** Changes all keys of a number for which a condition is true, while this process owns the number. */
async function inBatches(client: PoolClient, vault: Vault, change: string, condition: string): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      `${change} where ctid = any(array(
         select ctid from gateway_keys where container_id = $1 and ${condition} limit $4))
        and exists (select from gateway_sessions where container_id = $1 and epoch = $2)`,
      [vault.containerId, vault.epoch, retiredKinds, batchSize],
    )
    if ((rowCount ?? 0) < batchSize) return
  }
}

async function inTransaction(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
    client.release()
  } catch (error) {
    // The connection may still be in the transaction.
    client.release(true)
    throw error
  }
}
