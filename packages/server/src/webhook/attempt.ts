import type { PublicFetch } from '../public-address/fetch.ts'
import type { Services } from '../services.ts'
import type { ClaimedDelivery, DeliveryOutcome } from './delivery-store.ts'
import { droppedWithoutUrl, outcomeOf } from './outcome.ts'
import { deliveryBody, deliveryHeaders } from './request.ts'
import { openSigningSecret } from './secret.ts'
import { signingTimeSeconds } from './signing-time.ts'

/** Makes one attempt of a claimed delivery, within `deadlineMs`. Never throws. */
export async function attempt(
  services: Services,
  fetch: PublicFetch,
  delivery: ClaimedDelivery,
  deadlineMs: number,
): Promise<{ outcome: DeliveryOutcome; answeredInMs: number | null }> {
  const { url } = delivery
  if (url === null) return { outcome: droppedWithoutUrl(delivery, services.clock.now()), answeredInMs: 0 }
  const began = performance.now()
  const answer = await post(services, fetch, { ...delivery, url }, deadlineMs)
  const durationMs = Math.round(performance.now() - began)
  const outcome = outcomeOf(delivery, { at: services.clock.now(), durationMs, ...answer }, Math.random())
  return { outcome, answeredInMs: answer.status === null ? null : durationMs }
}

async function post(
  services: Services,
  fetch: PublicFetch,
  delivery: ClaimedDelivery & { readonly url: string },
  deadlineMs: number,
): Promise<{ status: number | null; error?: string }> {
  const secrets = signingSecrets(services, delivery)
  if (!secrets) return { status: null, error: 'The signing secret could not be read on the server.' }
  const body = deliveryBody(delivery)
  const { serviceName } = services.config
  const headers = await deliveryHeaders(delivery, { body, serviceName, secrets, signedAtSeconds: signingTimeSeconds() })
  try {
    const answer = await fetch({
      url: delivery.url,
      method: 'POST',
      headers,
      body,
      deadlineMs,
      maxBytes: 0,
      maxRedirects: 0,
    })
    await answer.discard()
    return { status: answer.status }
  } catch (error) {
    services.log.debug({ err: error, deliveryId: delivery.id }, 'a webhook attempt had no answer')
    const within = `within ${Math.round(deadlineMs / 1000)} seconds`
    return {
      status: null,
      error: `The receiver could not be reached at a public address, or did not answer ${within}.`,
    }
  }
}

/** The secrets that sign now, the newest first; none without keys; null when the server lacks the key of one. */
function signingSecrets(services: Services, delivery: ClaimedDelivery): string[] | null {
  const { organizationId, secret, previousSecret } = delivery
  try {
    const opened = [secret, previousSecret].map((sealed) => openSigningSecret(services.secrets, organizationId, sealed))
    return opened.filter((text) => text !== null)
  } catch (error) {
    services.log.error({ err: error, organizationId }, 'a signing secret could not be read')
    return null
  }
}
