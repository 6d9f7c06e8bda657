import { describe, expect, it } from 'vitest'
import { placeholdersOf, renderTemplate } from './template.ts'

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

  it('tells its placeholders once each, in their order', () => {
    expect(placeholdersOf(`{{b}} {{ a }} {{b}} {{${nfd}}}`)).toEqual(['b', 'a', nfd.normalize('NFC')])
  })
})
