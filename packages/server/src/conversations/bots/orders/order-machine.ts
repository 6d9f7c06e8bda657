import { formatMoney, limits } from '@msgctl/contract'
import {
  cartLines,
  fitToStock,
  goodsTotal,
  sayCart,
  sayShortage,
  saySummary,
  summaryHash,
  toPlacement,
} from './cart.ts'
import {
  type Catalogue,
  type CatalogueProduct,
  type Draft,
  emptyDraft,
  type Intent,
  type Placement,
  type Said,
  type Step,
} from './draft.ts'

/** What follows from an intent. `place`: the customer confirmed exactly this order. */
export interface OrderStep {
  readonly draft: Draft
  readonly says: readonly Said[]
  readonly place?: Placement
}

const pageSize = 10
const maxQuantity = limits.bots.quantity
const askSteps = ['name', 'address', 'note'] as const
type AskStep = (typeof askSteps)[number]
const askTexts = { name: 'askName', address: 'askAddress', note: 'askNote' } as const

/** Returns whether a draft is an order under way. */
export function isOrdering({ step, lines }: Draft): boolean {
  return step !== 'idle' || lines.length > 0
}

/** Returns whether the customer was asked for words of their own. */
export function isAsking(step: Step): step is AskStep {
  return askSteps.some((ask) => ask === step)
}

/**
 * Moves an order by one intent. A pure function: stock is compared and never taken, and an order is placed only by the
 * caller, for a `yes` to a summary of exactly this cart.
 */
export function moveOrder(draft: Draft, intent: Intent, catalogue: Catalogue): OrderStep {
  if (intent.is === 'cancel') return { draft: afterOrder(draft), says: [{ text: 'abandoned' }] }
  if (isAsking(draft.step)) {
    const asked = takeText(draft, draft.step, intent, catalogue)
    if (asked) return asked
  }
  switch (intent.is) {
    case 'menu':
      return showMenu(draft, 0, catalogue)
    case 'next':
      return showMenu(draft, draft.page + 1, catalogue)
    case 'cart':
      return showCart(draft, catalogue)
    case 'checkout':
      return checkOut(draft, catalogue)
    case 'item':
      return takeItem(draft, intent.productIds, intent.quantity, catalogue)
    case 'number':
      return takeNumber(draft, intent.number, catalogue)
    case 'remove':
      return removeLines(draft, intent, catalogue)
    case 'yes':
      return draft.step === 'confirming' ? confirm(draft, catalogue) : repeatStep(draft, catalogue)
    case 'no':
      return draft.step === 'confirming' ? changeMind(draft, catalogue) : repeatStep(draft, catalogue)
    case 'text':
      return repeatStep(draft, catalogue)
  }
}

/** Returns the words for what the open step of an order waits for. */
export function repeatStep(draft: Draft, catalogue: Catalogue): OrderStep {
  const { step, pick } = draft
  if (isAsking(step)) return ask(draft, step)
  if (step === 'confirming') return summarize(draft, catalogue)
  const product = catalogue.products.find(({ id }) => id === pick)
  if (step === 'quantity' && product) return askQuantity(draft, product)
  if (draft.lines.length > 0) return showCart(draft, catalogue)
  return step === 'idle' ? { draft, says: [] } : showMenu(draft, draft.page, catalogue)
}

/** Returns the draft for the next order: the name and the address are offered again. */
function afterOrder({ name, address }: Draft): Draft {
  return { ...emptyDraft, name, address }
}

function showMenu(draft: Draft, wanted: number, { products, currency }: Catalogue): OrderStep {
  const offered = products.filter(({ available }) => available)
  if (offered.length === 0) return { draft: afterOrder(draft), says: [{ text: 'noProducts' }] }
  const pages = Math.ceil(offered.length / pageSize)
  const page = wanted % pages
  const shown = offered.slice(page * pageSize, (page + 1) * pageSize)
  const step = draft.lines.length > 0 ? 'cart' : 'browsing'
  return {
    draft: { ...draft, step, page, pick: null, options: shown.map(({ id }) => id) },
    says: [
      { text: 'menu' },
      ...shown.map(({ name, price }, at) => ({ words: `${at + 1}. ${name} - ${formatMoney(price, currency)}` })),
      ...(pages > 1 ? [{ text: 'menuMore' } as const] : []),
      { text: 'menuHint' },
    ],
  }
}

function takeItem(
  draft: Draft,
  productIds: readonly string[],
  quantity: number | null,
  catalogue: Catalogue,
): OrderStep {
  const found = catalogue.products.filter(({ id, available }) => available && productIds.includes(id))
  const [product] = found
  if (!product) return repeatStep(draft, catalogue)
  if (found.length > 1) {
    return {
      draft: { ...draft, step: draft.lines.length > 0 ? 'cart' : 'browsing', options: found.map(({ id }) => id) },
      says: [{ text: 'which' }, ...found.map(({ name }, at) => ({ words: `${at + 1}. ${name}` }))],
    }
  }
  return quantity === null ? askQuantity(draft, product) : addLine(draft, product, quantity, catalogue)
}

function askQuantity(draft: Draft, product: CatalogueProduct): OrderStep {
  if (product.stock === 0) return { draft, says: [sayShortage(product, 0)] }
  return {
    draft: { ...draft, step: 'quantity', pick: product.id },
    says: [{ text: 'quantity', values: { product: product.name } }],
  }
}

function takeNumber(draft: Draft, number: number, catalogue: Catalogue): OrderStep {
  if (draft.step === 'quantity') {
    const product = catalogue.products.find(({ id, available }) => available && id === draft.pick)
    return product ? addLine(draft, product, number, catalogue) : showMenu(draft, 0, catalogue)
  }
  if (draft.step === 'confirming') return repeatStep(draft, catalogue)
  const productId = draft.options[number - 1]
  return productId === undefined ? repeatStep(draft, catalogue) : takeItem(draft, [productId], null, catalogue)
}

function addLine(draft: Draft, product: CatalogueProduct, quantity: number, catalogue: Catalogue): OrderStep {
  const before = draft.lines.find(({ productId }) => productId === product.id)?.quantity ?? 0
  const wanted = before + quantity
  if (quantity < 1 || wanted > maxQuantity) return askQuantity(draft, product)
  if (product.stock !== null && wanted > product.stock) {
    const asking = { ...draft, step: 'quantity', pick: product.id } as const
    const says = [sayShortage(product, product.stock)]
    return product.stock > before ? { draft: asking, says } : { draft: backToCart(draft), says }
  }
  const others = draft.lines.filter(({ productId }) => productId !== product.id)
  const lines =
    before === 0
      ? [...others, { productId: product.id, quantity }]
      : draft.lines.map((line) => (line.productId === product.id ? { ...line, quantity: wanted } : line))
  return showCart({ ...draft, lines }, catalogue)
}

function backToCart(draft: Draft): Draft {
  return { ...draft, step: draft.lines.length > 0 ? 'cart' : 'browsing', pick: null, summary: null }
}

function showCart(draft: Draft, catalogue: Catalogue): OrderStep {
  const cart = backToCart({ ...draft, lines: deliverable(draft, catalogue) })
  if (cart.lines.length === 0) return { draft: cart, says: [{ text: 'emptyCart' }] }
  return { draft: cart, says: sayCart(cart, catalogue) }
}

function deliverable(draft: Draft, catalogue: Catalogue): Draft['lines'] {
  return cartLines(draft, catalogue).map(({ product, quantity }) => ({ productId: product.id, quantity }))
}

function removeLines(
  draft: Draft,
  { line, productIds }: Extract<Intent, { is: 'remove' }>,
  catalogue: Catalogue,
): OrderStep {
  const shown = deliverable(draft, catalogue)
  const removed = line === null ? productIds : [shown[line - 1]?.productId]
  return showCart({ ...draft, lines: shown.filter(({ productId }) => !removed.includes(productId)) }, catalogue)
}

function checkOut(draft: Draft, catalogue: Catalogue): OrderStep {
  const fitted = fitToStock({ ...draft, lines: deliverable(draft, catalogue) }, catalogue)
  const cart = backToCart(fitted.draft)
  if (cart.lines.length === 0) {
    const menu = showMenu(cart, 0, catalogue)
    return { ...menu, says: [...fitted.says, ...menu.says] }
  }
  if (fitted.says.length > 0) return { draft: cart, says: [...fitted.says, ...sayCart(cart, catalogue)] }
  if (goodsTotal(cart, catalogue) < catalogue.minimumOrder) {
    const amount = formatMoney(catalogue.minimumOrder, catalogue.currency)
    return { draft: cart, says: [{ text: 'minimum', values: { amount } }, ...sayCart(cart, catalogue)] }
  }
  return askNext(cart, null, catalogue)
}

/** Asks for what comes after `step`; with null for the first. */
function askNext(draft: Draft, step: AskStep | null, catalogue: Catalogue): OrderStep {
  const rest = step === null ? askSteps : askSteps.slice(askSteps.indexOf(step) + 1)
  const next = rest.find((one) => catalogue.asks[one])
  return next === undefined ? summarize(draft, catalogue) : ask(draft, next)
}

function ask(draft: Draft, step: AskStep): OrderStep {
  const value = step === 'note' ? null : draft[step]
  return {
    draft: { ...draft, step },
    says: [{ text: askTexts[step] }, ...(value === null ? [] : [{ text: 'keep', values: { value } } as const])],
  }
}

/** Takes what the customer wrote for `step`; null when the intent is something else. */
function takeText(draft: Draft, step: AskStep, intent: Intent, catalogue: Catalogue): OrderStep | null {
  if (intent.is === 'text') return askNext({ ...draft, [step]: intent.text }, step, catalogue)
  if (step === 'note' && intent.is === 'no') return askNext({ ...draft, note: null }, step, catalogue)
  if (intent.is !== 'yes' && intent.is !== 'no') return null
  // "yes" keeps what is offered, and "no" does not.
  if (intent.is === 'yes' && step !== 'note' && draft[step] !== null) return askNext(draft, step, catalogue)
  return ask(intent.is === 'no' ? { ...draft, [step]: null } : draft, step)
}

function summarize(draft: Draft, catalogue: Catalogue): OrderStep {
  const summary = summaryHash(toPlacement(draft, catalogue))
  const confirming: Draft = { ...draft, step: 'confirming', pick: null, summary }
  return { draft: confirming, says: saySummary(confirming, catalogue) }
}

function confirm(draft: Draft, catalogue: Catalogue): OrderStep {
  const fitted = fitToStock(draft, catalogue)
  const place = toPlacement(fitted.draft, catalogue)
  if (place.lines.length === 0) {
    const empty = showCart(fitted.draft, catalogue)
    return { draft: empty.draft, says: [...fitted.says, ...empty.says] }
  }
  const isTooSmall = place.total - place.deliveryFee < catalogue.minimumOrder
  if (isTooSmall) return checkOut(fitted.draft, catalogue)
  if (summaryHash(place) === draft.summary) return { draft: afterOrder(draft), says: [], place }
  const again = summarize({ ...fitted.draft, lines: deliverable(fitted.draft, catalogue) }, catalogue)
  return { draft: again.draft, says: [...fitted.says, { text: 'changed' }, ...again.says] }
}

function changeMind(draft: Draft, catalogue: Catalogue): OrderStep {
  const cart = showCart(draft, catalogue)
  return { draft: cart.draft, says: [{ text: 'whatToChange' }, ...cart.says] }
}
