import type { Db } from '../db/db.ts'
import { listNumberKeysSealedOtherwise, writeResealedNumberKey } from '../gateway/direct/sealed-store.ts'
import type { SealedColumn } from './reseal.ts'

/** Returns the column with the keys of numbers that gateway hosts connect; a key encrypts the state of its number. */
export function keysOfNumbers(db: Db, keyId: string): SealedColumn {
  return {
    async list(page) {
      const found = await listNumberKeysSealedOtherwise(db, keyId, page)
      return found.map(({ containerId, sealedKey }) => ({
        id: containerId,
        sealed: sealedKey,
        place: `gateway_sessions:sealed_key:${containerId}`,
      }))
    },
    write: ({ id, sealed }, becomes) => writeResealedNumberKey(db, { containerId: id, sealedKey: sealed }, becomes),
  }
}
