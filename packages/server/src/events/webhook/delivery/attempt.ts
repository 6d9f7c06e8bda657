import { PublicFetchError } from '@msgctl/network/public-address/failure'
import { openPublicPost } from '@msgctl/network/public-address/post'
import type { Target } from '#events/webhook/configuration/store.ts'
import { cachedSecretOpener } from '#events/webhook/signing/secret.ts'
import { deliveryBody, deliveryHeaders, signingTimeSeconds } from '#events/webhook/signing/signature.ts'
import type { Services } from '#services.ts'
import type { ClaimedDelivery, DeliveryOutcome } from './delivery-store.ts'
import { droppedWithoutUrl, toOutcome } from './outcome.ts'
import { logUnanswered } from './unanswered.ts'

/** Where an attempt goes, and the encrypted secrets that sign it. Without an address the delivery is dropped. */
export type AttemptTarget = Pick<Target, 'url' | 'secret' | 'previousSecret'>

/** Makes the attempts of one process. */
export interface Attempts {
  /** Makes one attempt of a claimed delivery. Never throws. `answeredInMs` is null without a response. */
  make(
    delivery: ClaimedDelivery,
    target: AttemptTarget,
  ): Promise<{ outcome: DeliveryOutcome; answeredInMs: number | null }>
  /** Closes every connection. */
  close(): Promise<void>
}

interface Posted {
  readonly status: number | null
  readonly error: string | null
  /** The beginning of the body of a refusal. */
  readonly response?: string
}

type Request = { readonly headers: string[]; readonly body: string }

/** Opens the connections and caches of attempts. Each attempt has `deadlineMs` for its response. */
export function openAttempts(services: Services, deadlineMs: number): Attempts {
  const { clock, config, log } = services
  const post = openPublicPost(config.allowPrivateTargets)
  const noteUnanswered = logUnanswered(services)
  const openSecret = cachedSecretOpener(services.secrets)

  /** Returns the secrets that sign now, the newest first; none without keys; null if the key of one is missing. */
  function openSecrets(organizationId: string, { secret, previousSecret }: AttemptTarget): string[] | null {
    try {
      return [secret, previousSecret]
        .map((sealed) => openSecret(organizationId, sealed))
        .filter((text) => text !== null)
    } catch (error) {
      log.error({ event: 'delivery_secret_unreadable', err: error, organizationId }, 'failed to decrypt signing secret')
      return null
    }
  }

  /** Returns the request; null if it could not be built. The delivery's log reports this like any failed attempt. */
  function buildRequest(delivery: ClaimedDelivery, secrets: readonly string[]): Request | null {
    const { serviceName } = config
    try {
      const body = deliveryBody(delivery)
      const signedAtSeconds = signingTimeSeconds()
      return { body, headers: deliveryHeaders(delivery, { body, serviceName, secrets, signedAtSeconds }) }
    } catch (error) {
      const { id: deliveryId, organizationId } = delivery
      log.error(
        { event: 'webhook_request_failed', err: error, deliveryId, organizationId },
        'failed to build webhook request',
      )
      return null
    }
  }

  async function send(delivery: ClaimedDelivery, url: string, secrets: readonly string[] | null): Promise<Posted> {
    if (!secrets) return { status: null, error: 'The server could not decrypt the signing secret.' }
    const request = buildRequest(delivery, secrets)
    if (!request) return { status: null, error: 'The server could not build the request.' }
    try {
      const { headers, body } = request
      const { status, excerpt } = await post({ url, headers, body, deadlineMs })
      return { status, error: null, response: toPlainText(excerpt) }
    } catch (error) {
      // The organization is not given the cause: it would show what is behind an address inside of the network. Whether
      // the time was up shows by the duration of the attempt as well.
      noteUnanswered(delivery, error)
      const isLate = error instanceof PublicFetchError && error.reason === 'timeout'
      const message = isLate
        ? `The receiver did not respond within ${Math.round(deadlineMs / 1000)} seconds.`
        : 'The receiver could not be reached at a public address, or ended the connection without a response.'
      return { status: null, error: message }
    }
  }

  return {
    async make(delivery, target) {
      const { url } = target
      if (url === null) return { outcome: droppedWithoutUrl(delivery, clock.now()), answeredInMs: 0 }
      const began = performance.now()
      const { status, error, response } = await send(delivery, url, openSecrets(delivery.organizationId, target))
      const durationMs = Math.round(performance.now() - began)
      const outcome = toOutcome(
        delivery,
        { at: clock.now(), status, error, durationMs, response: response ?? null },
        Math.random(),
      )
      return { outcome, answeredInMs: status === null ? null : durationMs }
    },
    close: post.close,
  }
}

/** Control characters, also those of terminals in the range C1, and what makes text run from right to left. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
const unprintable = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/**
 * Returns the beginning of a receiver's response as text that can be stored and shown: UTF-8 with each broken character
 * replaced, without control characters.
 */
export function toPlainText(bytes: Uint8Array): string {
  if (bytes.length === 0) return ''
  const text = new TextDecoder().decode(bytes).replaceAll(unprintable, '')
  // The last character may be cut.
  return text.replace(/(?<!\ufffd)\ufffd+$/, '').trim()
}
