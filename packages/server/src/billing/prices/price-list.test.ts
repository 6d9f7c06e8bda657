import { describe, expect, it } from 'vitest'
import { builtInPrices, currencyFor, parsePriceList, priceOf, productsForSale } from './price-list.ts'

const list = {
  currency: 'USD',
  countries: { JP: 'JPY', KW: 'KWD' },
  taxBehavior: 'inclusive',
  products: { notify: { month: { USD: 1900, JPY: 2900, KWD: 5900 } }, shop: { month: { USD: 3900 } } },
  extraNumber: { month: { USD: 1000 } },
}
const parse = (change: object) => () => parsePriceList(JSON.stringify({ ...list, ...change }))

describe('the price list', () => {
  it('is read, and a country chooses the currency', () => {
    const read = parsePriceList(JSON.stringify(list))
    expect(['JP', 'KW', 'DE', null].map((country) => currencyFor(read, country))).toEqual(['JPY', 'KWD', 'USD', 'USD'])
    expect(productsForSale(read, 'JPY')).toEqual(['notify'])
    expect(priceOf(read, 'notify', 'month', 'KWD')).toBe(5900)
    expect(priceOf(read, 'notify', 'year', 'USD')).toBeNull()
    expect(priceOf(read, 'extra_numbers', 'month', 'USD')).toBe(1000)
  })

  it.each([
    ['no JSON', () => parsePriceList('{'), 'is not JSON'],
    ['an unknown product', parse({ products: { fax: {} } }), 'products'],
    ['an unknown field', parse({ discount: 3 }), 'discount'],
    ['an amount with decimals', parse({ products: { shop: { month: { USD: 19.5 } } } }), 'products.shop.month.USD'],
    ['nothing', parse({ products: { shop: { month: { USD: 0 } } } }), 'products.shop.month.USD'],
    ['a currency in small letters', parse({ currency: 'usd' }), 'currency'],
    ['a country that is none', parse({ countries: { XX: 'USD' } }), 'countries'],
    ['KWD that does not end in 0', parse({ products: { shop: { month: { KWD: 5905 } } } }), 'products.shop.month.KWD'],
    ['MGA with decimals', parse({ products: { shop: { month: { MGA: 150 } } } }), 'products.shop.month.MGA'],
  ])('names the place of %s', (_what, read, place) => {
    expect(read).toThrow(place)
  })

  it('has a price for every product by the month and the year where payments are simulated', () => {
    for (const product of productsForSale(builtInPrices, 'USD')) {
      const month = priceOf(builtInPrices, product, 'month', 'USD')
      expect(priceOf(builtInPrices, product, 'year', 'USD')).toBe((month ?? 0) * 10)
    }
    expect(productsForSale(builtInPrices, 'USD')).toHaveLength(5)
  })
})
