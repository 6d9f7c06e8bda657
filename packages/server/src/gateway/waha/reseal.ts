import type { Db } from '../../db/db.ts'
import { parseKeyId, type Secrets, SecretsKeyMissing } from '../../secrets.ts'
import { listHosts, writeSealedKeys } from './host-store.ts'
import { keyLocation } from './hosts.ts'

/** Counts of the keys of WAHA servers that other keys had encrypted. */
export interface HostResealCounts {
  readonly resealed: number
  /** Keys whose own key is missing, by its id. */
  readonly unreadable: Readonly<Record<string, number>>
  readonly damaged: number
  /** Hosts whose keys are still encrypted by other keys. */
  readonly left: number
}

/**
 * Re-encrypts the keys of every WAHA server with the first of SECRETS_KEYS. A host whose keys cannot be decrypted stays
 * unchanged. A run can be repeated.
 */
export async function resealHostKeys(db: Db, secrets: Secrets): Promise<HostResealCounts> {
  const counts = { resealed: 0, unreadable: {} as Record<string, number>, damaged: 0, left: 0 }
  const others = (await listHosts(db)).filter((host) =>
    [host.sealedKey, host.sealedHookKey].some((sealed) => parseKeyId(sealed) !== secrets.keyId),
  )
  for (const { id, sealedKey, sealedHookKey } of others) {
    const again = (sealed: string, column: 'key' | 'hook_key') => {
      const location = keyLocation(id, column)
      return secrets.encrypt(secrets.decrypt(sealed, location), location)
    }
    try {
      const becomes = { sealedKey: again(sealedKey, 'key'), sealedHookKey: again(sealedHookKey, 'hook_key') }
      await writeSealedKeys(db, { id, was: { sealedKey, sealedHookKey }, becomes })
      counts.resealed += 2
    } catch (error) {
      counts.left++
      if (error instanceof SecretsKeyMissing) counts.unreadable[error.keyId] = (counts.unreadable[error.keyId] ?? 0) + 2
      else counts.damaged += 2
    }
  }
  return counts
}
