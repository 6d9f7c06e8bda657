import type { Stripe } from 'stripe'
import {
  declineCodes,
  type Provider,
  ProviderError,
  type ProviderFailure,
  type ProviderOptions,
} from '#billing/payments/provider.ts'

/** The library with what watches its calls. */
export interface Sdk {
  readonly stripe: Stripe
  readonly options: ProviderOptions
  /** Runs one function of the provider: its errors become a {@link ProviderError}, and it is counted. */
  run<T>(name: keyof Provider, fn: () => Promise<T>): Promise<T>
}

/** What is read of an error of the library, whatever its class. */
interface SdkError {
  readonly type?: string
  readonly code?: string
  readonly decline_code?: string
  readonly statusCode?: number
  readonly detail?: unknown
}

/** The connection was not made, so nothing was done. */
const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'])

function causeCode(error: unknown, depth = 0): string {
  if (typeof error !== 'object' || error === null || depth > 4) return ''
  const { code, cause, detail } = error as { code?: unknown; cause?: unknown; detail?: unknown }
  if (typeof code === 'string' && notConnected.has(code)) return code
  return causeCode(cause, depth + 1) || causeCode(detail, depth + 1)
}

/** Returns one of the reasons that are passed on. */
export function knownDecline(code: string | null | undefined): string {
  return declineCodes.find((known) => known === code) ?? 'generic_decline'
}

/** Returns what a thrown error means; null for one that is none of the library's. */
export function failureOf(error: unknown): ProviderFailure | null {
  if (error instanceof ProviderError) return error.failure
  const { type, code, decline_code: decline } = error as SdkError
  switch (type) {
    case 'StripeConnectionError':
      return { kind: 'unavailable', outcome: causeCode(error) === '' ? 'unknown' : 'not_done', misconfigured: false }
    case 'StripeAPIError':
      return { kind: 'unavailable', outcome: 'unknown', misconfigured: false }
    case 'StripeRateLimitError':
      return { kind: 'unavailable', outcome: 'not_done', misconfigured: false }
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
    case 'StripeIdempotencyError':
      return { kind: 'unavailable', outcome: 'not_done', misconfigured: true }
    case 'StripeCardError': {
      const asks = code === 'authentication_required' || code === 'subscription_payment_intent_requires_action'
      if (asks) return { kind: 'card', reason: 'authentication_required', declineCode: null }
      return { kind: 'card', reason: 'card_declined', declineCode: knownDecline(decline) }
    }
    case 'StripeInvalidRequestError':
      return { kind: code === 'resource_missing' ? 'missing' : 'refused' }
    default:
      return null
  }
}

/** Joins the library and what watches it. */
export function watchedSdk(stripe: Stripe, options: ProviderOptions): Sdk {
  return {
    stripe,
    options,
    async run(name, fn) {
      const startedMs = performance.now()
      const ended = (outcome: 'ok' | ProviderFailure['kind'], error: string | null) =>
        options.observe?.({ name, outcome, seconds: (performance.now() - startedMs) / 1000, error })
      try {
        const result = await fn()
        ended('ok', null)
        return result
      } catch (error) {
        const failure = failureOf(error)
        if (failure === null) throw error
        ended(failure.kind, (error as SdkError).type ?? failure.kind)
        throw error instanceof ProviderError ? error : new ProviderError(name, failure, { cause: causeOf(error) })
      }
    },
  }
}

/** What may be logged of an error of the library: its kind, never its message, which may quote what was sent. */
function causeOf(error: unknown): Error {
  const { type, code, statusCode } = error as SdkError
  return new Error([type, code, statusCode].filter((part) => part !== undefined).join(' '))
}

/** Whether an error says that what was named is gone. */
export function isMissing(error: unknown): boolean {
  return failureOf(error)?.kind === 'missing'
}
