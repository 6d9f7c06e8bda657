import { refuse } from './error.ts'

type Secrets = string | readonly string[]

/**
 * Fetches the signing secret or secrets, for example from a secret manager. Pass the same function every time: what
 * it answered is remembered for it.
 */
export type SecretSource = () => Secrets | Promise<Secrets>

/** One signing secret, several (all are tried), or where to get them. */
export type WebhookSecret = Secrets | SecretSource

const minRefetchMs = 60_000
const maxAgeMs = 600_000

/**
 * The secrets as a list.
 *
 * @throws WebhookVerificationError malformed_secret when there is none, or one is not `whsec_` and 64 hex characters
 */
export function secretList(secrets: Secrets): readonly string[] {
  const list = typeof secrets === 'string' ? [secrets] : (secrets ?? [])
  const wellFormed = list.length && list.every((secret) => /^whsec_[\da-fA-F]{64}$/.test(secret))
  return wellFormed ? list : refuse('malformed_secret')
}

interface Remembered {
  secrets: readonly string[]
  fetchedAtMs: number
  refetchedAtMs: number
  pending?: Promise<void> | undefined
}

const remembered = new WeakMap<SecretSource, Remembered>()

/** Fetches once for all who ask meanwhile. When a renewal fails, the secrets known so far stay in use. */
function fetchSecrets(source: SecretSource, memory: Remembered, nowMs: number): Promise<void> {
  memory.fetchedAtMs = nowMs
  memory.pending ??= Promise.resolve()
    .then(source)
    .then((secrets) => {
      memory.secrets = secretList(secrets)
    })
    .catch((error) => {
      if (!memory.secrets.length) throw error
    })
    .finally(() => {
      memory.pending = undefined
    })
  return memory.pending
}

/**
 * Whether `matches` says yes for the secrets. Those of a function are renewed after ten minutes, so that a revoked one
 * does not live on, and fetched again when nothing matched, at most once a minute: a new secret is picked up, and
 * strangers cannot make the receiver hammer its secret store. The service tries for 75 seconds, so a delivery refused
 * in that minute arrives with a later attempt.
 *
 * @throws WebhookVerificationError malformed_secret; what the source throws as long as no secret is known
 */
export async function anySecretMatches(
  secret: SecretSource,
  nowMs: number,
  matches: (secrets: readonly string[]) => Promise<boolean>,
): Promise<boolean> {
  const memory = remembered.get(secret) ?? { secrets: [], fetchedAtMs: nowMs, refetchedAtMs: -minRefetchMs }
  remembered.set(secret, memory)
  // Absolute, so that a clock that was set back cannot stop the fetching for good.
  const passed = (sinceMs: number, spanMs: number) => Math.abs(nowMs - sinceMs) >= spanMs
  if (!memory.secrets.length || passed(memory.fetchedAtMs, maxAgeMs)) await fetchSecrets(secret, memory, nowMs)
  const tried = memory.secrets
  if (await matches(tried)) return true
  if (memory.secrets === tried && passed(memory.refetchedAtMs, minRefetchMs)) {
    memory.refetchedAtMs = nowMs
    await fetchSecrets(secret, memory, nowMs)
  }
  await memory.pending
  return memory.secrets !== tried && matches(memory.secrets)
}
