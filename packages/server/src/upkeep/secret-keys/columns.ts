import type { Db } from '#platform/db/db.ts'
import { columnsOfNumbers } from './numbers.ts'
import { columnsOfPeople } from './people.ts'
import { columnsOfReceivers } from './receivers.ts'
import type { SealedColumn } from './reseal.ts'

/** Returns every column with secrets at rest. `keyId` is the key that encrypts now; what others encrypted is listed. */
export function everyColumn(db: Db, keyId: string): readonly SealedColumn[] {
  return [...columnsOfReceivers(db, keyId), ...columnsOfPeople(db, keyId), ...columnsOfNumbers(db, keyId)]
}
