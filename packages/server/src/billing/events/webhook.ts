import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { wantRefresh } from '#billing/accounts/account-store.ts'
import { requirePayments } from '#billing/errors.ts'
import type { ProviderEvent, SignatureFailure } from '#billing/payments/provider.ts'
import { subscribedEvents } from '#billing/payments/subscribed-events.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError, invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { insertEvent, settleEvent } from './event-store.ts'

/** The kinds of events after which a customer is read. Others are ignored. */
const eventTypes: ReadonlySet<string> = new Set(subscribedEvents)

const reasons: Readonly<Record<SignatureFailure, string>> = {
  missing: 'Send the signature in the header Stripe-Signature.',
  malformed: 'The header Stripe-Signature must be like t=1700000000,v1=<signature>.',
  mismatch: 'The signature is by another secret, or of other bytes. Compare the secret of the endpoint.',
  expired: 'The signature is more than 300 s old or ahead. Send the event again, and check the clock.',
}

/**
 * Takes an event of the provider: a doorbell. It is stored by its id and causes a refresh of its customer; nothing in
 * it is believed but whom it is about.
 */
export async function takeEvent(
  { raw }: Request<Contract['payments']['webhook']>,
  services: Services,
): Promise<{ received: true }> {
  const { provider, mode } = requirePayments(services)
  const { metrics } = services
  const event = provider.readEvent(raw.bytes, raw.header('stripe-signature'))
  if (typeof event === 'string') {
    metrics.paymentEvent('refused')
    throw refused(event)
  }
  const isOwn = eventTypes.has(event.type) && event.livemode === (mode === 'live')
  metrics.paymentEvent(isOwn ? await store(services, event) : 'ignored')
  return { received: true }
}

function refused(reason: SignatureFailure | 'not_json' | 'no_event') {
  if (reason === 'not_json') return apiError('INVALID_JSON', 'The body is not JSON.')
  if (reason === 'no_event') return invalidField('id', 'and type are needed')
  return apiError('PAYMENT_SIGNATURE_INVALID', reasons[reason], { reason })
}

async function store({ db }: Services, event: ProviderEvent): Promise<'stored' | 'repeated' | 'ignored'> {
  const { id, type, customerId, chargeId, createdAt: providerAt } = event
  const outcome = await transaction(db, async (trx) => {
    if (!(await insertEvent(trx, { id, type, customerId, chargeId, providerAt }))) return 'repeated'
    if (customerId === null && chargeId !== null) return 'stored'
    const organizationId = customerId === null ? undefined : await wantRefresh(trx, customerId)
    if (organizationId !== undefined) return 'stored'
    await settleEvent(trx, id, null, true)
    return 'ignored'
  })
  crashPoint('billing.event-stored')
  return outcome
}
