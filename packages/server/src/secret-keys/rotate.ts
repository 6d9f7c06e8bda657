import type { Db } from '../db/db.ts'
import { resealHostKeys } from '../gateway/waha/reseal.ts'
import { Refusal } from '../organizations/refusal.ts'
import { pepperName } from '../otp/pepper.ts'
import { countOpenWithOtherPeppers } from '../otp/store.ts'
import { openSecrets, type Secrets } from '../secrets.ts'
import { type ResealCounts, resealSigningSecrets } from '../webhook/signing/reseal.ts'
import { columnsOfNumbers } from './numbers.ts'
import { columnsOfPeople } from './people.ts'
import { resealColumn } from './reseal.ts'

/** The result of a rotation, and what still needs the other keys. */
export interface Rotation extends ResealCounts {
  /** The key that encrypts new secrets. */
  readonly keyId: string
  /** WAHA servers whose keys are still encrypted by other keys. */
  readonly hostsLeft: number
  /** One-time codes that were sent with another key and are still valid, for five minutes at most. */
  readonly openCodes: number
  /** Whether only the first key is still needed. */
  readonly othersMayGo: boolean
}

const batchSize = 500

/**
 * Encrypts all secrets at rest with the first of SECRETS_KEYS. Throws {@link Refusal} without keys. It is safe to interrupt
 * and to run again, which does the rest.
 */
export async function rotateSecrets(db: Db, secretsKeys: string | undefined): Promise<Rotation> {
  const secrets = openSecrets(secretsKeys)
  const { keyId } = secrets
  if (keyId === null) {
    throw new Refusal('SECRETS_KEYS is not set. Set the value of the service, with the new key first.')
  }
  const signing = await resealAll(db, secrets, keyId)
  const hosts = await resealHostKeys(db, secrets)
  const openCodes = await countOpenWithOtherPeppers(db, pepperName(keyId))
  return {
    resealed: signing.resealed + hosts.resealed,
    unreadable: added(signing.unreadable, hosts.unreadable),
    damaged: signing.damaged + hosts.damaged,
    left: signing.left,
    hostsLeft: hosts.left,
    keyId,
    openCodes,
    othersMayGo: signing.left === 0 && hosts.left === 0 && openCodes === 0,
  }
}

function added(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const ids = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return Object.fromEntries(ids.map((id) => [id, (a[id] ?? 0) + (b[id] ?? 0)]))
}

async function resealAll(db: Db, secrets: Secrets, keyId: string): Promise<ResealCounts> {
  const webhooks = await resealSigningSecrets(db, secrets, batchSize)
  const total = { ...webhooks, unreadable: { ...webhooks.unreadable } }
  for (const column of [...columnsOfPeople(db, keyId), ...columnsOfNumbers(db, keyId)]) {
    const { resealed, unreadable, damaged, left } = await resealColumn(secrets, column, batchSize)
    total.resealed += resealed
    total.damaged += damaged
    total.left += left
    for (const [id, count] of Object.entries(unreadable)) total.unreadable[id] = (total.unreadable[id] ?? 0) + count
  }
  return total
}

/** Formats the result of a rotation. */
export function rotationText(rotation: Rotation): string {
  const { keyId, resealed, unreadable, damaged, left, hostsLeft, openCodes, othersMayGo } = rotation
  const lines = [`Re-encrypted with key ${keyId}: ${resealed} ${resealed === 1 ? 'secret' : 'secrets'}.`]
  for (const [id, count] of Object.entries(unreadable)) {
    lines.push(`Skipped: ${count} of key ${id}, which is not in SECRETS_KEYS. Add it and run this again.`)
  }
  if (damaged > 0) lines.push(`Skipped: ${damaged} that are damaged. Their organizations must regenerate them.`)
  if (openCodes > 0) {
    lines.push(`Valid one-time codes that were sent with other keys: ${openCodes}. They expire within five minutes.`)
  }
  if (othersMayGo) lines.push(`No other key is needed. SECRETS_KEYS can be reduced to key ${keyId}.`)
  else {
    const hosts = hostsLeft > 0 ? `${hostsLeft} WAHA servers, ` : ''
    lines.push(`Keep the other keys: ${hosts}${left} secrets and ${openCodes} codes need them. Run this again later.`)
  }
  return `${lines.join('\n')}\n`
}
