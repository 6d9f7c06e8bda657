import { formatMoney } from '@msgctl/contract'
import type { Placement, Said } from './draft.ts'

/** Returns the words to a customer whose order is placed. */
export function sayPlaced(number: string, { total, currency }: Placement): Said[] {
  return [{ text: 'placed', values: { number, total: formatMoney(total, currency) } }]
}

/** Returns the words to an order phone about what was ordered. */
export function sayNewOrder(number: string, phone: string, placement: Placement): Said[] {
  const { lines, deliveryFee, total, currency, name, address, note } = placement
  const shown = phone.endsWith('@lid') ? phone : `+${phone}`
  return [
    { text: 'newOrder', values: { number, phone: shown } },
    ...lines.map(({ name, price, quantity }) => ({
      words: `${quantity} x ${name} - ${formatMoney(price * quantity, currency)}`,
    })),
    ...(deliveryFee > 0 ? [{ text: 'delivery', values: { amount: formatMoney(deliveryFee, currency) } } as const] : []),
    { text: 'total', values: { amount: formatMoney(total, currency) } },
    ...[name, address, note].filter((value) => value !== null).map((words) => ({ words })),
  ]
}
