import { openPublicPost } from '../../public-address/post.ts'
import type { Services } from '../../services.ts'
import { deliveryBody, deliveryHeaders } from '../signing/request.ts'
import { rememberingSecrets } from '../signing/secret.ts'
import { signingTimeSeconds } from '../signing/signing-time.ts'
import type { ClaimedDelivery, DeliveryOutcome } from './delivery-store.ts'
import { droppedWithoutUrl, outcomeOf } from './outcome.ts'

/** Makes the attempts of one process. */
export interface Attempts {
  /** Makes one attempt of a claimed delivery. Never throws. `answeredInMs` is null without an answer. */
  make(delivery: ClaimedDelivery): Promise<{ outcome: DeliveryOutcome; answeredInMs: number | null }>
  /** Ends every connection. */
  close(): Promise<void>
}

interface Posted {
  readonly status: number | null
  readonly error: string | null
}

type Request = { readonly headers: string[]; readonly body: string }

/** Opens what attempts need. Each has `deadlineMs` for its answer. */
export function openAttempts(services: Services, deadlineMs: number): Attempts {
  const { clock, config, log } = services
  const post = openPublicPost(config.allowPrivateTargets)
  const openSecret = rememberingSecrets(services.secrets)

  /** The secrets that sign now, the newest first; none without keys; null when the server lacks the key of one. */
  function signingSecrets({ organizationId, secret, previousSecret }: ClaimedDelivery): string[] | null {
    try {
      return [secret, previousSecret]
        .map((sealed) => openSecret(organizationId, sealed))
        .filter((text) => text !== null)
    } catch (error) {
      log.error({ err: error, organizationId }, 'a signing secret could not be read')
      return null
    }
  }

  /** What is posted; null when it could not be made, of which the organization's log must tell like of any failure. */
  function signedRequest(delivery: ClaimedDelivery, secrets: readonly string[]): Request | null {
    const { serviceName } = config
    try {
      const body = deliveryBody(delivery)
      const signedAtSeconds = signingTimeSeconds()
      return { body, headers: deliveryHeaders(delivery, { body, serviceName, secrets, signedAtSeconds }) }
    } catch (error) {
      const { id: deliveryId, organizationId } = delivery
      log.error({ err: error, deliveryId, organizationId }, 'a webhook request could not be made ready')
      return null
    }
  }

  async function send(delivery: ClaimedDelivery, url: string): Promise<Posted> {
    const secrets = signingSecrets(delivery)
    if (!secrets) return { status: null, error: 'The signing secret could not be read on the server.' }
    const request = signedRequest(delivery, secrets)
    if (!request) return { status: null, error: 'The request could not be made ready on the server.' }
    try {
      const { headers, body } = request
      return { status: await post({ url, headers, body, deadlineMs }), error: null }
    } catch (error) {
      log.debug({ err: error, deliveryId: delivery.id }, 'a webhook attempt had no answer')
      const within = `within ${Math.round(deadlineMs / 1000)} seconds`
      const message = `The receiver could not be reached at a public address, or did not answer ${within}.`
      return { status: null, error: message }
    }
  }

  return {
    async make(delivery) {
      const { url } = delivery
      if (url === null) return { outcome: droppedWithoutUrl(delivery, clock.now()), answeredInMs: 0 }
      const began = performance.now()
      const { status, error } = await send(delivery, url)
      const durationMs = Math.round(performance.now() - began)
      const outcome = outcomeOf(delivery, { at: clock.now(), status, error, durationMs }, Math.random())
      return { outcome, answeredInMs: status === null ? null : durationMs }
    },
    close: post.close,
  }
}
