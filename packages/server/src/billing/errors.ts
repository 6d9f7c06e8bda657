import type { ChangeRefusal, Product } from '@msgctl/contract'
import { ApiError, apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import type { Payments } from './payments/payments.ts'
import { declineCodes, ProviderError } from './payments/provider.ts'
import type { PaymentFailure, PlanItem } from './payments/provider-records.ts'

/** Returns what payments are taken with. Throws PAYMENT_NOT_CONFIGURED where the service takes none. */
export function requirePayments({ payments }: Pick<Services, 'payments'>): Payments {
  if (payments) return payments
  throw apiError('PAYMENT_NOT_CONFIGURED', 'This service takes no payments. Its operator grants products.')
}

/** Services of a process that takes payments. */
export type PaidServices = Services & { readonly payments: Payments }

/** Returns the services of a process that takes payments. Throws PAYMENT_NOT_CONFIGURED. */
export function withPayments(services: Services): PaidServices {
  return { ...services, payments: requirePayments(services) }
}

const refusals: Readonly<Record<ChangeRefusal, string>> = {
  already_subscribed: 'There is a subscription already. Change its plan instead.',
  payment_open: 'The last payment failed and is still open. Pay it first.',
  ending: 'The plan is set to stop. Resume it first.',
  granted: 'The operator granted this already, so leave it out.',
  not_for_sale: 'This is not for sale, so leave it out.',
  no_capped_product: 'Extra numbers need the product Developer or Connect.',
  card_declined: 'The card was declined. Nothing was changed; pay the invoice, and the change is made.',
  authentication_required:
    'The bank wants the payment confirmed. Nothing was changed; confirm it, and the change is made.',
  in_progress: 'Another change is under way. Try again in some seconds.',
  provider: 'The payment provider refused this. Write to the operator of the service.',
}

interface RefusalDetails {
  readonly products?: Product[]
  readonly payUrl?: string | null
  readonly expiresAt?: string
  readonly declineCode?: (typeof declineCodes)[number]
}

/** Returns the error of a change that is refused. */
export function changeRefused(reason: ChangeRefusal, details: RefusalDetails = {}): ApiError {
  const { products } = details
  const message = products ? refusals[reason].replace(/\.$/, `: ${products.join(', ')}.`) : refusals[reason]
  return apiError('PAYMENT_CHANGE_REFUSED', message, { reason, ...details })
}

/** Returns the error of a call that waited too long for another one. */
export function inProgress(): ApiError {
  return changeRefused('in_progress')
}

/** Returns whether an error says that another call has the account. */
export function isInProgress(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 'PAYMENT_CHANGE_REFUSED') return false
  return (error.details as { reason?: ChangeRefusal } | undefined)?.reason === 'in_progress'
}

/** Returns the error of a change without a subscription. */
export function noSubscription(): ApiError {
  return apiError('PAYMENT_NO_SUBSCRIPTION', 'There is no subscription. Open a checkout first.')
}

/** Returns the error of a plan that is not offered for a period. */
export function periodUnavailable(items: readonly PlanItem[]): ApiError {
  const named = items.map((item) => item.replace('_', ' ')).join(', ')
  const message = `Not offered for this period: ${named}. Choose another period or other products.`
  return apiError('PAYMENT_PERIOD_UNAVAILABLE', message, { products: [...items] })
}

/** Returns the error of a provider that did not respond. */
function unavailable(outcome: 'not_done' | 'unknown'): ApiError {
  const message =
    outcome === 'unknown'
      ? 'The payment provider did not respond. Try again; repeating is safe.'
      : 'The payment provider cannot be used now. Nothing was changed; try again later.'
  return apiError('PAYMENT_UNAVAILABLE', message, { outcome })
}

/** Returns the error that a caller is shown for a failed call of the provider. Others stay as they are. */
export function toApiError(thrown: unknown): unknown {
  if (!(thrown instanceof ProviderError)) return thrown
  const { failure } = thrown
  switch (failure.kind) {
    case 'unavailable':
      return unavailable(failure.outcome)
    case 'card':
      return changeRefused(failure.reason, declineOf(failure.reason, failure.declineCode))
    case 'no_price': {
      const products = failure.items.filter((item) => item !== 'extra_numbers')
      return products.length > 0 ? changeRefused('not_for_sale', { products }) : changeRefused('provider')
    }
    default:
      return changeRefused('provider')
  }
}

/** Returns the details of a declined card. */
export function declineOf(reason: PaymentFailure, code: string | null): RefusalDetails {
  if (reason !== 'card_declined') return {}
  return { declineCode: declineCodes.find((known) => known === code) ?? 'generic_decline' }
}

/** Returns whether a failed call certainly did nothing. */
export function isCertainlyNotDone(thrown: unknown): boolean {
  if (thrown instanceof ApiError) return true
  if (!(thrown instanceof ProviderError)) return false
  return thrown.failure.kind !== 'unavailable' || thrown.failure.outcome === 'not_done'
}

/** Returns whether a provider did not respond, so that what was wanted has to be tried again. */
export function isUnavailable(error: ProviderError): boolean {
  return error.failure.kind === 'unavailable'
}
