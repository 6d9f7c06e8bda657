import { judgeUrl } from '@msgctl/network/public-address/url'
import { SecretsKeyMissing } from '@msgctl/network/secrets'
import { type Actor, recordActivity } from '#api/activity/log.ts'
import { newSigningSecret, openSigningSecret } from '#events/webhook/signing/secret.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError, invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { findWebhook, removeUrl, replaceSecret, setUrl } from './store.ts'

/** The organization whose webhook is changed, and the actor. */
export interface Change {
  readonly organizationId: string
  readonly actor: Actor
}

/** The webhook as the API shows it. `signingSecret` is null if there is none, or if the server cannot decrypt it. */
export interface Configuration {
  readonly webhookUrl: string | null
  readonly signingSecret: string | null
}

/** The same with the replaced secret, which signs deliveries, too, until its overlap ends. */
export interface ShownConfiguration extends Configuration {
  readonly previousSigningSecret: string | null
}

/**
 * Returns the address and the secrets. Throws SECRETS_KEY_MISSING if the server has keys, but not the one that
 * encrypted a secret.
 */
export async function showWebhook(services: Services, organizationId: string): Promise<ShownConfiguration> {
  const webhook = await findWebhook(services.db, organizationId)
  const shown = (sealed: string | null = null) => showSecret(services, organizationId, sealed)
  return {
    webhookUrl: webhook?.url ?? null,
    signingSecret: shown(webhook?.secret),
    previousSigningSecret: shown(webhook?.previousSecret),
  }
}

/**
 * Decrypts a signing secret to show it. Returns null if there is none, or if the server has no keys. Throws
 * SECRETS_KEY_MISSING if it has keys, but not the one that encrypted the secret.
 */
export function showSecret({ secrets, log }: Services, organizationId: string, sealed: string | null): string | null {
  try {
    return openSigningSecret(secrets, organizationId, sealed)
  } catch (error) {
    if (!(error instanceof SecretsKeyMissing)) throw error
    log.error({ event: 'signing_secret_unreadable', err: error, organizationId }, 'failed to decrypt signing secret')
    throw apiError(
      'SECRETS_KEY_MISSING',
      'The server cannot decrypt the signing secret: the key that encrypted it is missing.',
    )
  }
}

/**
 * Sets the address (specification, "Webhook address and signing secret"). The first address creates the secret, which
 * only this response shows. Throws VALIDATION_ERROR for an address that is not public.
 */
export async function setWebhook(services: Services, change: Change, url: string): Promise<Configuration> {
  const check = judgeUrl(url, services.config.allowPrivateTargets)
  if (!check.url) throw invalidField('webhookUrl', check.refusal, 'invalid_url')
  const { organizationId } = change
  const secret = services.secrets.available ? newSigningSecret(services.secrets, organizationId) : null
  // The path and query of an address are often the receiver's password, so only the host is logged.
  const details = { host: check.url.host }
  const created = await transaction(services.db, async (trx) => {
    await recordActivity(trx, { ...change, action: 'webhook.set', details })
    return setUrl(trx, organizationId, url, secret?.sealed ?? null)
  })
  return { webhookUrl: url, signingSecret: created && secret ? secret.text : null }
}

/**
 * Stops events. The secret stays, so that deliveries to the next address carry a signature that receivers can verify.
 */
export async function removeWebhook({ db }: Services, change: Change): Promise<Configuration> {
  await transaction(db, async (trx) => {
    await recordActivity(trx, { ...change, action: 'webhook.removed' })
    await removeUrl(trx, change.organizationId)
  })
  return { webhookUrl: null, signingSecret: null }
}

/**
 * Replaces the secret. The previous one also signs for `overlapSeconds`. Throws WEBHOOK_SIGNING_UNAVAILABLE on a server
 * without keys, and FORBIDDEN_ACTION if no address was ever set.
 */
export async function regenerateSecret(services: Services, change: Change, overlapSeconds: number): Promise<string> {
  requireSigningKeys(services)
  const { organizationId } = change
  const secret = newSigningSecret(services.secrets, organizationId)
  await transaction(services.db, async (trx) => {
    await recordActivity(trx, { ...change, action: 'webhook_secret.regenerated', details: { overlapSeconds } })
    const main = { organizationId, endpointId: null }
    if (!(await replaceSecret(trx, main, secret.sealed, overlapSeconds))) throw noSecretYet()
  })
  return secret.text
}

/** Throws WEBHOOK_SIGNING_UNAVAILABLE on a server without keys. */
export function requireSigningKeys({ secrets }: Pick<Services, 'secrets'>): void {
  if (secrets.available) return
  throw apiError('WEBHOOK_SIGNING_UNAVAILABLE', 'The server has no encryption keys, so deliveries are not signed.')
}

function noSecretYet() {
  return apiError(
    'FORBIDDEN_ACTION',
    'There is no signing secret yet. Set a webhook address first; that creates one.',
    {
      reason: 'no_webhook_url',
    },
  )
}
