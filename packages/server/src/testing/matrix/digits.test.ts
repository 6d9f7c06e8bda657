import { optOutWord } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { shinglesOf } from '#ai-clients/mcp/sends/shingles.ts'
import { takeTurn } from '#conversations/bots/conversations/turn.ts'
import { featuresOf } from '#conversations/bots/knowledge/features.ts'
import { filterUnderstood } from '#conversations/bots/model/filter.ts'
import { emptyDraft } from '#conversations/bots/orders/draft.ts'
import { readIntent } from '#conversations/bots/orders/read-intent.ts'
import { en } from '#conversations/bots/texts/en.ts'
import { normalize } from '#conversations/bots/texts/languages.ts'

/** The digits 0 to 9 of every script that ICU knows, by the name of its numbering system. */
const scripts = Intl.supportedValuesOf('numberingSystem').flatMap((name) => {
  const format = new Intl.NumberFormat(`en-u-nu-${name}`)
  const digits = Array.from({ length: 10 }, (_, value) => format.format(value))
  return digits.every((digit) => /^\p{Nd}$/u.test(digit)) ? [{ name, digits }] : []
})

const catalogue = {
  ...{ currency: 'EUR', deliveryFee: 0, minimumOrder: 0, asks: { name: false, address: false, note: false } },
  products: [{ id: 'cake', name: 'Cake', price: 100, stock: null, available: true }],
}

/** What is left of a text that a model made of a source with one number. */
function filterForged(text: string): string {
  const passages = [{ id: 'a', question: '?', answer: 'It costs 2300 EUR.' }]
  const question = { question: '?', lang: 'en', passages, history: [], instructions: '', hasShop: false }
  return filterUnderstood({ kind: 'answer', text, sources: ['a'] }, question).kind
}

/** What an assistant does with a text after it offered two answers. */
function choose(text: string): unknown {
  const offered = ['first', 'second'].map((answerId) => ({ answerId, question: '?' }))
  const conversation = {
    ...({ lang: 'en', state: 'assistant', greeted: true, failures: 0, choices: offered } as const),
    ...{ awaySaidAtMs: null, saidAtMs: [], stepsAtMs: [], draft: emptyDraft },
  }
  const rules = { hasGreeting: false, outsideHours: 'answer', personWords: ['level 2'] } as const
  const facts = {
    ...({ nowMs: 0, open: true, decision: { kind: 'unknown' }, score: null, model: 'none' } as const),
    ...{
      answers: new Map(offered.map(({ answerId }) => [answerId, answerId])),
      catalogue: null,
      hasPlacedOrder: false,
    },
  }
  return takeTurn(conversation, rules, { text, isPlace: false, lang: 'en' }, facts)
}

const copied = 'The code of your locker in the basement is 1234567890, and the door closes at 9:45 every evening.'

/** Every comparison of a text that a stranger or a model wrote. */
const comparisons: [name: string, compare: (text: string) => unknown, text: string][] = [
  ['an opt-out keyword', optOutWord, 'stop 2468013579'],
  ['words of a customer', normalize, '2 x 468013579'],
  ['a chosen answer', choose, '2'],
  ['the words for a person', choose, 'I need level 2 now'],
  ['an order', (text) => readIntent(text, emptyDraft, catalogue, en.words), '3 cake'],
  ['a number in an order', (text) => readIntent(text, { ...emptyDraft, step: 'quantity' }, catalogue, en.words), '14'],
  ['the index of questions', (text) => [...featuresOf(text, [])], 'room 2468013579'],
  ['an answer of a model with an invented price', filterForged, 'It costs 100 EUR.'],
  ['an answer of a model with the right price', filterForged, 'It costs 2300 EUR.'],
  ['a copied text', shinglesOf, copied],
]

describe('a comparison of texts', () => {
  it('is tested with the digits of every script', () => {
    expect(scripts.length).toBeGreaterThan(60)
    expect(scripts.map(({ name }) => name)).toEqual(expect.arrayContaining(['arab', 'deva', 'fullwide', 'mathbold']))
    expect([filterForged('It costs 100 EUR.'), filterForged('It costs 2300 EUR.')]).toEqual(['unknown', 'answer'])
    expect(choose('2')).toMatchObject({ kind: 'chosen', answerId: 'second' })
    expect(choose('I need level 2 now')).toMatchObject({ kind: 'handoff' })
    expect(shinglesOf(copied)).not.toEqual([])
  })

  it.each(comparisons)('of %s sees them as 0 to 9', (_, compare, text) => {
    const others = scripts.filter(({ digits }) => {
      const written = text.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit)
      return JSON.stringify(compare(written)) !== JSON.stringify(compare(text))
    })
    expect(others.map(({ name }) => name)).toEqual([])
  })

  it.each(comparisons)('of %s does not see invisible characters', (_, compare, text) => {
    const invisible = ['\u200b', '\u200e', '\u00ad', '\u2060', '\ufeff', '\u{e0041}', '\ufe0f', '\u0000', '\u3164']
    const others = invisible.filter((one) => {
      const written = [...text].join(one)
      return JSON.stringify(compare(written)) !== JSON.stringify(compare(text))
    })
    expect(others.map((one) => one.codePointAt(0)?.toString(16))).toEqual([])
  })
})
