import { summaryHash, toPlacement } from '#conversations/bots/orders/cart.ts'
import { type Catalogue, type CatalogueProduct, type Draft, emptyDraft } from '#conversations/bots/orders/draft.ts'
import { moveOrder } from '#conversations/bots/orders/order-machine.ts'
import { readIntent } from '#conversations/bots/orders/read-intent.ts'
import { en } from '#conversations/bots/texts/en.ts'

/** What a run of random conversations came to. */
export interface RandomRun {
  readonly orders: number
  readonly turns: number
}

const texts = [
  ...['menu', 'next', 'cart', 'order', 'yes', 'yes', 'yes', 'no', 'cancel', '1', '2', '3', '4', '99', '0', '12'],
  ...[
    'remove 1',
    'remove tea',
    'without cake',
    'tea',
    'two cake',
    '3 green tea',
    'Jane Doe',
    '1 Main Street',
    'hello?',
  ],
]
const maxTurns = 40
/** Customers of one shop write in random order. */
const customers = 3

/** Returns numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

interface Shop {
  catalogue: Catalogue
  readonly numbers: number[]
}

function newShop(random: () => number): Shop {
  const stock = () => (random() < 0.3 ? null : Math.floor(random() * 6))
  const products = ['Tea', 'Green Tea', 'Cake', 'Bread'].map((name, at) => ({
    ...{ id: `p${at}`, name, price: Math.floor(random() * 1000), stock: stock(), available: random() < 0.9 },
  }))
  const asks = { name: random() < 0.5, address: random() < 0.7, note: random() < 0.3 }
  const minimumOrder = random() < 0.5 ? 0 : 500
  return { catalogue: { currency: 'EUR', deliveryFee: 200, minimumOrder, asks, products }, numbers: [] }
}

/** Changes a price, the stock or the availability of a random product, as the owner of a shop does. */
function changeShop(shop: Shop, random: () => number): void {
  const at = Math.floor(random() * shop.catalogue.products.length)
  const change = (product: CatalogueProduct): CatalogueProduct => {
    if (random() < 0.5) return { ...product, price: Math.floor(random() * 1000) }
    return random() < 0.5 ? { ...product, available: !product.available } : { ...product, stock: 2 }
  }
  const products = shop.catalogue.products.map((product, place) => (place === at ? change(product) : product))
  shop.catalogue = { ...shop.catalogue, products }
}

function require(condition: boolean, promise: string): void {
  if (!condition) throw new Error(`a random conversation broke a promise: ${promise}`)
}

/**
 * Runs conversations of three customers each with one shop, whose owner changes it. Throws when an order is placed
 * without a yes to its own summary, when its total is not its lines with the fee, when the stock falls below zero, or
 * when order numbers repeat or have a hole.
 */
export function runRandomConversations(count: number, seed: number): RandomRun {
  const random = randomFrom(seed)
  let orders = 0
  let turns = 0
  for (let done = 0; done < count; done += customers) {
    const shop = newShop(random)
    const drafts: Draft[] = Array.from({ length: customers }, () => emptyDraft)
    for (let turn = 0; turn < maxTurns * customers; turn++) {
      const customer = Math.floor(random() * customers)
      const text = texts[Math.floor(random() * texts.length)] ?? ''
      turns += 1
      const after = say(shop, drafts[customer] ?? emptyDraft, text)
      if (after.draft !== drafts[customer]) drafts[customer] = after.draft
      if (after.placed) orders += 1
      if (random() < 0.02) changeShop(shop, random)
    }
    const expected = shop.numbers.map((_, at) => 1001 + at)
    require(JSON.stringify(shop.numbers) === JSON.stringify(expected), 'numbers are unique and without holes')
  }
  return { orders, turns }
}

function say(shop: Shop, draft: Draft, text: string): { draft: Draft; placed: boolean } {
  const intent = readIntent(text, draft, shop.catalogue, en.words)
  if (!intent) return { draft, placed: false }
  const { draft: after, place } = moveOrder(draft, intent, shop.catalogue)
  if (!place) return { draft: after, placed: false }
  require(intent.is === 'yes' && draft.step === 'confirming', 'an order needs a yes to a summary')
  require(summaryHash(place) === draft.summary, 'an order is what its own summary says')
  require(summaryHash(toPlacement(draft, shop.catalogue)) === draft.summary, 'the summary still holds')
  const goods = place.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
  require(place.total === goods + place.deliveryFee, 'the total is the lines and the fee')
  require(goods >= shop.catalogue.minimumOrder && place.lines.length > 0, 'the minimum is reached')
  takeStock(shop, place.lines)
  shop.numbers.push(1001 + shop.numbers.length)
  return { draft: after, placed: true }
}

function takeStock(shop: Shop, lines: readonly { productId: string; quantity: number }[]): void {
  const products = shop.catalogue.products.map((product) => {
    const quantity = lines.find(({ productId }) => productId === product.id)?.quantity ?? 0
    if (quantity > 0) require(product.available, 'what is ordered is available')
    if (product.stock === null) return product
    require(product.stock >= quantity, 'the stock never falls below zero')
    return { ...product, stock: product.stock - quantity }
  })
  shop.catalogue = { ...shop.catalogue, products }
}
