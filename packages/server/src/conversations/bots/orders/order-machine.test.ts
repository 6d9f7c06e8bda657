import { describe, expect, it } from 'vitest'
import { en } from '#conversations/bots/texts/en.ts'
import { runRandomConversations } from '#testing/features/random-conversations.ts'
import type { Catalogue, Draft, Intent } from './draft.ts'
import { emptyDraft } from './draft.ts'
import { moveOrder } from './order-machine.ts'
import { readIntent } from './read-intent.ts'

const catalogue: Catalogue = {
  currency: 'EUR',
  deliveryFee: 250,
  minimumOrder: 1000,
  asks: { name: true, address: true, note: true },
  products: [
    { id: 'margherita', name: 'Pizza Margherita', price: 950, stock: 3, available: true },
    { id: 'funghi', name: 'Pizza Funghi', price: 1100, stock: null, available: true },
    { id: 'cola', name: 'Cola', price: 300, stock: 0, available: true },
    { id: 'secret', name: 'Secret', price: 100, stock: null, available: false },
  ],
}

/** What one text is read as, for a draft. */
const read = (text: string, draft: Partial<Draft> = {}) =>
  readIntent(text, { ...emptyDraft, ...draft }, catalogue, en.words)

describe('the intent of a text', () => {
  const inCart: Partial<Draft> = { step: 'cart', lines: [{ productId: 'funghi', quantity: 1 }] }
  it.each<[string, Partial<Draft>, Intent | null]>([
    ['menu', {}, { is: 'menu' }],
    ['What do you sell?', {}, { is: 'menu' }],
    ['2 margherita please', {}, { is: 'item', productIds: ['margherita'], quantity: 2 }],
    ["I'd like a Pizza Funghi", {}, { is: 'item', productIds: ['funghi'], quantity: null }],
    ['pizza', {}, { is: 'item', productIds: ['margherita', 'funghi'], quantity: null }],
    ['three pizzas margherita', {}, { is: 'item', productIds: ['margherita'], quantity: 3 }],
    ['secret', {}, null],
    ['is the pizza good?', {}, null],
    ['yes', {}, null],
    ['2', {}, null],
    ['yes', inCart, { is: 'yes' }],
    ['٢', { ...inCart, step: 'quantity', pick: 'funghi' }, { is: 'number', number: 2 }],
    ['two please', { ...inCart, step: 'quantity', pick: 'funghi' }, { is: 'number', number: 2 }],
    ['remove 1', inCart, { is: 'remove', line: 1, productIds: [] }],
    ['without funghi', inCart, { is: 'remove', line: null, productIds: ['funghi'] }],
    ['order', inCart, { is: 'checkout' }],
    ['That is all', inCart, { is: 'checkout' }],
    ['Never mind', inCart, { is: 'cancel' }],
    ['order', { ...inCart, step: 'name' }, { is: 'text', text: 'order' }],
    ['when do you open', inCart, null],
  ])('of %j', (text, draft, intent) => {
    expect(read(text, draft)).toEqual(intent)
  })
})

/** Runs texts through the machine, as a conversation does. */
function talk(...texts: string[]) {
  let draft: Draft = emptyDraft
  let last: ReturnType<typeof moveOrder> | undefined
  for (const text of texts) {
    const intent = readIntent(text, draft, catalogue, en.words)
    if (!intent) continue
    last = moveOrder(draft, intent, catalogue)
    draft = last.draft
  }
  return { draft, says: last?.says ?? [], place: last?.place }
}

const checkout = ['2 margherita', 'order', 'Jane', '1 Main Street', 'no'] as const

describe('the order machine', () => {
  it('places exactly what was confirmed', () => {
    expect(talk(...checkout).draft.step).toBe('confirming')
    const { place, draft } = talk(...checkout, 'yes')
    expect(place).toEqual({
      lines: [{ productId: 'margherita', name: 'Pizza Margherita', price: 950, quantity: 2 }],
      ...{ deliveryFee: 250, total: 2150, currency: 'EUR', name: 'Jane', address: '1 Main Street', note: null },
    })
    expect(draft).toEqual({ ...emptyDraft, name: 'Jane', address: '1 Main Street' })
  })

  it('says the new summary when something changed since', () => {
    const { draft } = talk(...checkout)
    const dearer = { ...catalogue, products: catalogue.products.map((product) => ({ ...product, price: 1000 })) }
    const again = moveOrder(draft, { is: 'yes' }, dearer)
    expect(again.place).toBeUndefined()
    expect(again.says[0]).toEqual({ text: 'changed' })
    expect(moveOrder(again.draft, { is: 'yes' }, dearer).place?.total).toBe(2250)
  })

  it('lowers the cart to the stock before it places anything', () => {
    const { draft } = talk(...checkout)
    const scarce = {
      ...catalogue,
      minimumOrder: 0,
      products: catalogue.products.map((product) => ({ ...product, stock: 1 })),
    }
    const again = moveOrder(draft, { is: 'yes' }, scarce)
    expect(again.place).toBeUndefined()
    expect(again.says[0]).toEqual({ text: 'fewLeft', values: { product: 'Pizza Margherita', count: '1' } })
    expect(moveOrder(again.draft, { is: 'yes' }, scarce).place?.lines).toMatchObject([{ quantity: 1 }])
  })

  it('goes back to the cart on no, and empties it on cancel', () => {
    expect(talk(...checkout, 'no').draft.step).toBe('cart')
    expect(talk(...checkout, 'no', 'remove 1').draft.lines).toEqual([])
    expect(talk('2 margherita', 'cancel').draft).toEqual(emptyDraft)
  })

  it('refuses more than there is, and less than the minimum', () => {
    expect(talk('4 margherita').says).toEqual([
      { text: 'fewLeft', values: { product: 'Pizza Margherita', count: '3' } },
    ])
    expect(talk('cola').says).toEqual([{ text: 'soldOut', values: { product: 'Cola' } }])
    expect(talk('1 margherita', 'order').says[0]).toEqual({ text: 'minimum', values: { amount: '10.00 EUR' } })
    expect(talk('margherita', '100').draft.lines).toEqual([])
  })

  it('keeps its promises in random conversations', () => {
    const conversations = process.env.CONVERSATIONS === 'full' ? 100_000 : 1500
    const { orders, turns } = runRandomConversations(conversations, 7)
    expect(turns).toBeGreaterThan(conversations)
    expect(orders).toBeGreaterThan(conversations / 100)
  }, 1_800_000)
})
