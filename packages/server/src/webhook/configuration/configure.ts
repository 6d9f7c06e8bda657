import { type Actor, recordActivity } from '../../activity/log.ts'
import { transaction } from '../../db/db.ts'
import { apiError, invalidField } from '../../errors.ts'
import { judgeUrl } from '../../public-address/url.ts'
import { SecretsKeyMissing } from '../../secrets.ts'
import type { Services } from '../../services.ts'
import { newSigningSecret, openSigningSecret } from '../signing/secret.ts'
import { findWebhook, removeUrl, replaceSecret, setUrl } from './store.ts'

/** Whose webhook is changed, and by whom. */
export interface Change {
  readonly organizationId: string
  readonly actor: Actor
}

/** The webhook as it is shown: `signingSecret` is null without one, and on a server that cannot read any. */
export interface Configuration {
  readonly webhookUrl: string | null
  readonly signingSecret: string | null
}

/**
 * The address and the secret. Throws SECRETS_KEY_MISSING on a server that has keys, but not the one that sealed the
 * secret.
 */
export async function showWebhook({ db, secrets, log }: Services, organizationId: string): Promise<Configuration> {
  const webhook = await findWebhook(db, organizationId)
  try {
    const signingSecret = openSigningSecret(secrets, organizationId, webhook?.secret ?? null)
    return { webhookUrl: webhook?.url ?? null, signingSecret }
  } catch (error) {
    if (!(error instanceof SecretsKeyMissing)) throw error
    log.error({ err: error, organizationId }, 'a signing secret could not be read')
    throw apiError('SECRETS_KEY_MISSING', 'The signing secret cannot be read: the server lacks the key that sealed it.')
  }
}

/**
 * Sets the address (specification, "Webhook address and signing secret"): the first one makes the secret, which only
 * this answer shows. Throws VALIDATION_ERROR when it is not a public address.
 */
export async function setWebhook(services: Services, change: Change, url: string): Promise<Configuration> {
  const verdict = judgeUrl(url, services.config.allowPrivateTargets)
  if (!verdict.url) throw invalidField('webhookUrl', verdict.refusal, 'invalid_url')
  const { organizationId } = change
  const made = services.secrets.available ? newSigningSecret(services.secrets, organizationId) : null
  // Of the address only the host is noted: its path and query are often the receiver's password.
  const details = { host: verdict.url.host }
  const created = await transaction(services.db, async (trx) => {
    await recordActivity(trx, { ...change, action: 'webhook.set', details })
    return setUrl(trx, organizationId, url, made?.sealed ?? null)
  })
  return { webhookUrl: url, signingSecret: created && made ? made.text : null }
}

/** Stops events. The secret stays, so that the next address is signed with the one that receivers know. */
export async function removeWebhook({ db }: Services, change: Change): Promise<Configuration> {
  await transaction(db, async (trx) => {
    await recordActivity(trx, { ...change, action: 'webhook.removed' })
    await removeUrl(trx, change.organizationId)
  })
  return { webhookUrl: null, signingSecret: null }
}

/**
 * Replaces the secret; the one before signs as well for `overlapSeconds`. Throws WEBHOOK_SIGNING_UNAVAILABLE on a server
 * without keys and FORBIDDEN_ACTION when no address was ever set.
 */
export async function regenerateSecret(services: Services, change: Change, overlapSeconds: number): Promise<string> {
  if (!services.secrets.available)
    throw apiError('WEBHOOK_SIGNING_UNAVAILABLE', 'This server has no encryption set up, so deliveries are not signed.')
  const made = newSigningSecret(services.secrets, change.organizationId)
  await transaction(services.db, async (trx) => {
    await recordActivity(trx, { ...change, action: 'webhook_secret.regenerated', details: { overlapSeconds } })
    if (!(await replaceSecret(trx, change.organizationId, made.sealed, overlapSeconds))) throw neverSet()
  })
  return made.text
}

function neverSet() {
  return apiError('FORBIDDEN_ACTION', 'There is no signing secret yet. Set a webhook address first; that makes one.', {
    reason: 'no_webhook_url',
  })
}
