import { randomBytes } from 'node:crypto'
import type { SecretLocation, Secrets } from '../../secrets.ts'

/** A new signing secret, in the clear and as it is stored. */
export interface NewSecret {
  readonly text: string
  readonly sealed: string
}

/** Makes a signing secret: `whsec_` and 64 hexadecimal characters. Throws when the server has no keys. */
export function newSigningSecret(secrets: Secrets, organizationId: string): NewSecret {
  const text = `whsec_${randomBytes(32).toString('hex')}`
  return { text, sealed: secrets.encrypt(text, placeOf(organizationId)) }
}

/**
 * A stored secret in the clear; null when there is none or the server has no keys (deliveries are unsigned then). Throws
 * when it has keys, but not the one that sealed this secret.
 */
export function openSigningSecret(secrets: Secrets, organizationId: string, sealed: string | null): string | null {
  return sealed === null || !secrets.available ? null : secrets.decrypt(sealed, placeOf(organizationId))
}

const rememberedSecrets = 1000

/** Opens secrets as {@link openSigningSecret} does, and remembers the latest ones: each signs many deliveries. */
export function rememberingSecrets(secrets: Secrets): (organizationId: string, sealed: string | null) => string | null {
  const opened = new Map<string, string | null>()
  return (organizationId, sealed) => {
    if (sealed === null) return null
    const place = `${organizationId} ${sealed}`
    const known = opened.get(place)
    if (known !== undefined) return known
    const text = openSigningSecret(secrets, organizationId, sealed)
    if (opened.size >= rememberedSecrets) opened.clear()
    opened.set(place, text)
    return text
  }
}

/** A stored secret sealed anew with the key that encrypts now. Throws as {@link openSigningSecret} does. */
export function resealSigningSecret(secrets: Secrets, organizationId: string, sealed: string): string {
  const place = placeOf(organizationId)
  return secrets.encrypt(secrets.decrypt(sealed, place), place)
}

function placeOf(organizationId: string): SecretLocation {
  return `webhooks:secret:${organizationId}`
}
