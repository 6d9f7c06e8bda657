import { placeholder, variableKey } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTemplate, renderTemplate } from './template.ts'

const nfd = 'Grüße'.normalize('NFD')

describe('a template', () => {
  it.each([
    ['a plain text', 'Hello', {}, 'Hello'],
    ['one value twice', '{{name}} and {{ name }}', { name: 'Jane' }, 'Jane and Jane'],
    ['a missing value', 'Hello {{name}}!', {}, 'Hello !'],
    ['a key in another script', 'नमस्ते {{नाम}}', { नाम: 'जेन' }, 'नमस्ते जेन'],
    ['a key with combining marks', `{{${nfd}}}`, { [nfd.normalize('NFC')]: 'hi' }, 'hi'],
    ['a value that looks like a placeholder', '{{a}}', { a: '{{b}}', b: 'no' }, '{{b}}'],
    ['a value with a dollar sign', 'Pay {{sum}}', { sum: '$& $1' }, 'Pay $& $1'],
    ['a name of every object', '{{constructor}}{{toString}}', {}, ''],
    ['empty and unclosed braces', '{{}} {{a', { a: 'x' }, '{{}} {{a'],
  ])('with %s is filled', (_what, template, variables, expected) => {
    expect(renderTemplate(template, variables)).toBe(expected)
  })

  it('lists its placeholders once each, in their order', () => {
    expect(parseTemplate(`{{b}} {{ a }} {{b}} {{${nfd}}}`).keys).toEqual(['b', 'a', nfd.normalize('NFC')])
  })

  it('is filled, cut, measured and found blank as a plain replacement would be', () => {
    const key = fc.constantFrom('a', 'b', ' a ', 'name', nfd, nfd.normalize('NFC'), 'constructor')
    const piece = fc.oneof(
      key.map((name) => `{{${name}}}`),
      fc.constantFrom('{', '}', '{{', '}}', '{{}}', ' ', '\n', '\u00a0', '💬', '$&'),
      fc.string({ maxLength: 5 }),
    )
    const value = fc.oneof(fc.constantFrom('', ' ', '\t\n', '{{a}}', '$1'), fc.string({ maxLength: 30 }))
    const variables = fc.dictionary(key.map(variableKey), value)
    const templates = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(templates, variables, fc.nat(40), (text, values, atMost) => {
        const plain = text.replace(placeholder, (_whole, found: string) => {
          return Object.hasOwn(values, variableKey(found)) ? (values[variableKey(found)] ?? '') : ''
        })
        const template = parseTemplate(text)
        expect(template.fill(values)).toBe(plain)
        expect(template.fill(values, atMost)).toBe(plain.slice(0, atMost))
        expect(template.lengthFor(values)).toBe(plain.length)
        expect(template.isBlankFor(values)).toBe(plain.trim() === '')
      }),
      { numRuns: 1000 },
    )
  })
})
