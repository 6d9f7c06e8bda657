import { randomBytes } from 'node:crypto'
import { contract } from '@msgctl/contract'
import { kindOfExample, type OwnedKind } from '@msgctl/contract/examples'
import type * as z from 'zod'
import type { Sent } from './call.ts'
import type { MountedRoute } from './mounted.ts'

/** Ids that exist, by the kind of thing they name. */
export type KnownIds = Readonly<Partial<Record<OwnedKind, string>>>

/** What good input is made with: ids, and an address that may be reached where a link will be followed. */
export type Known = KnownIds & { readonly link?: string }

type Fields = Readonly<Record<string, unknown>>

/** What the path names besides ids: a person of the simulated network, and an order that the tests make. */
const pathTexts: Readonly<Record<string, string>> = { phone: '+12025550100', orderNumber: '1001' }

/** Fields that no example input has, but whose bounds are tested. */
const unshown: Fields = {
  caption: 'hello again',
  recipients: contract.campaigns.create.example.input?.recipients,
  hours: { timeZone: 'UTC', week: [{ day: 1, from: '09:00', to: '17:00' }], closed: ['2026-12-25'] },
  personWords: ['boss'],
  shop: { enabled: false, currency: 'EUR' },
}

/** Returns a value of an example, with ids that exist as far as they are known, and texts that a test may send. */
function fitting(value: unknown, name: string, known: Known): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((entry) => fitting(entry, name, known)))]
  if (name === 'endsAt') return new Date(Date.now() + 30 * 86_400_000).toISOString()
  if (name === 'email') return `${randomBytes(8).toString('hex')}@example.com`
  if (typeof value === 'string' && value.startsWith('https://')) return known.link ?? 'https://files.example/'
  const kind = kindOfExample(value)
  return (kind && (known as Readonly<Record<string, string>>)[kind]) ?? value
}

const namesIds = (value: unknown) => [value].flat().some((entry) => kindOfExample(entry) !== undefined)

/** Returns the part of the example that a schema takes, without ids where it needs none. */
function part(schema: z.ZodObject | undefined, example: Fields, known: Known): Fields {
  const own = Object.entries(example).filter(([name]) => schema && name in schema.shape)
  const from = (fields: typeof own) => Object.fromEntries(fields.map(([n, value]) => [n, fitting(value, n, known)]))
  const plain = from(own.filter(([, value]) => !namesIds(value)))
  return schema?.safeParse(plain).success ? plain : from(own)
}

/** Returns the fewest of these fields that the schema takes, with lists that are as short as it takes them. */
function needed(schema: z.ZodObject | undefined, given: Fields): Fields {
  let least = given
  for (const [name, value] of Object.entries(given).reverse()) {
    const { [name]: _, ...rest } = least
    const shorter = Array.isArray(value) ? [{ ...least, [name]: value.slice(0, 1) }] : []
    least = [rest, ...shorter].find((fields) => schema?.safeParse(fields).success) ?? least
  }
  return least
}

/** Input that the route takes, with ids of `known`: what its example needs to be taken. */
export function goodInput({ route, ids }: MountedRoute, known: Known = {}): Sent {
  const example: Fields = route.example.input ?? {}
  const params = Object.keys(route.params?.shape ?? {}).map((name) => {
    const value = ids.includes(name) ? fitting(example[name], name, known) : (pathTexts[name] ?? example[name])
    return [name, String(value)]
  })
  const query = Object.entries(needed(route.query, part(route.query, example, known)))
  const body = part(route.body, example, known)
  const least = needed(route.body, body)
  return {
    // A body that needs nothing would change nothing.
    ...(route.body && { body: Object.keys(least).length > 0 ? least : body }),
    ...(query.length > 0 && { query: Object.fromEntries(query.map(([name, value]) => [name, String(value)])) }),
    params: Object.fromEntries(params),
  }
}

/** Good input of the route that goes together with this field of its body. */
export function goodInputWith(mounted: MountedRoute, field: string, known: Known = {}): Sent {
  const good = goodInput(mounted, known)
  const [name = ''] = field.split('.')
  const { body, example } = mounted.route
  const value = fitting(example.input?.[name], name, known) ?? unshown[name]
  if (!body || !(name in body.shape) || value === undefined) return good
  const both = { [name]: value, ...(good.body as Fields) }
  return { ...good, body: body.safeParse(both).success ? both : { [name]: value } }
}

/** The kind of thing that a path parameter of the route names; undefined when no example of it is known. */
export function idKind({ route }: Pick<MountedRoute, 'route'>, param: string): string | undefined {
  return kindOfExample(route.example.input?.[param])
}
