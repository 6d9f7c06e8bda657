import type { Schema } from './document.ts'
import {
  invalidBodies,
  invalidHeaders,
  invalidIds,
  invalidParams,
  invalidQueries,
  invalidTexts,
  invalidValues,
} from './invalid-values.ts'
import { type KnownIds, kindOf } from './known-ids.ts'
import type { Random } from './random.ts'
import { anyPlace, type Place, type RequestDraft } from './request-builder.ts'

/** Things for changes: chance, and what belongs to another organization. */
interface Changing {
  readonly random: Random
  readonly strangers: KnownIds
}

/** Changes a draft, and says whether it could. */
type Change = (draft: RequestDraft, changing: Changing) => boolean

/** Puts something into one place of the body; none when the body has no place or `make` has nothing. */
function atPlace(make: (was: unknown, random: Random, draft: RequestDraft, place: Place) => unknown): Change {
  return (draft, { random }) => {
    const place = anyPlace(draft, random)
    if (!place) return false
    const value = make(place.holder[place.key], random, draft, place)
    if (value === undefined) return false
    place.holder[place.key] = value
    return true
  }
}

/** The schema of a field of that name, wherever the body has it. */
function schemaNamed(schema: Schema | undefined, name: string | number): Schema | undefined {
  if (!schema) return undefined
  const own = schema.properties?.[name]
  if (own) return own
  for (const inner of [schema.items, ...Object.values(schema.properties ?? {})]) {
    const found = schemaNamed(inner, name)
    if (found) return found
  }
  return undefined
}

/** A text or list just within and just beyond its bounds, and far beyond. */
function resized(was: unknown, random: Random, draft: RequestDraft, { key }: Place): unknown {
  const schema = schemaNamed(draft.operation.body, key)
  if (typeof was === 'string') {
    const { minLength = 0, maxLength = 100 } = schema ?? {}
    const length = random.pick([minLength - 1, minLength, maxLength, maxLength + 1, 70_000])
    const characters = [...(was || 'x')]
    return Array.from({ length: Math.max(0, length) }, (_, index) => characters[index % characters.length]).join('')
  }
  if (typeof was === 'number') {
    const { minimum = 0, maximum = 100 } = schema ?? {}
    return random.pick([minimum - 1, minimum, maximum, maximum + 1, -0, minimum + 0.5, 1e300, 2 ** 53])
  }
  if (!Array.isArray(was)) return undefined
  const { maxItems = 20 } = schema ?? {}
  const length = random.pick([0, 1, 600, Math.min(maxItems, 2000) + 1])
  return Array.from({ length }, () => was[0] ?? 'x')
}

const nest = (depth: number): unknown => (depth === 0 ? 'x' : depth % 2 ? [nest(depth - 1)] : { in: nest(depth - 1) })

/** A copy, because the next change may be one inside it. */
const oddValue = (random: Random): unknown => structuredClone(random.pick(invalidValues))

function dropField(draft: RequestDraft, { random }: Changing): boolean {
  const place = anyPlace(draft, random)
  if (!place) return false
  if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1)
  else delete place.holder[place.key]
  return true
}

function addField(draft: RequestDraft, { random }: Changing): boolean {
  const { json } = draft
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false
  const name = random.pick(['extra', 'constructor', 'toString', 'hasOwnProperty', 'organizationId', 'id', '', 'a.b'])
  Object.assign(json, { [name]: random.chance(0.3) ? oddValue(random) : random.pick(invalidTexts) })
  return true
}

/** Names one field twice, or sets the prototype, which only a text can do. */
function repeatKey(draft: RequestDraft, { random }: Changing): boolean {
  const { json } = draft
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false
  const key = random.pick([...Object.keys(json), '__proto__'])
  const first = `{${JSON.stringify(key)}:${JSON.stringify(random.pick(invalidValues))}`
  const rest = JSON.stringify(json).slice(1)
  draft.rawBody = Buffer.from(`${first}${rest === '}' ? '' : ','}${rest}`)
  return true
}

function oddBody(draft: RequestDraft, { random }: Changing): boolean {
  draft.rawBody = random.pick(invalidBodies)[1]
  return true
}

function paramChange(make: (name: string, draft: RequestDraft, changing: Changing) => string | undefined): Change {
  return (draft, changing) => {
    if (draft.params.size === 0) return false
    const name = changing.random.pick([...draft.params.keys()])
    const value = make(name, draft, changing)
    if (value === undefined) return false
    draft.params.set(name, value)
    return true
  }
}

/** An id of another organization in the path, the query or the body, wherever the operation takes one. */
function strangersId(draft: RequestDraft, { random, strangers }: Changing): boolean {
  const stranger = (field: string) => {
    // A queued message is a message: of strangers only the latter is known.
    const kind = kindOf(draft.operation.id, field)?.split(' ').at(-1)
    return kind && strangers.pick(kind, random)
  }
  for (const name of draft.params.keys()) {
    const id = stranger(name)
    if (id === undefined) continue
    draft.params.set(name, encodeURIComponent(id))
    return true
  }
  const id = stranger('containerId')
  if (id === undefined) return false
  if (draft.operation.parameters.some(({ name }) => name === 'containerId')) {
    draft.query = [...draft.query.filter((pair) => !pair.startsWith('containerId=')), `containerId=${id}`]
    return true
  }
  if (!schemaNamed(draft.operation.body, 'containerId')) return false
  draft.json = { ...(draft.json as object), containerId: id }
  return true
}

function oddQuery(draft: RequestDraft, { random }: Changing): boolean {
  draft.query = [...(random.chance(0.5) ? draft.query : []), random.pick(invalidQueries)]
  return true
}

function oddHeader(draft: RequestDraft, { random }: Changing): boolean {
  const [name, value] = random.pick(invalidHeaders)
  const others = draft.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  draft.headers = [...others, [name, value]]
  return true
}

/** The name of the change after which nothing may succeed. */
export const strangersChange = "an id is another organization's"

/** Every way of changing a good request, by its name. */
export const changes: Readonly<Record<string, Change>> = {
  'a field is missing': dropField,
  'a field is unknown': addField,
  'a field is named twice': repeatKey,
  'a value has another type': atPlace((_was, random) => oddValue(random)),
  'a value has another size': atPlace(resized),
  'a text is odd': atPlace((was, random) => (typeof was === 'string' ? random.pick(invalidTexts) : undefined)),
  'an id is odd': atPlace((was, random) =>
    typeof was === 'string' && /^[0-9a-f-]{36}$/.test(was) ? random.pick(invalidIds()) : undefined,
  ),
  'a value is deep': atPlace((_was, random) => nest(random.pick([5, 31, 33, 500]))),
  'the body is odd': oddBody,
  'the query is odd': oddQuery,
  'a header is odd': oddHeader,
  'a path parameter is odd': paramChange((_name, _draft, { random }) => random.pick(invalidParams)),
  'an id in the path is odd': paramChange((_name, _draft, { random }) => encodeURIComponent(random.pick(invalidIds()))),
  [strangersChange]: strangersId,
}
