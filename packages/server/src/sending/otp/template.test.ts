import { expect, it } from 'vitest'
import { defaultTemplate, fillTemplate, requireCodeIn } from './template.ts'

it.each([
  ['the default', defaultTemplate, 'Your code is 0042. It expires in 5 minutes.'],
  ['a code twice', '{{code}} and {{code}}', '0042 and 0042'],
  ['the minutes twice', '{{expiry}}/{{expiry}} {{code}}', '5/5 0042'],
  ['other words in braces', '{{code}} {{name}} {{ code }}', '0042 {{name}} {{ code }}'],
  ['signs that mean something to a replacement', "$& $1 $' {{code}}", "$& $1 $' 0042"],
  ['braces around it', '{{{code}}}', '{0042}'],
])('fills %s', (_what, template, filled) => {
  expect(() => requireCodeIn(template)).not.toThrow()
  expect(fillTemplate(template, '0042')).toBe(filled)
})

it.each(['', 'Your code', '{code}', '{{ code }}', '{{CODE}}', '{{expiry}}', '{{cod}}e}}'])(
  'refuses the template "%s", which would show no code',
  (template) => {
    expect(() => requireCodeIn(template)).toThrow(expect.objectContaining({ code: 'OTP_TEMPLATE_MISSING_CODE' }))
  },
)
