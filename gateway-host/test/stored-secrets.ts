import type { Secrets } from '@msgctl/network/secrets'
import type { Db } from '@msgctl/server/platform/db/db'
import { rows } from '@msgctl/server/platform/db/db'
import { unpack } from '../src/vault/key-kinds.ts'
import { unseal } from '../src/vault/sealing.ts'
import { bytesIn, createKeySearch } from './key-search.ts'

interface StoredNumber {
  readonly id: string
  readonly sealedKey: string
  readonly creds: Buffer
}

interface StoredKey {
  readonly kind: number
  readonly id: string
  readonly value: Buffer
}

/** Returns all byte strings in the credentials and keys of a number, private or not, as they are stored now. */
export async function readKeys(db: Db, secrets: Secrets, containerId: string): Promise<Buffer[]> {
  const [number] = await rows<StoredNumber>(
    db,
    `select container_id as id, sealed_key, creds from gateway_sessions
      where container_id = :containerId`,
    { containerId },
  )
  if (!number) throw new Error('the number is not stored')
  const dataKey = Buffer.from(secrets.decrypt(number.sealedKey, `gateway_sessions:sealed_key:${containerId}`), 'base64')
  const stored = await rows<StoredKey>(
    db,
    'select kind, id, value from gateway_keys where container_id = :containerId',
    { containerId },
  )
  const values = stored.map(({ kind, id, value }) =>
    unpack(kind, unseal(dataKey, `${containerId}/${kind}/${id}`, value)),
  )
  const creds = unpack(-1, unseal(dataKey, `${containerId}/creds`, number.creds))
  return [dataKey, ...[creds, ...values].flatMap(bytesIn)]
}

/** Returns how many of these byte strings an output contains, in any form. */
export function countIn(output: string, keys: readonly Buffer[]): number {
  return keys.filter(createKeySearch(output)).length
}
