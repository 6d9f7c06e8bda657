import { describe, expect, test } from 'vitest'
import { amountFault, fromProvider, providerStep, toProvider } from './minor-units.ts'

describe('amounts at the boundary', () => {
  test.each([
    ['USD', 1900, 1900],
    ['JPY', 2900, 2900],
    ['KWD', 5900, 5900],
    ['ISK', 2500, 250_000],
    ['UGX', 70_000, 7_000_000],
    ['MGA', 8_000_000, 80_000],
  ])('%s: %i of ISO 4217 is %i at the provider', (currency, ours, theirs) => {
    expect(toProvider(ours, currency)).toBe(theirs)
    expect(fromProvider(theirs, currency)).toBe(ours)
  })

  test('an amount that the provider cannot charge is named', () => {
    expect(amountFault(5905, 'KWD')).toBe('amounts in KWD must end in 0')
    expect(amountFault(150, 'MGA')).toBe('amounts in MGA must end in 00')
    expect([amountFault(5900, 'KWD'), amountFault(1, 'JPY'), amountFault(1999, 'USD')]).toEqual([null, null, null])
  })

  test('amounts that are computed keep to the steps of the provider', () => {
    expect(['USD', 'JPY', 'TND', 'ISK', 'UGX', 'MGA'].map(providerStep)).toEqual([1, 1, 10, 100, 100, 1])
  })
})
