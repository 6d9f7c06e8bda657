import type { Pool } from 'pg'
import { kindNumber } from './key-kinds.ts'
import type { Vault } from './vault.ts'

/** Kinds whose values move with every message, so that old ones encrypt with keys that were used. */
const moving = ['session', 'sender-key', 'sender-key-memory'].map(kindNumber)

/** More pre-keys than a number uses between two backups; their ids must not be given out a second time. */
const skippedIds = 10_000
/** Ids of pre-keys have three bytes. */
const largestId = 16_000_000

/**
 * Makes the number of a restored backup begin new sessions with everybody: its ratchets are older than those of the
 * phones. New pre-keys are uploaded at the next login, because the first one of them is missing. Call it before the
 * number connects.
 */
export async function renewSessions(pool: Pool, vault: Vault): Promise<void> {
  await pool.query(
    `delete from gateway_keys where container_id = $1 and kind = any($2) and exists (
       select 1 from gateway_sessions s where s.container_id = $1 and s.epoch = $3)`,
    [vault.containerId, moving, vault.epoch],
  )
  const next = ((vault.creds.nextPreKeyId + skippedIds) % largestId) + 1
  Object.assign(vault.creds, { nextPreKeyId: next, firstUnuploadedPreKeyId: next })
  vault.stageCreds()
  await vault.committed()
}
