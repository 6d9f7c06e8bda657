import { type Column, defineColumns } from '../../output/columns.ts'

/** Returns a column that shows an amount by its text, in every format. */
export function moneyColumn(field: string, title: string): Column {
  return { field: `${field}.text`, title }
}

/** The columns of what the organization pays for. */
export const billingColumns = defineColumns(
  'status, mode, products, grantedProducts as Granted, extraNumbers, period',
  moneyColumn('amount', 'Amount before tax'),
  moneyColumn('credit', 'Credit'),
  'currentPeriodEnd as Period ends, endsAt as Plan ends, graceEndsAt as Works until',
  moneyColumn('openInvoice.total', 'To pay'),
  { field: 'openInvoice.payUrl', title: 'Pay at', whole: true },
  { field: 'pendingChange.payUrl', title: 'Pay the change at', whole: true },
  { field: 'checkout.url', title: 'Checkout', whole: true },
  'card.brand as Card, card.last4 as Card ends in, country, countryLocked as Country is fixed',
)
