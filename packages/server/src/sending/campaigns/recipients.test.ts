import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { parseTemplate } from '#sending/messages/template.ts'
import { missingVariables, renderFor, requireVariables } from './recipients.ts'

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

describe('required variables', () => {
  const template = parseTemplate('Hi {{name}} from {{city}}')
  const full = { name: 'Ada', city: 'London' }

  it('name each recipient without a value by its row, except for duplicates that are dropped', () => {
    const given = [
      { phone: '1', variables: full },
      { phone: '2', variables: { name: 'Bob' } },
      { phone: '2' },
      { phone: '3' },
    ]
    expect(() => requireVariables(template, given)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: {
          'recipients.1.variables': ['must have a value for {{city}}'],
          'recipients.3.variables': ['must have a value for {{name}}'],
        },
      }),
    )
    expect(() => requireVariables(template, [{ phone: '1', variables: full }])).not.toThrow()
  })

  it('name at most 100 of ten thousand recipients', () => {
    const given = Array.from({ length: 10_000 }, (_, n) => ({ phone: String(n) }))
    expect(() => requireVariables(template, given)).toThrow(
      expect.objectContaining({ issues: expect.toSatisfy((issues: unknown[]) => issues.length === 100) }),
    )
  })
})
