import type { Route } from '@msgctl/contract'
import { bodyBoundsOf } from '#api/http/body/scan.ts'
import { type FieldSchema, inputSchema } from '#testing/matrix/fields.ts'
import type { MountedRoute } from '#testing/matrix/mounted.ts'
import { type Letters, largestText, shortestText } from './largest-text.ts'

/** Whether an input has as many entries as it may, with short texts, or the longest texts in as many entries as fit. */
type Kind = 'entries' | 'texts'

/** The largest query and body of a route. */
export interface LargestInput {
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

/** What an input is made of. */
export interface Recipe {
  readonly kind: Kind
  readonly letters: Letters
}

/** Fields that exclude another one, which is sent instead. */
const excluded: Readonly<Record<string, readonly string[]>> = {
  'alert.sendImage': ['mediaId'],
  'alert.sendVideo': ['mediaId'],
  'alert.sendFile': ['mediaId'],
  'alert.sendVoice': ['mediaId'],
  'alert.edit': ['caption'],
  'auth.secondStep': ['code'],
  'auth.disableTwoFactor': ['code'],
  'bots.resolveReview': ['dismiss'],
}

/** Bytes of a body beside its longest list. */
const frameBytes = 12 * 1024
const marksOfFrame = 1000

/** Returns the largest input that the contract and the bounds of bodies allow. */
export function largestInput({ name, route }: MountedRoute, recipe: Recipe): LargestInput {
  const bounds = bodyBoundsOf(route)
  const room = {
    bytes: bounds.maxBytes - Math.min(frameBytes, bounds.maxBytes / 2),
    marks: bounds.lists?.marks ?? bounds.marks - Math.min(marksOfFrame, bounds.marks / 2),
  }
  const left = excluded[name] ?? []
  const build = (schema: typeof route.body, isQuery: boolean) => {
    const place = { ...recipe, path: [], isQuery, room }
    return schema ? (largest(without(inputSchema(schema), left), place) as Record<string, unknown>) : {}
  }
  return { query: build(route.query, true), body: build(bodySchemaOf(route), false) }
}

/** The schema of a body; the bytes of an upload have a reader of their own. */
export function bodySchemaOf({ upload, body }: Route): Route['body'] {
  return upload ? body?.omit({ content: true }) : body
}

function without(schema: FieldSchema, names: readonly string[]): FieldSchema {
  const kept = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  return { ...schema, properties: Object.fromEntries(kept) }
}

interface Place extends Recipe {
  readonly path: readonly (string | number)[]
  readonly isQuery: boolean
  /** What a list at this place may take. */
  readonly room: { readonly bytes: number; readonly marks: number }
}

function largest(schema: FieldSchema, place: Place): unknown {
  const { anyOf, type, maximum } = schema
  if (anyOf) return longestOf(anyOf.map((one) => largest(one, place)))
  if (schema.const !== undefined) return schema.const
  if (schema.enum)
    return place.path.some((key) => typeof key === 'number') ? entryOf(schema.enum, place) : longestOf(schema.enum)
  if (type === 'string') return place.kind === 'texts' ? largestText(schema, place) : shortestText(schema, place)
  if (type === 'array') return list(schema, place)
  if (type === 'object')
    return typeof schema.additionalProperties === 'object' ? record(schema, place) : object(schema, place)
  if (type === 'integer' || type === 'number') return maximum
  return type === 'boolean' ? true : null
}

function longestOf(values: readonly unknown[]): unknown {
  const lengthOf = (value: unknown) => JSON.stringify(value)?.length ?? 0
  return values.reduce((longest, value) => (lengthOf(value) > lengthOf(longest) ? value : longest))
}

function entryOf(values: readonly unknown[], { path }: Place): unknown {
  return values[Number(path.findLast((key) => typeof key === 'number')) % values.length]
}

function object({ properties = {} }: FieldSchema, place: Place): object {
  const fields = Object.entries(properties)
  return Object.fromEntries(
    fields.map(([name, field]) => [name, largest(field, { ...place, path: [...place.path, name] })]),
  )
}

/** Long lists of the same entries are built once. */
const longLists = new Map<string, unknown[]>()
const longFrom = 1000

/** As many entries as the list may have, or as fit where they are long. In a query, a list is a text with commas. */
function list(schema: FieldSchema, place: Place): unknown {
  if (place.isQuery) return entriesOf(schema, place).join(',')
  if ((schema.maxItems ?? 0) < longFrom) return entriesOf(schema, place)
  const key = JSON.stringify([schema.items, schema.maxItems, place], (name, value) =>
    name === 'description' ? '' : value,
  )
  const entries = longLists.get(key) ?? entriesOf(schema, place)
  longLists.set(key, entries)
  return entries
}

function entriesOf({ items = {}, maxItems = 0, uniqueItems }: FieldSchema, place: Place): unknown[] {
  const { bytes, marks } = place.room
  const choices = items.enum && uniqueItems ? items.enum.length : maxItems
  const entries: unknown[] = []
  let [usedBytes, usedMarks] = [0, 0]
  while (entries.length < Math.min(maxItems, choices)) {
    const entry = largest(items, { ...place, path: [...place.path, entries.length] })
    const text = JSON.stringify(entry)
    usedBytes += Buffer.byteLength(text) + 1
    usedMarks += 1 + marksOf(entry)
    if (usedBytes > bytes || usedMarks > marks) break
    entries.push(entry)
  }
  return entries
}

/** The marks of a value: one for each bracket that opens, and one for each colon and comma. */
function marksOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  const own = Array.isArray(value) ? inner.length : 2 * inner.length
  return 1 + inner.reduce((sum: number, one) => sum + marksOf(one), own)
}

/** All entries of a list have the same record. */
const records = new Map<string, WeakMap<FieldSchema, object>>()

function record(schema: FieldSchema, place: Place): object {
  const recipe = `${place.kind} ${place.letters}`
  const known = records.get(recipe) ?? new WeakMap<FieldSchema, object>()
  records.set(recipe, known)
  const made =
    known.get(schema) ?? toRecord(schema, { ...place, path: place.path.filter((key) => typeof key === 'string') })
  known.set(schema, made)
  return made
}

function toRecord({ additionalProperties, propertyNames = {}, maxProperties = 0 }: FieldSchema, place: Place): object {
  const names = propertyNames.enum ?? Array.from({ length: maxProperties }, (_, n) => keyOf(propertyNames, n, place))
  const value = additionalProperties as FieldSchema
  const entries = names.map((name) => [String(name), largest(value, { ...place, path: [...place.path, String(name)] })])
  return Object.fromEntries(entries)
}

function keyOf(schema: FieldSchema, n: number, place: Place): string {
  const make = place.kind === 'texts' ? largestText : shortestText
  return make(schema, { ...place, path: [...place.path, n] })
}
