import { type Contract, missingProducts, type Product, type Result } from '@msgctl/contract'
import type { OverviewRow } from './store.ts'

/** What decides which figures a caller sees. */
export interface Viewer {
  readonly products: ReadonlySet<Product>
  readonly kind: 'account_key' | 'number_key' | 'user'
}

type Overview = Result<Contract['overview']['get']>

/** Returns the overview as a caller sees it: what the products do not unlock is null. */
export function overviewView(row: OverviewRow, { products, kind }: Viewer): Overview {
  const has = (feature: 'campaigns' | 'inbox' | 'webhooks') =>
    missingProducts(feature, products, kind !== 'user').length === 0
  return {
    at: row.at.toISOString(),
    messages: row.messages,
    numbers: [...row.numbers],
    campaigns: has('campaigns') ? [...row.campaigns] : null,
    unread: has('inbox') ? row.unread : null,
    deliveries: has('webhooks') ? row.deliveries : null,
    positions: row.positions,
  }
}
