import type { Words } from '#conversations/bots/texts/language.ts'
import { isOneOf, isQuestion, normalize, normalizedWords } from '#conversations/bots/texts/languages.ts'
import type { Catalogue, CatalogueProduct, Draft, Intent } from './draft.ts'
import { isAsking, isOrdering } from './order-machine.ts'

/**
 * Returns what a customer wants of the shop, by words and numbers alone; null when the text is something else, such as
 * a question. Before an order has begun only the menu and the names of products count.
 */
export function readIntent(text: string, draft: Draft, catalogue: Catalogue, words: Words): Intent | null {
  const said = normalize(text)
  if (!isOrdering(draft)) return openingIntent(said, text, catalogue, words)
  if (isOneOf(said, words.cancel)) return { is: 'cancel' }
  if (isOneOf(said, words.yes)) return { is: 'yes' }
  if (isOneOf(said, words.no)) return { is: 'no' }
  if (isAsking(draft.step)) return text.trim() === '' ? null : { is: 'text', text: text.trim() }
  return (
    wordIntent(said, words) ??
    numberIntent(said, words) ??
    removeIntent(said, catalogue, words) ??
    itemIntent(said, text, catalogue, words)
  )
}

function openingIntent(said: string, text: string, catalogue: Catalogue, words: Words): Intent | null {
  if (isOneOf(said, words.menu) || isOneOf(said, words.checkout)) return { is: 'menu' }
  if (isOneOf(said, words.cart)) return { is: 'cart' }
  return itemIntent(said, text, catalogue, words)
}

function wordIntent(said: string, words: Words): Intent | null {
  if (isOneOf(said, words.menu)) return { is: 'menu' }
  if (isOneOf(said, words.next)) return { is: 'next' }
  if (isOneOf(said, words.cart)) return { is: 'cart' }
  return isOneOf(said, words.checkout) ? { is: 'checkout' } : null
}

function numberIntent(said: string, words: Words): Intent | null {
  const rest = meaningful(said.split(' '), words)
  const number = rest.length === 1 ? numberOf(rest[0] ?? '', words) : null
  return number === null ? null : { is: 'number', number }
}

function removeIntent(said: string, catalogue: Catalogue, words: Words): Intent | null {
  const word = [...normalizedWords(words.remove)].find((one) => said === one || said.startsWith(`${one} `))
  if (word === undefined) return null
  const rest = meaningful(said.slice(word.length).trim().split(' '), words)
  const line = rest.length === 1 ? numberOf(rest[0] ?? '', words) : null
  const productIds = line === null && rest.length > 0 ? matchProducts(rest, catalogue.products) : []
  return { is: 'remove', line, productIds }
}

/** The most words that a text can have beside the name of a product, so that it is an order and not a question. */
const maxOtherWords = 2

function itemIntent(said: string, text: string, catalogue: Catalogue, words: Words): Intent | null {
  if (isQuestion(text)) return null
  const all = said.split(' ')
  const number = all.map((word) => numberOf(word, words)).find((one) => one !== null)
  const rest = meaningful(all, words).filter((word) => numberOf(word, words) === null)
  if (rest.length === 0) return null
  const productIds = matchProducts(rest, catalogue.products)
  return productIds.length === 0 ? null : { is: 'item', productIds, quantity: number ?? null }
}

function meaningful(said: readonly string[], { filler }: Words): string[] {
  return said.filter((word) => word !== '' && !filler.includes(word))
}

function numberOf(word: string, { numbers }: Words): number | null {
  if (/^\d{1,4}$/.test(word)) return Number(word)
  const at = [...normalizedWords(numbers)].indexOf(word)
  return at === -1 ? null : at + 1
}

/**
 * Returns the products that these words name: those whose whole name is among the words, the longest names first; else
 * those whose name has all of the words.
 */
function matchProducts(said: readonly string[], products: readonly CatalogueProduct[]): string[] {
  const named = products
    .filter(({ available }) => available)
    .map(({ id, name }) => ({ id, name: normalize(name).split(' ') }))
  const whole = named.filter(
    ({ name }) =>
      said.length - name.length <= maxOtherWords && name.every((word) => said.some((one) => isSameWord(one, word))),
  )
  const longest = Math.max(0, ...whole.map(({ name }) => name.length))
  if (whole.length > 0) return whole.filter(({ name }) => name.length === longest).map(({ id }) => id)
  return named.filter(({ name }) => said.every((one) => name.some((word) => isSameWord(one, word)))).map(({ id }) => id)
}

/** Returns whether two words are the same but for their ending, as `pizza` and `pizzas` are. */
function isSameWord(left: string, right: string): boolean {
  if (left === right) return true
  const [short, long] = left.length < right.length ? [left, right] : [right, left]
  return short.length >= 4 && long.length - short.length <= 2 && long.startsWith(short)
}
