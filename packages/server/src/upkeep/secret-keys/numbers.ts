import {
  listNumbersSealedOtherwise,
  type SealedNumberColumn,
  writeResealedOfNumber,
} from '#networks/gateway/direct/sealed-store.ts'
import type { Db } from '#platform/db/db.ts'
import type { SealedColumn } from './reseal.ts'

/** Returns the columns of numbers that gateway hosts connect: the key that encrypts their state, and their proxy. */
export function columnsOfNumbers(db: Db, keyId: string): readonly SealedColumn[] {
  return [ofNumbers(db, keyId, 'sealed_key'), ofNumbers(db, keyId, 'sealed_proxy')]
}

function ofNumbers(db: Db, keyId: string, column: SealedNumberColumn): SealedColumn {
  return {
    async list(page) {
      const found = await listNumbersSealedOtherwise(db, column, { keyId, ...page })
      return found.map(({ containerId, sealed }) => ({
        id: containerId,
        sealed,
        place: `gateway_sessions:${column}:${containerId}`,
      }))
    },
    write: ({ id, sealed }, becomes) => writeResealedOfNumber(db, column, { containerId: id, sealed }, becomes),
  }
}
