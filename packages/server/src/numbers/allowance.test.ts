import { type Product, products } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { computeAllowance } from './allowance.ts'

const of = (held: readonly Product[], extra: number, used: number) => computeAllowance(new Set(held), extra, used)

describe('how many numbers products allow', () => {
  it.each<[readonly Product[], number | null]>([
    [[], 0],
    [['notify'], null],
    [['assistant'], null],
    [['shop'], null],
    [['notify', 'assistant', 'shop'], null],
    [['developer'], 3],
    [['connect'], 3],
    [['developer', 'connect'], 3],
    [['notify', 'developer'], 3],
    [['shop', 'connect'], 3],
    [products, 3],
  ])('with %j the maximum is %j', (held, maxSessions) => {
    expect(of(held, 0, 0).maxSessions).toBe(maxSessions)
  })

  it('adds what was bought to the included ones', () => {
    expect(of(['developer'], 2, 4)).toEqual({
      maxSessions: 5,
      canCreate: true,
      capped: true,
      included: 3,
      extra: 2,
      used: 4,
      max: 5,
      over: 0,
    })
  })

  it.each([
    [2, true, 0],
    [3, false, 0],
    [5, false, 2],
  ])('with %i of 3 used, one more may be added: %s, and %i are over', (used, canCreate, over) => {
    expect(of(['connect'], 0, used)).toMatchObject({ canCreate, over })
  })

  it('is capped at none without a product, and what was bought does not help', () => {
    expect(of([], 2, 1)).toMatchObject({ maxSessions: 0, canCreate: false, capped: true, max: 0, extra: 0, over: 1 })
  })

  it('has nothing over and always room without a cap', () => {
    expect(of(['notify'], 2, 40)).toMatchObject({ canCreate: true, capped: false, over: 0, used: 40 })
  })
})
