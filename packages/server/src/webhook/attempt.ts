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
  const request = await signedRequest(services, delivery, secrets)
  if (!request) return { status: null, error: 'The request could not be made ready on the server.' }
  try {
    const answer = await fetch({
      url: delivery.url,
      method: 'POST',
      ...request,
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

/** What is posted; null when it could not be made, of which the organization's log must tell like of any failure. */
async function signedRequest(
  services: Services,
  delivery: ClaimedDelivery,
  secrets: readonly string[],
): Promise<{ headers: Record<string, string>; body: string } | null> {
  const { serviceName } = services.config
  try {
    const body = deliveryBody(delivery)
    const signedAtSeconds = signingTimeSeconds()
    return { body, headers: await deliveryHeaders(delivery, { body, serviceName, secrets, signedAtSeconds }) }
  } catch (error) {
    const { id: deliveryId, organizationId } = delivery
    services.log.error({ err: error, deliveryId, organizationId }, 'a webhook request could not be made ready')
    return null
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
