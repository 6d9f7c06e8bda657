import { openSecrets } from '@msgctl/network/secrets'
import { Refusal } from '#people/organizations/refusal.ts'
import type { Db } from '#platform/db/db.ts'
import { pepperName } from '#sending/otp/pepper.ts'
import { countOpenWithOtherPeppers } from '#sending/otp/store.ts'
import { sealedColumns } from './columns.ts'
import { type ResealCounts, resealColumns } from './reseal.ts'

/** The result of a rotation, and what still needs the other keys. */
export interface Rotation extends ResealCounts {
  /** The key that encrypts new secrets. */
  readonly keyId: string
  /** One-time codes that were sent with another key and are still valid, for five minutes at most. */
  readonly openCodes: number
  /** How many keys SECRETS_KEYS has beside the first. */
  readonly otherKeys: number
  /** Whether only the first key is still needed. */
  readonly othersMayGo: boolean
}

const batchSize = 500

/**
 * Encrypts all secrets at rest with the first of SECRETS_KEYS. Throws {@link Refusal} without keys. It is safe to
 * interrupt and to run again, which does the rest.
 */
export async function rotateSecrets(db: Db, secretsKeys: string | undefined): Promise<Rotation> {
  const secrets = openSecrets(secretsKeys)
  const { keyId } = secrets
  if (keyId === null) {
    throw new Refusal('SECRETS_KEYS is not set. Set the value of the service, with the new key first.')
  }
  const counts = await resealColumns(db, secrets, sealedColumns, batchSize)
  const openCodes = await countOpenWithOtherPeppers(db, pepperName(keyId))
  const otherKeys = (secretsKeys ?? '').split(',').filter((key) => key.trim() !== '').length - 1
  return { ...counts, keyId, openCodes, otherKeys, othersMayGo: counts.left === 0 && openCodes === 0 }
}

/** Formats the result of a rotation. */
export function rotationText(rotation: Rotation): string {
  const { keyId, resealed, unreadable, damaged, left, openCodes, otherKeys, othersMayGo } = rotation
  const lines = [`Re-encrypted with key ${keyId}: ${resealed} ${resealed === 1 ? 'secret' : 'secrets'}.`]
  for (const [id, count] of Object.entries(unreadable)) {
    lines.push(`Skipped: ${count} of key ${id}, which is not in SECRETS_KEYS. Add it and run this again.`)
  }
  if (damaged > 0) lines.push(`Skipped: ${damaged} that are damaged. Their organizations must regenerate them.`)
  if (openCodes > 0) {
    lines.push(`Valid one-time codes that were sent with other keys: ${openCodes}. They expire within five minutes.`)
  }
  if (!othersMayGo) {
    lines.push(`Keep the other keys: ${left} secrets and ${openCodes} codes need them. Run this again later.`)
  } else if (resealed === 0 && otherKeys > 0) {
    // A new key is last at first, so that every process has it before one encrypts with it.
    lines.push(`No other key is needed. If key ${keyId} is the old one, put the new one first and run this again.`)
  } else {
    lines.push(`No other key is needed. SECRETS_KEYS can be reduced to key ${keyId}.`)
  }
  return `${lines.join('\n')}\n`
}
