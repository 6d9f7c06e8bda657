import type { World } from '#billing/payments/simulator/world.ts'
import { Refusal } from '#billing/payments/simulator/world.ts'
import type { ApiCall } from './call.ts'
import { listAt } from './form.ts'

/** Fields that are shown only when they are expanded. */
const includable: Readonly<Record<string, readonly string[]>> = {
  invoice: ['payments'],
  price: ['currency_options'],
}

/** The most levels of an expansion. */
const maxLevels = 4

/** Returns an object as the provider shows it: with the fields that the call expands, and without those it does not. */
export function shown(call: ApiCall, object: object, world: World | null): unknown {
  const paths = listAt(call.params, 'expand').map((path) => String(path).split('.'))
  for (const path of paths) {
    if (path.length > maxLevels) throw new Refusal('You cannot expand more than 4 levels of a property.')
  }
  return show(structuredClone(object), paths, world)
}

function show(value: unknown, paths: readonly string[][], world: World | null): unknown {
  if (Array.isArray(value)) return value.map((one) => show(one, paths, world))
  if (typeof value !== 'object' || value === null) return value
  const object = value as Record<string, unknown>
  const hidden = includable[String(object.object)] ?? []
  const wanted = new Set(paths.map(([first]) => first))
  const entries = Object.entries(object)
    .filter(([name]) => !hidden.includes(name) || wanted.has(name))
    .map(([name, inner]) => {
      const deeper = paths.filter(([first]) => first === name).map(([, ...rest]) => rest)
      const isWanted = deeper.length > 0
      const full = isWanted && typeof inner === 'string' ? (find(world, inner) ?? inner) : inner
      return [
        name,
        show(
          full,
          deeper.filter((path) => path.length > 0),
          world,
        ),
      ]
    })
  return Object.fromEntries(entries)
}

function find(world: World | null, id: string): object | undefined {
  if (world === null) return undefined
  const { cards, intents, charges, invoices, subscriptions } = world
  return [...cards, ...intents, ...charges, ...invoices, ...subscriptions].find((object) => object.id === id)
}
