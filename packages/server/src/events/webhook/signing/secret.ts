import { randomBytes } from 'node:crypto'
import type { SecretLocation, Secrets } from '@msgctl/network/secrets'

/** A new signing secret, as plain text and encrypted. */
export interface NewSecret {
  readonly text: string
  readonly sealed: string
}

/** Creates a signing secret: `whsec_` and 64 hexadecimal characters. Throws if the server has no keys. */
export function newSigningSecret(secrets: Secrets, organizationId: string): NewSecret {
  const text = `whsec_${randomBytes(32).toString('hex')}`
  return { text, sealed: secrets.encrypt(text, toSecretPlace(organizationId)) }
}

/**
 * Decrypts a stored secret. Returns null if there is none, or if the server has no keys; deliveries are unsigned then.
 * Throws if the server has keys, but not the one that encrypted this secret.
 */
export function openSigningSecret(secrets: Secrets, organizationId: string, sealed: string | null): string | null {
  return sealed === null || !secrets.available ? null : secrets.decrypt(sealed, toSecretPlace(organizationId))
}

const cachedSecrets = 1000

/** Returns {@link openSigningSecret} with a cache, since each secret signs many deliveries. */
export function cachedSecretOpener(secrets: Secrets): (organizationId: string, sealed: string | null) => string | null {
  const opened = new Map<string, string | null>()
  return (organizationId, sealed) => {
    if (sealed === null) return null
    const key = `${organizationId} ${sealed}`
    const known = opened.get(key)
    if (known !== undefined) return known
    const text = openSigningSecret(secrets, organizationId, sealed)
    if (opened.size >= cachedSecrets) opened.clear()
    opened.set(key, text)
    return text
  }
}

/** Returns the place of the secrets of an organization, which their encryption is bound to. */
export function toSecretPlace(organizationId: string): SecretLocation {
  return `webhooks:secret:${organizationId}`
}
