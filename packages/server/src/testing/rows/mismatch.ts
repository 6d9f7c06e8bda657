import type { FieldDef } from 'pg'
import type { Kind, ObjectType, RowTypes, ValueType } from './types.ts'

/** The kind of a column by the oid of its type, as the pools of db.ts read it. Oids of other types arrive as text. */
const kinds = new Map<number, Kind | 'json'>([
  [16, 'boolean'],
  [17, 'Buffer'],
  ...[20, 21, 23, 26, 700, 701].map((oid) => [oid, 'number'] as const),
  [114, 'json'],
  [3802, 'json'],
  [1114, 'Date'],
  [1184, 'Date'],
])

/** The oid of an item, by the oid of an array. */
const itemOids = new Map([
  [1000, 16],
  [1001, 17],
  [1005, 21],
  [1007, 23],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1028, 26],
  [199, 114],
  [3807, 3802],
  [1115, 1114],
  [1185, 1184],
  [1009, 25],
  [1015, 25],
  [1182, 1082],
  [1231, 1700],
  [2951, 2950],
])

/** A result may be large, and its rows are alike. */
const mostRows = 100

/**
 * Returns what is wrong with a result by the declared type of its rows, such as `dueAt is null, but declared Date`:
 * columns that are missing or of another type, nulls, values that are no literal of a union, and JSON of another form.
 * Undefined when nothing is.
 */
export function mismatchOf(
  { types }: Pick<RowTypes, 'types'>,
  type: number,
  fields: readonly FieldDef[],
  rows: readonly object[],
): string | undefined {
  const declared = types[type]
  if (declared === undefined || declared.any) return undefined
  const inColumns = firstOfNone(declared.objects, (object) => mismatchOfColumns(types, object, fields))
  if (inColumns !== undefined) return inColumns
  for (const row of rows.slice(0, mostRows)) {
    const found = mismatchOfValue(types, declared, row, '')
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the first thing that is found for each of these, or undefined when nothing is found for one of them. */
function firstOfNone<T>(all: readonly T[], find: (one: T) => string | undefined): string | undefined {
  let first: string | undefined
  for (const one of all) {
    const found = find(one)
    if (found === undefined) return undefined
    first ??= found
  }
  return first
}

function mismatchOfColumns(
  types: readonly ValueType[],
  { members }: ObjectType,
  fields: readonly FieldDef[],
): string | undefined {
  for (const [name, [type, optional]] of Object.entries(members)) {
    const field = fields.find((one) => one.name === name)
    if (field === undefined) {
      if (optional) continue
      return `${name} is declared, but the columns are ${fields.map((one) => one.name).join(', ')}`
    }
    const found = mismatchOfColumn(types, types[type], field.dataTypeID)
    if (found !== undefined) return `${name} is ${found}`
  }
  return undefined
}

function mismatchOfColumn(
  types: readonly ValueType[],
  declared: ValueType | undefined,
  oid: number,
): string | undefined {
  if (declared === undefined || declared.any) return undefined
  const item = itemOids.get(oid)
  if (item !== undefined) {
    if (declared.items.some((type) => mismatchOfColumn(types, types[type], item) === undefined)) return undefined
    return `an array of ${nameOf(item)}, but declared ${textOf(types, declared)}`
  }
  const kind = kinds.get(oid) ?? 'string'
  if (kind === 'json' || declared.kinds.includes(kind)) return undefined
  if (declared.literals.some((literal) => typeof literal === kind)) return undefined
  // A column of nulls alone has the type text.
  if (oid === 25 && declared.kinds.includes('null')) return undefined
  return `${kind}, but declared ${textOf(types, declared)}`
}

function nameOf(oid: number): string {
  return kinds.get(oid) ?? 'string'
}

function mismatchOfValue(
  types: readonly ValueType[],
  declared: ValueType | undefined,
  value: unknown,
  path: string,
): string | undefined {
  if (declared === undefined || declared.any) return undefined
  const kind = kindOf(value)
  if (kind === 'array') {
    for (const [at, item] of (value as unknown[]).entries()) {
      const place = `${path}[${at}]`
      const found = firstOfNone(declared.items, (type) => mismatchOfValue(types, types[type], item, place))
      if (found !== undefined) return found
    }
    return declared.items.length > 0 ? undefined : `${path} is an array, but declared ${textOf(types, declared)}`
  }
  if (kind === 'object') {
    if (declared.objects.length === 0) return `${path} is an object, but declared ${textOf(types, declared)}`
    return firstOfNone(declared.objects, (object) => mismatchOfObject(types, object, value as object, path))
  }
  if (declared.kinds.includes(kind) || declared.literals.includes(value as string)) return undefined
  const shown = typeof value === 'string' && declared.literals.length > 0 ? JSON.stringify(value) : kind
  return `${path} is ${shown}, but declared ${textOf(types, declared)}`
}

function mismatchOfObject(
  types: readonly ValueType[],
  { members, others }: ObjectType,
  value: object,
  path: string,
): string | undefined {
  const begin = path === '' ? '' : `${path}.`
  for (const [name, [type, optional]] of Object.entries(members)) {
    if (!Object.hasOwn(value, name)) {
      if (optional) continue
      return `${begin}${name} is missing`
    }
    const found = mismatchOfValue(types, types[type], value[name as keyof object], `${begin}${name}`)
    if (found !== undefined) return found
  }
  if (others === undefined) return undefined
  for (const [name, other] of Object.entries(value)) {
    const found = Object.hasOwn(members, name)
      ? undefined
      : mismatchOfValue(types, types[others], other, `${begin}${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function kindOf(value: unknown): Kind | 'array' | 'object' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Date) return 'Date'
  if (Buffer.isBuffer(value)) return 'Buffer'
  return typeof value as Kind | 'object'
}

function textOf(types: readonly ValueType[], { any, kinds: named, literals, items, objects }: ValueType): string {
  if (any) return 'unknown'
  const arrays = items.map((type) => `(${textOf(types, types[type] ?? empty)})[]`)
  const values = literals.map((literal) => JSON.stringify(literal))
  return [...named, ...values, ...arrays, ...objects.map(() => 'object')].join(' | ') || 'never'
}

const empty: ValueType = { kinds: [], literals: [], items: [], objects: [] }
