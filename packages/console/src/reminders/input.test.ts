import { MessagingError } from '@msgctl/client'
import { describe, expect, it } from 'vitest'
import { changeOf, inputOf, refusedAs } from './input.ts'

const values = { phone: '+12025550100', message: 'Dear {{name}},\nsee you', sendAt: '2030-01-31T09:00', repeat: 'none' }

describe('the change of a reminder', () => {
  it.each(['Dear {{name}},\nsee you', 'Dear {{name}},\r\nsee you'])(
    'leaves out the text that it has: %j',
    (message) => {
      const change = changeOf(values, { id: 'r', message })
      expect(change).not.toHaveProperty('message')
      expect(change).toMatchObject({ id: 'r', sendAt: inputOf(values).sendAt })
    },
  )

  it('has a new text', () => {
    expect(changeOf(values, { id: 'r', message: 'Dear Ada' })).toMatchObject({ message: values.message })
  })
})

describe('the refusal of a placeholder without a value', () => {
  const refusal = (field: string, message: string) =>
    new MessagingError({
      ...{ code: 'VALIDATION_ERROR', message: 'Set strictVariables to false.', endpoint: 'POST /reminders' },
      issues: [{ field, code: 'custom', message }],
    })

  const inWords = refusedAs((placeholders) => `Write out ${placeholders}.`)

  it('says what to write instead, because the form has no values', () => {
    const error = refusal('variables', 'must have a value for {{name}}, {{day}}')
    expect(() => inWords(error)).toThrow(/^Write out {{name}}, {{day}}\.$/)
  })

  it('is the only one that is put into other words', () => {
    const other = refusal('sendAt', 'must be at most 5 minutes in the past')
    expect(() => inWords(other)).toThrow(other)
  })
})
