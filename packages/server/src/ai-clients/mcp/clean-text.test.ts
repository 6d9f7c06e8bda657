import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanAnswer } from './clean-text.ts'

const image = /!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g
const tag = /<\/?[a-z!][^>]*>/gi

function clean(text: string): string {
  return String(cleanAnswer({ text }).text)
}

/** Returns whether a program could take a part of this text for an image or a tag. */
function hasMarkup(text: string): boolean {
  return text.search(image) !== -1 || text.search(tag) !== -1
}

/** Texts of the signs that markup is made of, so that most of them have some, one inside another. */
const signs = fc.string({ unit: fc.constantFrom('!', '[', ']', '(', ')', '<', '>', '/', 'a', ' '), maxLength: 40 })
const plain = fc.string({ unit: fc.constantFrom('a', 'B', ' ', '.', '!', '5', 'é', '\n'), maxLength: 8 })
/** A part of a text, and what is left of it. */
const part = fc.oneof(
  plain.map((text): [string, string] => [text, text]),
  plain.map((text): [string, string] => [`![${text}](https://evil.test/?q=${text})`, text]),
  plain.map((text): [string, string] => [`![${text}][${text}]`, text]),
  plain.map((text): [string, string] => [`<a href="${text}">`, '']),
  plain.map((text): [string, string] => [`</b ${text}>`, '']),
  plain.map((text): [string, string] => [`<!-- ${text} -->`, '']),
)

describe('a text of another person', () => {
  it('has no markup left, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(signs, fc.string(), fc.string({ unit: 'binary' })), (text) => {
        const cleaned = clean(text)
        return !hasMarkup(cleaned) && clean(cleaned) === cleaned
      }),
      { numRuns: 2000 },
    )
  })

  it('is left as it is where it has none', () => {
    fc.assert(
      fc.property(signs, (text) => {
        fc.pre(!hasMarkup(text))
        expect(clean(text)).toBe(text)
      }),
    )
  })

  it('has no tag that removing others forms', () => {
    const removed = (text: string): string => {
      const without = text.replace(tag, '')
      return without === text ? text : removed(without)
    }
    const ofTags = fc.string({ unit: fc.constantFrom('<', '>', '/', 'a', '!', ' '), maxLength: 30 })
    fc.assert(fc.property(ofTags, (text) => clean(text) === removed(text)))
  })

  it('keeps all that stands around markup, and the words of images', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.map(([written]) => written).join('')
        const left = parts.map(([, kept]) => kept).join('')
        // Signs at a seam may have got a space between them, so that they form nothing.
        expect(clean(text).replaceAll(' ', '')).toBe(left.replaceAll(' ', ''))
        expect(text.replace(image, '$1').replace(tag, '')).toBe(left)
      }),
    )
  })

  it.each([
    ['Where is my order? ![x](https://evil.test/?q=1)', 'Where is my order? x'],
    ['<b>Hello</b> <i you', 'Hello <i you'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['see [docs](https://example.com) and ![one', 'see [docs](https://example.com) and ![one'],
    ['<!-- hidden -->shown', 'shown'],
    ['![![a](https://evil.test/1)](https://evil.test/2)', 'a'],
    ['<<b>img src=https://evil.test>', ''],
    ['![a]<b>(https://evil.test)', 'a'],
    ['!<b>[a](https://evil.test)', 'a'],
    ['![<](https://evil.test)b>', '< b>'],
    ['!![a](https://evil.test)[b](https://evil.test)', '! a[b](https://evil.test)'],
    ['![a<b ]>](https://evil.test)', 'a'],
    ['a\u200bb\u202ec\u{e0041}d', 'abcd'],
    ['\ud83d\ude00', '\ud83d\ude00'],
  ])('%j becomes %j', (text, cleaned) => {
    expect(clean(text)).toBe(cleaned)
  })

  it('has at most 2,000 characters and says that it was cut, also where only markup was', () => {
    expect(cleanAnswer({ text: 'é'.repeat(2000) })).toEqual({ text: 'é'.repeat(2000) })
    expect(cleanAnswer({ text: '😀'.repeat(2001) })).toEqual({ text: '😀'.repeat(2000), truncated: true })
    expect(cleanAnswer({ text: `<${'a'.repeat(3000)}>end` })).toEqual({ text: 'end' })
    expect(cleanAnswer({ text: `<a ${'x'.repeat(5000)}>end` })).toMatchObject({ truncated: true })
  })
})

describe('the work for a text', () => {
  /** Returns the CPU time that `times` texts take, in milliseconds. */
  function cpuMs(text: string, times: number): number {
    const before = process.cpuUsage()
    for (let n = 0; n < times; n++) clean(text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }

  it.each([
    ['beginnings of images', '!['.repeat(32_768)],
    ['ends of images', `![${']('.repeat(32_768)}`],
    ['tags within tags', `${'<'.repeat(21_000)}<a>${'a>'.repeat(21_000)}`],
    ['beginnings of tags', '<a'.repeat(32_768)],
    ['images within images', `${'!['.repeat(8000)}${'](x)'.repeat(8000)}`],
    ['images within images, within what is kept', `${'!['.repeat(500)}${'](x)'.repeat(500)}`],
  ])('is that for a harmless one: %s', (_name, hostile) => {
    const harmless = 'ab'.repeat(hostile.length / 2)
    cpuMs(harmless, 10)
    expect(cpuMs(hostile, 30)).toBeLessThan(10 * cpuMs(harmless, 30) + 50)
  })
})

describe('texts whose markup is removed', () => {
  it('are read up to a budget of the answer', () => {
    const messages = Array.from({ length: 40 }, () => ({ text: `${'<a>'.repeat(1300)}end` }))
    const cleaned = cleanAnswer({ messages }).messages as { text: string; truncated?: true }[]
    expect(cleaned.slice(0, 30).map(({ text }) => text)).toEqual(Array(30).fill('end'))
    expect(cleaned.slice(31)).toEqual(Array(9).fill({ text: '', truncated: true }))
  })
})
