import { usageFailure } from '../errors/exit-codes.ts'

/** One value of a record, as people see it. */
export interface Column {
  /** Where the value is, with dots for what lies deeper: `stats.total`. */
  readonly field: string
  readonly title: string
  /** What a person sees instead of the bare value. */
  readonly show?: (value: unknown) => string
  /** Long text that a table may cut on a terminal. */
  readonly long?: true
  /** Shown only when --fields name it: a field that most records leave out. */
  readonly onRequest?: true
}

/** The value at a dotted path, or undefined. */
export function valueAt(record: unknown, field: string): unknown {
  let value = record
  for (const name of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** A value as bare text: lists with commas, deeper records as JSON, nothing for null. */
export function bareText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) {
    return value.every((entry) => typeof entry !== 'object') ? value.join(',') : JSON.stringify(value)
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const instant = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/

/** A value for a person: a dash for nothing, yes and no, and times without the T and the milliseconds. */
export function shownText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value.replace(instant, '$1 $2Z')
  return Array.isArray(value) && value.length === 0 ? '-' : bareText(value).replaceAll(',', ', ')
}

/** The fields named by --fields, or undefined without it. Throws a usage failure for an empty list. */
export function fieldsFrom(list: string | undefined): readonly string[] | undefined {
  if (list === undefined) return undefined
  const fields = list.split(',').map((field) => field.trim())
  if (fields.some((field) => !/^[\w.-]+$/.test(field))) {
    throw usageFailure('--fields takes names separated by commas, for example --fields id,status.')
  }
  return fields
}

/** The record with only the named fields, under the names that were asked for; null where it has none. */
export function pick(record: unknown, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, valueAt(record, field) ?? null]))
}
