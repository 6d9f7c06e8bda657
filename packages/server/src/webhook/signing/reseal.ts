import type { Db } from '../../db/db.ts'
import { parseKeyId, type Secrets, SecretsKeyMissing } from '../../secrets.ts'
import {
  countSealedOtherwise,
  listSealedOtherwise,
  type Resealed,
  type SealedSecrets,
  writeResealed,
} from './sealed-store.ts'
import { resealSigningSecret } from './secret.ts'

/** Counts of the signing secrets that other keys had encrypted. */
export interface ResealCounts {
  /** Secrets that the first key encrypts now. */
  readonly resealed: number
  /** Secrets whose key is missing, by the id of the key. */
  readonly unreadable: Readonly<Record<string, number>>
  /** Secrets that could not be decrypted although their key is present. */
  readonly damaged: number
  /** Endpoints whose secrets are still encrypted by other keys at the end, including unreadable and damaged ones. */
  readonly left: number
}

/**
 * Re-encrypts every signing secret with the first of SECRETS_KEYS, `batchSize` endpoints in a statement. An interrupted
 * run can be repeated: finished batches are skipped. Secrets that cannot be decrypted stay unchanged.
 */
export async function resealSigningSecrets(db: Db, secrets: Secrets, batchSize: number): Promise<ResealCounts> {
  const keyId = secrets.keyId
  if (keyId === null) throw new Error('secrets cannot be re-encrypted without keys')
  const counts = { resealed: 0, unreadable: {} as Record<string, number>, damaged: 0 }
  let after: string | null = null
  for (;;) {
    const batch: SealedSecrets[] = await listSealedOtherwise(db, keyId, { after, limit: batchSize })
    const resealed = batch.flatMap((one) => resealOne(secrets, one, counts))
    counts.resealed += await writeResealed(db, resealed)
    after = batch.at(-1)?.endpointId ?? null
    if (after === null) return { ...counts, left: await countSealedOtherwise(db, keyId) }
  }
}

function resealOne(
  secrets: Secrets,
  { organizationId, endpointId, secret, previousSecret }: SealedSecrets,
  counts: { unreadable: Record<string, number>; damaged: number },
): Resealed[] {
  const columns = [
    ['secret', secret],
    ['previous_secret', previousSecret],
  ] as const
  return columns.flatMap(([column, was]) => {
    if (was === null || parseKeyId(was) === secrets.keyId) return []
    try {
      return [{ organizationId, endpointId, column, was, becomes: resealSigningSecret(secrets, organizationId, was) }]
    } catch (error) {
      if (error instanceof SecretsKeyMissing) {
        counts.unreadable[error.keyId] = (counts.unreadable[error.keyId] ?? 0) + 1
      } else {
        counts.damaged++
      }
      return []
    }
  })
}
