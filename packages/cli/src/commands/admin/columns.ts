import { type Column, defineColumns } from '../../output/columns.ts'
import { moneyColumn } from '../billing/columns.ts'

interface HeldProduct {
  readonly product: string
  readonly state: string
  readonly source: string
}

function shownProducts(value: unknown): string {
  const products = value as readonly HeldProduct[]
  return (
    products.map(({ product, state, source }) => `${product} ${state === 'paused' ? state : source}`).join(', ') || '-'
  )
}

const productColumn: Column = { field: 'products', title: 'Products', show: shownProducts, long: true }

/** The columns of a list of organizations. */
export const listColumns = defineColumns(
  'id, name, owner.email as Owner, state, billing.status as Plan',
  productColumn,
  { field: 'numbers.used', title: 'Numbers', spare: true },
  { field: 'createdAt', title: 'Founded', spare: true },
)

/** The columns of one organization. */
export const recordColumns = defineColumns(
  'id, name, owner.email as Owner, state, platformAdmin as Administers the platform, protected, members, country',
  productColumn,
  'trialEndsAt as Trial ends, numbers.used as Numbers, numbers.included as Numbers included, numbers.extra as Extra',
  'numbers.extraExpiresAt as Extra until, ai.usedUsd as AI used (USD), ai.limitUsd as AI allowance (USD)',
  'billing.status as Plan, billing.period as Paid every',
  moneyColumn('billing.amount', 'Amount before tax'),
  'billing.currentPeriodEnd as Period ends, createdAt as Founded',
)

/** The columns that only the details of one organization have. */
export const detailColumns: readonly Column[] = [
  ...recordColumns,
  ...defineColumns('messagesLast30Days as Messages of 30 days, deactivatedReason as Why it is deactivated'),
  { field: 'customerUrl', title: 'At the provider', whole: true },
]
