import { refuse } from './error.ts'

type Secrets = string | readonly string[]

/**
 * Fetches the signing secret or secrets, for example from a secret manager, or from the context of a handler. Pass the
 * same function every time: its result is cached per function, for deliveries of every context.
 */
export type SecretSource<Context = unknown> = (context: Context) => Secrets | Promise<Secrets>

/** One signing secret, several of which any may match, or a function that returns them. */
export type WebhookSecret<Context = unknown> = Secrets | SecretSource<Context>

const minRefetchMs = 60_000
const maxAgeMs = 600_000

/**
 * Returns the secrets as a list.
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

const remembered = new WeakMap<WeakKey, Remembered>()

/** Fetches the secrets, once for concurrent callers. If a refresh fails, the cached secrets stay in use. */
function fetchSecrets(fetch: () => ReturnType<SecretSource>, memory: Remembered, nowMs: number): Promise<void> {
  memory.fetchedAtMs = nowMs
  memory.pending ??= Promise.resolve()
    .then(fetch)
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
 * Returns what `matches` returns for the secrets of a function, which is falsy when none matches. They are fetched
 * again after ten minutes, so that a revoked secret expires, and when nothing matched, at most once a minute. A new
 * secret is thus found, and invalid requests cannot overload the secret store. The service retries for 75 seconds, so a
 * delivery that is rejected within that minute succeeds in a later attempt.
 *
 * @throws WebhookVerificationError malformed_secret; the errors of the function while no secret is cached
 */
export async function anySecretMatches<Match, Context>(
  secret: SecretSource<Context>,
  context: Context,
  nowMs: number,
  matches: (secrets: readonly string[]) => Promise<Match>,
): Promise<Match> {
  const fetch = () => secret(context)
  const memory = remembered.get(secret) ?? { secrets: [], fetchedAtMs: nowMs, refetchedAtMs: -minRefetchMs }
  remembered.set(secret, memory)
  // Absolute, so that a clock that was set back cannot stop the refresh.
  const passed = (sinceMs: number, spanMs: number) => Math.abs(nowMs - sinceMs) >= spanMs
  if (!memory.secrets.length || passed(memory.fetchedAtMs, maxAgeMs)) await fetchSecrets(fetch, memory, nowMs)
  const tried = memory.secrets
  const matched = await matches(tried)
  if (matched) return matched
  if (memory.secrets === tried && passed(memory.refetchedAtMs, minRefetchMs)) {
    memory.refetchedAtMs = nowMs
    await fetchSecrets(fetch, memory, nowMs)
  }
  await memory.pending
  return memory.secrets === tried ? matched : matches(memory.secrets)
}
