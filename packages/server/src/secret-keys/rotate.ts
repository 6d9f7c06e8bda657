import type { Db } from '../db/db.ts'
import { Refusal } from '../organizations/refusal.ts'
import { pepperName } from '../otp/pepper.ts'
import { countOpenOtherwise } from '../otp/store.ts'
import { openSecrets } from '../secrets.ts'
import { type ResealCounts, resealSigningSecrets } from '../webhook/signing/reseal.ts'

/** What a rotation did, and what still needs the other keys. */
export interface Rotation extends ResealCounts {
  /** The key that seals from now on. */
  readonly keyId: string
  /** One-time codes that were sent with another key and still work, for five minutes at most. */
  readonly openCodes: number
  /** Whether nothing needs any key but the first any more. */
  readonly othersMayGo: boolean
}

const batchSize = 500

/**
 * Seals everything that is encrypted at rest with the first of SECRETS_KEYS. Throws {@link Refusal} without keys. Running
 * it again, also after it was broken off, does what is left.
 */
export async function rotateSecrets(db: Db, secretsKeys: string | undefined): Promise<Rotation> {
  const secrets = openSecrets(secretsKeys)
  const { keyId } = secrets
  if (keyId === null) {
    throw new Refusal(
      'SECRETS_KEYS is not set, so there is no key to encrypt with. Set it as the service has it, the new key first.',
    )
  }
  const counts = await resealSigningSecrets(db, secrets, batchSize)
  const openCodes = await countOpenOtherwise(db, pepperName(keyId))
  return { ...counts, keyId, openCodes, othersMayGo: counts.left === 0 && openCodes === 0 }
}

/** A rotation in sentences. */
export function rotationText(rotation: Rotation): string {
  const { keyId, resealed, unreadable, damaged, left, openCodes, othersMayGo } = rotation
  const lines = [`Encrypted anew with key ${keyId}: ${resealed} ${resealed === 1 ? 'secret' : 'secrets'}.`]
  for (const [id, count] of Object.entries(unreadable)) {
    lines.push(`Left as they are: ${count} of key ${id}, which SECRETS_KEYS does not hold. Add it and run this again.`)
  }
  if (damaged > 0) lines.push(`Left as they are: ${damaged} that are damaged. Their organizations make new ones.`)
  if (openCodes > 0) {
    lines.push(`One-time codes sent with other keys that still work: ${openCodes}. They end within five minutes.`)
  }
  if (othersMayGo) lines.push(`Nothing needs any other key: SECRETS_KEYS may hold key ${keyId} alone.`)
  else lines.push(`Keep the other keys: ${left} organizations and ${openCodes} codes need them. Run this again.`)
  return `${lines.join('\n')}\n`
}
