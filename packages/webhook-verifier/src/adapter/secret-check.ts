import { WebhookVerificationError } from '../error.ts'

const form = /^whsec_[\da-fA-F]{64}$/

/** Returns what is wrong with a text that is no signing secret. The text itself is never shown. */
function describe(secret: unknown): string {
  if (secret === undefined || secret === null || secret === '')
    return 'The secret is empty. Is WEBHOOK_SECRET set? Show it with: msgctl webhook show --show-secret'
  if (typeof secret !== 'string')
    return `The secret must be a text, a list of texts or a function, not ${typeof secret}.`
  const trimmed = secret.trim()
  if (trimmed !== secret && form.test(trimmed))
    return 'The secret has white space around it, often a newline at the end of a file. Remove it.'
  if (/^["'].*["']$/s.test(trimmed) && form.test(trimmed.slice(1, -1)))
    return 'The secret has quotation marks around it. Remove them.'
  if (/^ms[kn]_/.test(trimmed))
    return 'This is an API key, not the signing secret. The signing secret begins with whsec_.'
  if (/^whsec_.*(\.\.\.|…|\*)/.test(trimmed))
    return 'This is the masked beginning of a secret. Show all of it with: msgctl webhook show --show-secret'
  if (/^whsec_[\w+/=-]{24,}$/.test(trimmed) && !/^whsec_[\da-f]*$/i.test(trimmed))
    return 'This looks like the signing secret of another service: after whsec_ there must be 64 hex characters.'
  if (trimmed.startsWith('whsec_'))
    return (
      'The secret is incomplete or too long: after whsec_ there must be 64 hex characters, not ' +
      `${trimmed.length - 6}.`
    )
  return 'The secret must be whsec_ and 64 hex characters. Show it with: msgctl webhook show --show-secret'
}

function malformed(message: string): WebhookVerificationError {
  return Object.assign(new WebhookVerificationError('malformed_secret'), { message })
}

/**
 * Checks one secret or several before any delivery arrives.
 *
 * @throws WebhookVerificationError malformed_secret, with what is wrong and never with the secret
 */
export function checkSecrets(secrets: unknown): void {
  const list = Array.isArray(secrets) ? secrets : [secrets]
  if (list.length === 0) throw malformed('The list of secrets is empty.')
  for (const secret of list) {
    if (typeof secret !== 'string' || !form.test(secret)) throw malformed(describe(secret))
  }
}
