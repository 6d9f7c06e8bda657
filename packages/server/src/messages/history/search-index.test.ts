import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildLookup, recipientPart } from './search.ts'
import { bigramWord, buildBlocks, type IndexedMessage, normalizeText } from './search-index.ts'

const message = (content: string, n = 0): IndexedMessage => ({
  id: `id-${n}`,
  createdAt: '2026-10-01 00:00:00+00',
  recipient: '12025550100',
  content,
})

describe('folded text', () => {
  it.each([
    ['Hello', 'hello'],
    ['a b', 'aAb'],
    ['50% off!', '50QAoffG'],
    ['a\nb', 'aAb'],
    ['a\u001eb', 'aAb'],
    ['ÄÖ', 'äö'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['İ', 'i'],
    ['🎉', '🎉'],
    ['', ''],
  ])('of %j is %j', (text, folded) => {
    expect(normalizeText(text)).toBe(folded)
  })

  it('of a part is a part of the folded text, with nothing that LIKE or a pack takes for more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (text, from, length) => {
        const characters = Array.from(text)
        const start = characters.length === 0 ? 0 : from % characters.length
        const part = characters.slice(start, start + length).join('')
        expect(normalizeText(text)).toContain(normalizeText(part))
        for (const mark of '%_\\\u001e\u001f') expect(normalizeText(text)).not.toContain(mark)
      }),
    )
  })
})

describe('a pack', () => {
  it('proposes a message for every part of its text and recipient, however short', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }),
        fc.nat(),
        fc.nat(),
        (texts, from, length) => {
          const [pack] = buildBlocks(texts.map(message), { keepRest: true })
          for (const text of [...texts, '12025550100']) {
            const characters = Array.from(text)
            const start = from % characters.length
            const part = normalizeText(characters.slice(start, start + 1 + length).join(''))
            const lookup = buildLookup(part)
            expect(pack?.searchText).toContain(part)
            if ('words' in lookup)
              for (const word of lookup.words) expect(pack?.bigrams).toContain(`\u001e${word}\u001e`)
          }
        },
      ),
    )
  })

  it('has a line for each of its messages, in their order, and no pair across two lines', () => {
    const [pack] = buildBlocks([message('ab', 1), message('cd', 2)], { keepRest: true })
    expect(pack?.searchText.split('\u001e')).toEqual(['12025550100\u001fab', '12025550100\u001fcd'])
    expect(pack?.messages.map(({ id }) => id)).toEqual(['id-1', 'id-2'])
    expect(pack?.bigrams.split('\u001e')).toEqual(expect.arrayContaining(['ab', 'cd', 'a']))
    for (const pair of ['bc', '0a']) expect(pack?.bigrams.split('\u001e')).not.toContain(pair)
  })

  it('closes when a page or 64 messages are full, and leaves what does not fill one for later', () => {
    const short = Array.from({ length: 200 }, (_, n) => message('hello', n))
    expect(buildBlocks(short, { keepRest: false }).map((pack) => pack.messages.length)).toEqual([64, 64, 64])
    expect(buildBlocks(short, { keepRest: true }).map((pack) => pack.messages.length)).toEqual([64, 64, 64, 8])
    const long = Array.from({ length: 3 }, (_, n) => message('x'.repeat(4096), n))
    expect(buildBlocks(long, { keepRest: true }).map((pack) => pack.messages.length)).toEqual([1, 1, 1])
  })
})

describe('a search text', () => {
  it.each([
    ['+1 (202) 555-0100', '12025550100'],
    ['555-01', '55501'],
    ['555.01', '55501'],
    ['0100', '0100'],
    ['Order 7', 'order 7'],
    ['123@LID', '123@lid'],
    ['+', '+'],
    ['- -', '- -'],
  ])('%j looks for %j in recipients', (text, part) => {
    expect(recipientPart(text)).toBe(part)
  })

  it.each([
    ['order', { part: 'order' }],
    ['qz', { part: 'qz', words: ['qz'] }],
    ['q', { part: 'q', words: ['q'] }],
    ['🎉', { part: '🎉', words: ['u1f389'] }],
    ['A', { part: 'A', words: ['u41'] }],
  ])('folded to %j is looked up by %j', (part, lookup) => {
    expect(buildLookup(part)).toEqual(lookup)
  })

  it('has one word for a character, whatever else there is', () => {
    expect(bigramWord('aé')).toBe('aé')
    expect(bigramWord('aA')).toBe('u61u41')
  })
})
