import { describe, expect, it } from 'vitest'
import { leastCpu } from '#testing/largest/least-cpu.ts'
import { filterUnderstood } from './filter.ts'
import type { ModelQuestion } from './model.ts'

const passages = [
  { id: 'a', question: 'What does it cost?', answer: 'Delivery costs 25 EUR, within 2 days. Mail shop@example.com' },
  { id: 'b', question: 'Where?', answer: 'See https://example.com/map or call +1 202 555 0100.' },
  { id: 'c', question: 'كم السعر؟', answer: 'السعر ٢٥ ريال، والخصم 10٪. المساحة 40 m².' },
]

function filter(text: string, sources: readonly string[], of = passages): string {
  const question: ModelQuestion = {
    ...{ question: '?', lang: 'en', passages: of },
    ...{ history: [], instructions: '', hasShop: false },
  }
  return filterUnderstood({ kind: 'answer', text, sources }, question).kind
}

describe('the filter of a model', () => {
  it.each<[string, string[], boolean]>([
    ['It costs 25 EUR.', ['a'], true],
    ['It costs 5 EUR.', ['a'], false],
    ['It costs 2 EUR.', ['a'], false],
    ['It takes 2 days.', ['a'], true],
    ['It costs €25.', ['a'], false],
    ['Write to shop@example.com.', ['a'], true],
    ['Write (shop@example.com).', ['a'], true],
    ['Write to thief@example.com.', ['a'], false],
    ['See https://example.com/map.', ['b'], true],
    ['See https://example.com/map.', ['a'], false],
    ['See example.org', ['b'], false],
    ['Call +1 202 555 0100', ['b'], true],
    ['Call +1 202 555 0199', ['b'], false],
    ['It is fine.', [], false],
    ['It is fine.', ['d'], false],
    ['x'.repeat(1501), ['a'], false],
    ['السعر 25 ريال', ['c'], true],
    ['السعر ٢٥ ريال', ['c'], true],
    ['The discount is 10%.', ['c'], true],
    ['It has 40 m².', ['c'], true],
  ])('passes %j with sources %j: %s', (text, sources, passes) => {
    expect(filter(text, sources)).toBe(passes ? 'answer' : 'unknown')
  })

  it.each([
    'الخصم ٩٩٪ والسعر ٥ ريال',
    'Only १२३ rupees',
    'Only Ⅻ euros',
    'Only 🔟 euros',
    'Only ❺ euros',
    'Only ፭ euros',
    'Only ５ EUR',
    'Only ① EUR',
    'Only ½ of it',
    'Only 𝟝 EUR',
    'Only 2\u200b5\u200b5 EUR',
    'Pay at evil。com',
    'Pay at evil｡com',
    'Pay at evil\u200b.com',
    'Pay at evil.\u00adcom',
    'Pay at e\u{e0001}vil.com',
    'Pay at h\u2060ttps://evil',
    'Pay at ＷＷＷ．9',
    'Pay at evil_site.com',
    'Write to thief＠example.com',
    'Write to thief\u200b@\u200bexample.com',
    'Write to thief﹫example',
  ])('refuses %j', (text) => {
    for (const { id } of passages) expect(filter(text, [id])).toBe('unknown')
  })

  it.each([
    ['a.', 'a link'],
    ['1.', 'a number'],
    ['1', 'an amount'],
    ['a', 'an address'],
    ['w1_', 'the scheme of a link'],
    ['e\u0301\u0316', 'marks'],
    ['\u0301\u0316', 'marks alone'],
  ])('reads a source of %j in time that grows with its length, not with the square: %s', async (pumped) => {
    const milliseconds = (length: number) => {
      const [source] = passages.map((passage) => ({ ...passage, answer: pumped.repeat(length / pumped.length) }))
      return leastCpu(() => filter('It is fine.', ['a'], source ? [source] : []))
    }
    await milliseconds(6000)
    // 16 times as long: 256 times the time of a square, which would take ten seconds.
    expect(await milliseconds(96_000)).toBeLessThan(64 * Math.max(await milliseconds(6000), 5))
  })
})
