import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { parseTemplate } from '../messages/template.ts'
import { missingVariables, renderFor } from './recipients.ts'

const to = (variables: Record<string, string>) => ({ phone: '12025550100', variables })

describe('the text of a recipient', () => {
  const most = limits.message
  it.each([
    [
      'as long as a message may be',
      '{{a}}{{b}}',
      { a: 'x'.repeat(most - 1), b: 'y' },
      `${'x'.repeat(most - 1)}y`,
      null,
    ],
    ['one character longer', '{{a}}{{b}}', { a: 'x'.repeat(most), b: 'y' }, 'x'.repeat(most), 'MESSAGE_TOO_LONG'],
    ['nothing but white space', ' {{a}}\n', { a: ' ' }, '', 'MESSAGE_EMPTY'],
    ['more white space than a message may have', '{{a}}{{a}}', { a: ' '.repeat(most) }, '', 'MESSAGE_EMPTY'],
    [
      'white space until long after its end',
      '{{a}}{{b}}',
      { a: ' '.repeat(most), b: 'y' },
      ' '.repeat(most),
      'MESSAGE_TOO_LONG',
    ],
  ])('that is %s', (_what, template, variables, text, code) => {
    const rendered = renderFor(parseTemplate(template), to(variables))
    expect([rendered.text, rendered.failure]).toEqual([text, code])
  })

  it('is not built any further than a message may be long', () => {
    let reads = 0
    const variables = {
      get a() {
        reads += 1
        return 'x'.repeat(1000)
      },
    }
    const template = parseTemplate('{{a}}'.repeat(819))
    expect(renderFor(template, to(variables)).text).toHaveLength(most)
    expect(template.lengthFor(variables)).toBe(819_000)
    expect(reads).toBeLessThan(20)
  })
})

describe('missingVariables', () => {
  it('counts for each placeholder who has no value for it, in the order of the template', async () => {
    const template = parseTemplate('{{b}} {{a}} {{c}} {{ b }}')
    const recipients = [to({ a: '1', c: '' }), to({ c: '3', other: '4' }), to({ b: '2', c: '3' })]
    expect(await missingVariables(template, recipients)).toEqual([
      { key: 'b', recipients: 2 },
      { key: 'a', recipients: 2 },
    ])
  })
})
