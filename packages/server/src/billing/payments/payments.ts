import type { BillingMode } from '@msgctl/contract'
import type { PriceList } from '#billing/prices/price-list.ts'
import type { Provider } from './provider.ts'

/** How this process takes payments. Null in `Services` where the service takes none. */
export interface Payments {
  readonly mode: BillingMode
  readonly provider: Provider
  readonly prices: PriceList
  readonly graceDays: number
  readonly tax: boolean
  /** How long one call of the provider may take, in seconds. */
  readonly timeoutSeconds: number
  /** Where the pages of the provider lead back. */
  readonly returnUrl: string
}
