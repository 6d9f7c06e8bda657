import { describe, expect, it } from 'vitest'
import { fieldsOf, withValue } from './fields.ts'
import { promised } from './mounted.ts'

/** The row "Field bounds" of the specification's "Limits", by route and field. */
const specified: [route: string, field: string, maximum: number][] = [
  ['alert.send', 'message', 4096],
  ['alert.batch', 'message', 4096],
  ['reminders.create', 'message', 4096],
  ['reminders.import', 'message', 4096],
  ['campaigns.create', 'template', 4096],
  ['alert.sendImage', 'caption', 1024],
  ['alert.sendVideo', 'caption', 1024],
  ['alert.sendFile', 'caption', 1024],
  ['alert.sendFile', 'filename', 255],
  ['alert.sendFile', 'mimetype', 100],
  ['otp.send', 'template', 500],
  ['alert.batch', 'recipients', 500],
  ['alert.validate', 'phones', 500],
  ['recipients.validate', 'phones', 10_000],
  ['campaigns.create', 'recipients', 10_000],
  ['campaigns.update', 'recipients', 10_000],
  ['reminders.import', 'rows', 5000],
  ['webhook.set', 'webhookUrl', 2000],
]

describe('the fields that generated tests see', () => {
  it.each(specified)('of %s: %s with the bound of the specification', (name, wanted, maximum) => {
    const route = promised.find((one) => one.name === name)
    const schema = route && fieldsOf(route).find((field) => field.name === wanted)?.schema
    expect(schema?.maxLength ?? schema?.maxItems).toBe(maximum)
  })

  it('include those of nested objects and the entries of lists', () => {
    const cards = promised.find(({ name }) => name === 'alert.sendContact')
    const names = cards && fieldsOf(cards).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['contacts', 'contacts.0', 'contacts.0.fullName', 'phone']))
  })

  it('are set and taken out without touching the input they come from', () => {
    const input = { a: [{ b: 1 }], c: 2 }
    expect(withValue(input, ['a', 0, 'b'], 3)).toEqual({ a: [{ b: 3 }], c: 2 })
    expect(withValue(input, ['c'], undefined)).toEqual({ a: [{ b: 1 }] })
    expect(input).toEqual({ a: [{ b: 1 }], c: 2 })
  })
})
