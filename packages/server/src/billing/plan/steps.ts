import type { StoredItem } from '#billing/accounts/stored.ts'
import type { ItemChange } from '#billing/payments/provider.ts'
import type { PlanLine } from '#billing/payments/provider-records.ts'

/** The calls that change a plan: the first happens only if it is paid, the rest after it. */
export interface Steps {
  readonly first: readonly ItemChange[]
  /** Items that only leave. */
  readonly rest: readonly ItemChange[]
}

/**
 * Returns the calls that lead from the present items to a plan. Only the price and the quantity of items may change in
 * a call that is conditional on its payment, so a product that leaves and one that comes are one item whose price
 * changes, and are one net invoice. Items of others than ours stay. With `again` every item that stays is named too:
 * its period changes.
 */
export function stepsTo(present: readonly StoredItem[], plan: readonly PlanLine[], again: boolean): Steps {
  const own = present.filter(({ item }) => item !== null)
  const stays = (item: StoredItem) => plan.some((line) => line.item === item.item)
  const coming = plan.filter((line) => !own.some(({ item }) => item === line.item))
  const leaving = own.filter((item) => !stays(item))
  const changed = own.flatMap((item) => {
    const line = plan.find((one) => one.item === item.item)
    return line && (again || line.quantity !== item.quantity) ? [{ id: item.id, ...line }] : []
  })
  const places = leaving.filter(({ item }) => item !== 'extra_numbers')
  const comingProducts = coming.filter(({ item }) => item !== 'extra_numbers')
  const swapped = comingProducts.slice(0, places.length).map((line, at) => ({ id: places[at]?.id ?? '', ...line }))
  const added = coming.filter((line) => !swapped.some(({ item }) => item === line.item))
  const left = leaving.filter(({ id }) => !swapped.some((one) => one.id === id))
  return {
    first: [...swapped, ...changed, ...added],
    rest: left.map(({ id }) => ({ id, deleted: true })),
  }
}
