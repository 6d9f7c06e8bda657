import type { Stripe } from 'stripe'
import type { ProviderEvent, SignatureFailure } from '#billing/payments/provider.ts'
import { at } from './records.ts'

/** How far the time of a signature may be from the machine's clock. */
const toleranceSeconds = 300

function partsOf(header: string): { time: number; signatures: number } {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const [, text = ''] = parts.find(([name]) => name === 't') ?? []
  const time = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  return { time, signatures: parts.filter(([name, value]) => name === 'v1' && value).length }
}

/** Verifies the signature of an event by the library, and its time in both directions; null when it is right. */
function faultOf(
  { stripe, webhookSecrets }: { stripe: Stripe; webhookSecrets: readonly string[] },
  bytes: Uint8Array,
  header: string | undefined,
): SignatureFailure | null {
  if (header === undefined || header.trim() === '') return 'missing'
  const { time, signatures } = partsOf(header)
  if (Number.isNaN(time) || signatures === 0) return 'malformed'
  const isRight = webhookSecrets.some((secret) => {
    try {
      // Without a tolerance only the signature counts.
      return stripe.webhooks.signature?.verifyHeader(bytes, header, secret, 0) ?? false
    } catch {
      return false
    }
  })
  if (!isRight) return 'mismatch'
  return Math.abs(Math.floor(Date.now() / 1000) - time) > toleranceSeconds ? 'expired' : null
}

function textOrNull(value: unknown): string | null {
  if (typeof value === 'string') return value
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' ? id : null
}

function toEvent(parsed: unknown): ProviderEvent | 'no_event' {
  const event = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Record<string, unknown>
  const { id, type, created, livemode, data } = event
  if (typeof id !== 'string' || typeof type !== 'string') return 'no_event'
  const object = ((data as { object?: unknown } | undefined)?.object ?? {}) as Record<string, unknown>
  return {
    id,
    type,
    createdAt: at(typeof created === 'number' ? created : 0),
    livemode: livemode === true,
    customerId: object.object === 'customer' ? textOrNull(object.id) : textOrNull(object.customer),
    chargeId: textOrNull(object.charge),
  }
}

/** Verifies and reads an event. */
export function readEvent(
  verifier: { stripe: Stripe; webhookSecrets: readonly string[] },
  bytes: Uint8Array,
  header: string | undefined,
): ProviderEvent | SignatureFailure | 'not_json' | 'no_event' {
  const fault = faultOf(verifier, bytes, header)
  if (fault !== null) return fault
  try {
    return toEvent(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return 'not_json'
  }
}
