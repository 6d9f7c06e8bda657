import { products } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredItem } from '#billing/accounts/stored.ts'
import { toLines } from './rules.ts'
import { type Steps, stepsTo } from './steps.ts'

type Plan = Parameters<typeof toLines>[0]

function itemsOf(plan: Plan): StoredItem[] {
  return toLines(plan).map(({ item, quantity }, at) => ({ id: `si_${at}`, item, quantity, amount: 100 }))
}

/** What a provider has after the calls. */
function after(present: readonly StoredItem[], { first, rest }: Steps) {
  const items = new Map(present.map(({ id, item, quantity }) => [id, { item, quantity }]))
  for (const [at, change] of [...first, ...rest].entries()) {
    if ('deleted' in change) items.delete(change.id)
    else items.set('id' in change ? change.id : `new_${at}`, { item: change.item, quantity: change.quantity })
  }
  return [...items.values()].map(({ item, quantity }) => `${item} x ${quantity}`).sort()
}

const plan = fc.record({
  products: fc.subarray([...products], { minLength: 1 }),
  extraNumbers: fc.integer({ min: 0, max: 3 }),
})

describe('the calls that change a plan', () => {
  it('lead from every plan to every other', () => {
    fc.assert(
      fc.property(plan, plan, fc.boolean(), (from, to, again) => {
        const present = itemsOf(from)
        const steps = stepsTo(present, toLines(to), again)
        expect(after(present, steps)).toEqual(after([], { first: toLines(to), rest: [] }))
        // What is conditional on a payment lets no item leave.
        expect(steps.first.filter((change) => 'deleted' in change)).toEqual([])
        expect(steps.rest.every((change) => 'deleted' in change)).toBe(true)
        // Each item is named once.
        const ids = [...steps.first, ...steps.rest].flatMap((change) => ('id' in change ? [change.id] : []))
        expect(new Set(ids).size).toBe(ids.length)
      }),
    )
  })

  it('are none where nothing changes', () => {
    const from: Plan = { products: ['notify', 'developer'], extraNumbers: 2 }
    expect(stepsTo(itemsOf(from), toLines(from), false)).toEqual({ first: [], rest: [] })
  })

  it('make one item of a product that leaves and one that comes, so that there is one net invoice', () => {
    const steps = stepsTo(
      itemsOf({ products: ['notify', 'shop'], extraNumbers: 0 }),
      [{ item: 'connect', quantity: 1 }],
      false,
    )
    expect(steps).toEqual({
      first: [{ id: 'si_0', item: 'connect', quantity: 1 }],
      rest: [{ id: 'si_1', deleted: true }],
    })
  })

  it('name every item again for another period', () => {
    const steps = stepsTo(itemsOf({ products: ['notify'], extraNumbers: 0 }), [{ item: 'notify', quantity: 1 }], true)
    expect(steps).toEqual({ first: [{ id: 'si_0', item: 'notify', quantity: 1 }], rest: [] })
  })

  it('leave items of others alone', () => {
    const foreign: StoredItem = { id: 'si_9', item: null, quantity: 1, amount: 5 }
    const steps = stepsTo([foreign], [{ item: 'notify', quantity: 1 }], true)
    expect(steps).toEqual({ first: [{ item: 'notify', quantity: 1 }], rest: [] })
  })
})
