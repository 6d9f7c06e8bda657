import { initAuthCreds } from 'baileys'
import type { Pool } from 'pg'
import type { Vault } from './vault.ts'

/** What the kinds of keys of an ended link are raised by. Both sides of the database know it. */
const retiredKinds = 1000

/**
 * Gives a number whose link has ended new credentials, as one that was never linked. `keeps`: its old ones and its keys
 * are kept aside, in the place of those of an earlier link, because the network may have ended it by mistake.
 */
export async function endLink(pool: Pool, vault: Vault, keeps: boolean): Promise<void> {
  if (keeps) await moveAside(pool, vault)
  await vault.reset(initAuthCreds(), retiredKinds)
}

async function moveAside(pool: Pool, vault: Vault): Promise<void> {
  await vault.committed()
  const { containerId, epoch } = vault
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rowCount } = await client.query(
      `update gateway_sessions set retired_at = service_now(), retired_creds = creds, creds = null
        where container_id = $1 and epoch = $2 and creds is not null`,
      [containerId, epoch],
    )
    if (rowCount === 1) {
      await client.query('delete from gateway_keys where container_id = $1 and kind >= $2', [containerId, retiredKinds])
      await client.query('update gateway_keys set kind = kind + $2 where container_id = $1', [
        containerId,
        retiredKinds,
      ])
    }
    await client.query('commit')
    client.release()
  } catch (error) {
    // The connection may still be in the transaction.
    client.release(true)
    throw error
  }
}
