import type { Operation, Schema } from './document.ts'
import type { Random } from './random.ts'
import { type Making, valueFor } from './values.ts'

/** A request on its way to the wire: first good, then changed. */
export interface RequestDraft {
  readonly operation: Operation
  /** Path parameters as they are written into the path, encoded already. */
  readonly params: Map<string, string>
  /** Pairs of the query, encoded already. */
  query: string[]
  headers: [name: string, value: string][]
  /** The body as JSON; ignored when `rawBody` is there, and not sent when both are undefined. */
  json: unknown
  rawBody: Buffer | undefined
  /** The names of the changes. */
  readonly changes: string[]
}

const encoded = (value: unknown) => encodeURIComponent(String(value))

/** A request that the document allows, with these credentials. */
export function buildRequest(
  operation: Operation,
  making: Making,
  credentials: Readonly<Record<string, string>>,
): RequestDraft {
  const { random } = making
  const params = new Map<string, string>()
  const query: string[] = []
  const headers: [string, string][] = Object.entries(credentials)
  for (const { name, in: place, required, schema } of operation.parameters) {
    if (place === 'path') params.set(name, encoded(valueFor(schema, name, making)))
    else if (!required && !random.chance(0.35)) continue
    else if (place === 'query') query.push(...queryOf(name, schema, making))
    else headers.push([name, `key-${random.below(1_000_000_000)}`])
  }
  const json = operation.body && bodyOf(operation.body, making)
  return { operation, params, query, headers, json, rawBody: undefined, changes: [] }
}

/** Some parameters mean nothing without something that exists, such as the end of an earlier page. */
function queryOf(name: string, schema: Schema, making: Making): string[] {
  const value = valueFor(schema, name, making)
  const cursor = name === 'cursor' || name === 'after'
  return cursor && !/^[\w=-]{8,}$/.test(String(value)) ? [] : [`${encoded(name)}=${encoded(value)}`]
}

/** A body; where every field is optional, mostly with at least one of them. */
function bodyOf(schema: Schema, making: Making): unknown {
  const names = Object.keys(schema.properties ?? {})
  const value = valueFor(schema, '', making) as Record<string, unknown>
  if (names.length === 0 || Object.keys(value).length > 0 || making.random.chance(0.1)) return value
  const name = making.random.pick(names)
  return { [name]: valueFor(schema.properties?.[name] ?? {}, name, making) }
}

/** Everything inside a body that can be changed: where it stands, and what stands there. */
export interface Place {
  readonly holder: Record<string | number, unknown>
  readonly key: string | number
}

/** Every place inside `value`, outer ones first, at most `limit`. */
function placesIn(value: unknown, limit = 200): Place[] {
  const places: Place[] = []
  const open = [value]
  for (let next = open.shift(); next !== undefined && places.length < limit; next = open.shift()) {
    if (typeof next !== 'object' || next === null) continue
    const holder = next as Record<string | number, unknown>
    for (const key of Object.keys(holder)) {
      places.push({ holder, key })
      open.push(holder[key])
    }
  }
  return places
}

/** One place inside the draft's JSON, undefined when there is none. */
export function anyPlace({ json }: RequestDraft, random: Random): Place | undefined {
  const places = placesIn(json)
  return places.length === 0 ? undefined : random.pick(places)
}
