import type { Services } from '#services.ts'
import { openSample } from '#upkeep/secret-keys/sample.ts'

const check = 'See msgctl-server check.'

/**
 * Logs an error when the process lacks SECRETS_KEYS in production, or a key that stored secrets need: it serves, but
 * signs no webhook and opens nothing that another key has sealed. It never rejects.
 */
export async function reportSecrets({ db, secrets, config, log }: Services): Promise<void> {
  if (config.production && !secrets.available) {
    const lost = 'Webhooks are not signed, no mail is sent, and stored secrets cannot be read'
    log.error({ event: 'secrets_keys_missing' }, `SECRETS_KEYS is not set. ${lost}. ${check}`)
  }
  try {
    const { missingKeys, damaged } = await openSample(db, secrets)
    if (missingKeys.length > 0 && secrets.available) {
      const text = `SECRETS_KEYS lacks the key ${missingKeys.join(', ')}, which stored secrets need. ${check}`
      log.error({ event: 'secrets_keys_missing', keys: missingKeys }, text)
    }
    if (damaged > 0) {
      const text = `SECRETS_KEYS has another key under the id of the one that sealed stored secrets. ${check}`
      log.error({ event: 'secrets_keys_wrong', damaged }, text)
    }
  } catch (err) {
    log.warn({ event: 'secrets_unchecked', err }, 'failed to check the stored secrets')
  }
}
