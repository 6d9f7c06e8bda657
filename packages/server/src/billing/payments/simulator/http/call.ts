import type { PaySim } from '#billing/payments/simulator/context.ts'
import type { Catalog } from '#billing/payments/simulator/store.ts'
import { type Play, Refusal } from '#billing/payments/simulator/world.ts'
import type { Db } from '#platform/db/db.ts'
import { type FormValue, textOf } from './form.ts'

/** A request of Stripe's library, as plain data. */
export interface ApiCall {
  /** Such as `POST /v1/customers`. */
  readonly name: string
  /** The ids that the path names. */
  readonly ids: readonly string[]
  readonly params: FormValue
}

/** A call that is about one customer. */
export interface CustomerRoute {
  readonly call: RegExp
  /** Any id of the customer; null: the customer is made by the call. */
  readonly whose: (call: ApiCall) => string | null
  readonly run: (play: Play, call: ApiCall) => object
}

/** A call that is about no customer. */
export interface CatalogRoute {
  readonly call: RegExp
  readonly runOnCatalog: (sim: PaySim, trx: Db, catalog: Catalog, call: ApiCall) => Promise<object>
}

export type ApiRoute = CustomerRoute | CatalogRoute

/** Returns the id that the path names. */
export function idOf(call: ApiCall): string {
  return call.ids[0] ?? ''
}

/** Whose the object is that the path names. */
export const byPath = (call: ApiCall): string => idOf(call)

/** Whose the object is: the parameter `customer` names them. */
export function byCustomer(call: ApiCall): string {
  return needed(call, 'customer')
}

/** Returns a parameter that has to be there. */
export function needed(call: ApiCall, ...path: readonly string[]): string {
  const found = textOf(call.params, ...path)
  if (found) return found
  throw new Refusal(`Missing required param: ${path.join('.')}.`, { code: 'parameter_missing' })
}

/** Returns a page of `objects`, newest first, as the parameters of the call want it. */
export function page<T extends { readonly id?: string }>(call: ApiCall, objects: readonly T[], url: string) {
  const limit = Math.min(100, Math.max(1, Number(textOf(call.params, 'limit') ?? 10)))
  const after = textOf(call.params, 'starting_after')
  const from = after === undefined ? 0 : objects.findIndex(({ id }) => id === after) + 1
  const data = objects.slice(from, from + limit)
  return { object: 'list' as const, url, has_more: from + limit < objects.length, data }
}

/** Returns `objects` with the newest first: they are kept with the oldest first. */
export function newestFirst<T>(objects: readonly T[]): T[] {
  return [...objects].reverse()
}
