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

/** What became of the signing secrets that other keys had sealed. */
export interface ResealCounts {
  /** Secrets that the first key seals now. */
  readonly resealed: number
  /** Secrets that no key could open, by the id of the key that sealed them. */
  readonly unreadable: Readonly<Record<string, number>>
  /** Secrets whose key is there and that did not open all the same. */
  readonly damaged: number
  /** Organizations whose secrets other keys still seal at the end, unreadable and damaged ones among them. */
  readonly left: number
}

/**
 * Seals every signing secret anew with the first of SECRETS_KEYS, `batchSize` organizations in a statement. Each batch
 * is done when it is written, so a run that is broken off is taken up by the next. What cannot be opened stays as it is.
 */
export async function resealSigningSecrets(db: Db, secrets: Secrets, batchSize: number): Promise<ResealCounts> {
  const keyId = secrets.keyId
  if (keyId === null) throw new Error('without keys nothing can be sealed anew')
  const counts = { resealed: 0, unreadable: {} as Record<string, number>, damaged: 0 }
  let after: string | null = null
  for (;;) {
    const batch: SealedSecrets[] = await listSealedOtherwise(db, keyId, { after, limit: batchSize })
    const resealed = batch.flatMap((one) => resealOne(secrets, one, counts))
    counts.resealed += await writeResealed(db, resealed)
    after = batch.at(-1)?.organizationId ?? null
    if (after === null) return { ...counts, left: await countSealedOtherwise(db, keyId) }
  }
}

function resealOne(
  secrets: Secrets,
  { organizationId, secret, previousSecret }: SealedSecrets,
  counts: { unreadable: Record<string, number>; damaged: number },
): Resealed[] {
  const places = [
    ['secret', secret],
    ['previous_secret', previousSecret],
  ] as const
  return places.flatMap(([column, was]) => {
    if (was === null || parseKeyId(was) === secrets.keyId) return []
    try {
      return [{ organizationId, column, was, becomes: resealSigningSecret(secrets, organizationId, was) }]
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
