import { createHash } from 'node:crypto'
import { formatMoney } from '@msgctl/contract'
import type { Catalogue, CatalogueProduct, Draft, Placement, Said } from './draft.ts'

/** A line of a cart with its product. */
interface CartLine {
  readonly product: CatalogueProduct
  readonly quantity: number
}

/** Returns the lines of a draft whose products can be ordered. */
export function cartLines({ lines }: Draft, { products }: Catalogue): CartLine[] {
  return lines.flatMap(({ productId, quantity }) => {
    const product = products.find(({ id }) => id === productId)
    return product?.available ? [{ product, quantity }] : []
  })
}

/** Returns what the products of a draft cost together. */
export function goodsTotal(draft: Draft, catalogue: Catalogue): number {
  return cartLines(draft, catalogue).reduce((sum, { product, quantity }) => sum + product.price * quantity, 0)
}

/** Returns the cart in words. */
export function sayCart(draft: Draft, catalogue: Catalogue): Said[] {
  const { currency } = catalogue
  return [
    { text: 'cart' },
    ...sayLines(draft, catalogue),
    sayAmount('total', goodsTotal(draft, catalogue), currency),
    { text: 'cartHint' },
  ]
}

function sayLines(draft: Draft, catalogue: Catalogue): Said[] {
  return cartLines(draft, catalogue).map(({ product, quantity }, at) => ({
    words: `${at + 1}. ${quantity} x ${product.name} - ${formatMoney(product.price * quantity, catalogue.currency)}`,
  }))
}

function sayAmount(text: 'total' | 'delivery', amount: number, currency: string): Said {
  return { text, values: { amount: formatMoney(amount, currency) } }
}

/** Returns the complete order in words, with the question whether it is right. */
export function saySummary(draft: Draft, catalogue: Catalogue): Said[] {
  const { currency, deliveryFee } = catalogue
  const placement = toPlacement(draft, catalogue)
  const person = [placement.name, placement.address, placement.note].filter((value) => value !== null)
  return [
    { text: 'summary' },
    ...sayLines(draft, catalogue),
    ...(deliveryFee > 0 ? [sayAmount('delivery', deliveryFee, currency)] : []),
    sayAmount('total', placement.total, currency),
    ...person.map((words) => ({ words })),
    { text: 'cash' },
    { text: 'confirm' },
  ]
}

/** Returns the order that a draft would place now. */
export function toPlacement(draft: Draft, catalogue: Catalogue): Placement {
  const lines = cartLines(draft, catalogue).map(({ product, quantity }) => ({
    productId: product.id,
    name: product.name,
    price: product.price,
    quantity,
  }))
  const { asks, deliveryFee, currency } = catalogue
  return {
    lines,
    deliveryFee,
    total: goodsTotal(draft, catalogue) + deliveryFee,
    currency,
    name: asks.name ? draft.name : null,
    address: asks.address ? draft.address : null,
    note: asks.note ? draft.note : null,
  }
}

/** Returns the hash of everything that a customer confirms. */
export function summaryHash(placement: Placement): string {
  return createHash('sha256').update(JSON.stringify(placement)).digest('base64url')
}

/** A draft without what cannot be delivered, and what was changed, in words. */
export interface FittedDraft {
  readonly draft: Draft
  readonly says: readonly Said[]
}

/** Lowers the quantities of a draft to the stock, and drops products that are sold out or no longer available. */
export function fitToStock(draft: Draft, { products }: Catalogue): FittedDraft {
  const says: Said[] = []
  const lines = draft.lines.flatMap(({ productId, quantity }) => {
    const product = products.find(({ id }) => id === productId)
    const stock = product?.available ? (product.stock ?? quantity) : 0
    if (quantity <= stock) return [{ productId, quantity }]
    if (product) says.push(sayShortage(product, stock))
    return stock > 0 ? [{ productId, quantity: stock }] : []
  })
  const isChanged = lines.length !== draft.lines.length || says.length > 0
  return { draft: isChanged ? { ...draft, lines } : draft, says }
}

/** Returns the words for a product of which there is less than was wanted. */
export function sayShortage({ name }: CatalogueProduct, stock: number): Said {
  if (stock === 0) return { text: 'soldOut', values: { product: name } }
  return { text: 'fewLeft', values: { product: name, count: String(stock) } }
}
