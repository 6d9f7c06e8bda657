import { parseKeyId, type Secrets, SecretsKeyMissing } from '@msgctl/network/secrets'
import type { Db } from '#platform/db/db.ts'
import { sealedColumns } from './columns.ts'
import { listSealedOtherwise } from './sealed-store.ts'

/** How the stored secrets of a sample open with the keys that are set. */
export interface OpenedSample {
  readonly opened: number
  /** The ids of keys that are needed and not set. */
  readonly missingKeys: readonly string[]
  /** Secrets that do not open although a key with their id is set: the key is another one. */
  readonly damaged: number
}

const perColumn = 100
/** No key has this id, so everything stored is sealed otherwise. */
const noKey = ''

/** Decrypts up to a hundred secrets of each column, and counts those that the keys do not open. */
export async function openSample(db: Db, secrets: Secrets): Promise<OpenedSample> {
  const missing = new Set<string>()
  let opened = 0
  let damaged = 0
  for (const open of await sample(db, secrets)) {
    try {
      open()
      opened += 1
    } catch (error) {
      if (error instanceof SecretsKeyMissing) missing.add(error.keyId)
      else damaged += 1
    }
  }
  return { opened, missingKeys: [...missing].sort(), damaged }
}

async function sample(db: Db, secrets: Secrets): Promise<(() => unknown)[]> {
  const page = { keyId: noKey, after: null, limit: perColumn }
  const columns = await Promise.all(sealedColumns.map((column) => listSealedOtherwise(db, column, page)))
  return columns.flat().map(({ sealed, place }) => () => {
    // Without any key decrypt would report the first one as missing, too.
    if (!secrets.available) throw new SecretsKeyMissing(parseKeyId(sealed))
    return secrets.decrypt(sealed, place)
  })
}
