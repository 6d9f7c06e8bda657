import { usageFailure } from '../errors/exit-codes.ts'

/** One column of a table or line of a record. */
export interface Column {
  /** The path of the value, with dots: `stats.total`. */
  readonly field: string
  readonly title: string
  /** Formats the value for tables. */
  readonly show?: (value: unknown) => string
  /** Long text, which a table cuts first when it does not fit the terminal. */
  readonly long?: true
  /** Left out of a table that does not fit the terminal. */
  readonly spare?: true
  /** Never cut, because only all of it is of use: a path. As the last column it moves below a row that is too wide. */
  readonly whole?: true
  /** A time that a table shows with its date and hour, not as a distance from now. */
  readonly exact?: true
  /** Shown only when --fields selects it: a field that most records lack. */
  readonly onRequest?: true
}

/** Returns the title of a field without an own one, the last name of its path in words: `Opted out` for `optedOut`. */
function titleOf(field: string): string {
  const words = field.replace(/^.*\./, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Returns columns in their order. A text names fields, with a title after `as` where it is not the field in words:
 * `name, optedOut, id as Contact`.
 */
export function defineColumns(...parts: readonly (string | Column)[]): readonly Column[] {
  return parts.flatMap((part) => {
    if (typeof part !== 'string') return part
    return part.split(', ').map((column) => {
      const [field = '', title = titleOf(field)] = column.split(' as ')
      return { field, title }
    })
  })
}

/** Returns the value at a dotted path, or undefined. */
export function valueAt(record: unknown, field: string): unknown {
  let value = record
  for (const name of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** Returns a value as plain text: lists with commas, objects as JSON, nothing for null. */
export function bareText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) {
    return value.every((entry) => typeof entry !== 'object') ? value.join(',') : JSON.stringify(value)
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Formats a value for tables: a dash for null, yes and no. Times are formatted by `times.ts`. */
export function shownText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.length === 0 ? '-' : bareText(value).replaceAll(',', ', ')
}

const phoneFields = new Set(['phone', 'phoneNumber', 'contactPhone', 'recipient', 'sender', 'vote.from'])

/** Formats a phone, which the service writes in digits, as people write it, with +; undefined for other values. */
export function shownPhone(field: string, value: unknown): string | undefined {
  return phoneFields.has(field.replace('data.', '')) && typeof value === 'string' && /^\d{7,15}$/.test(value)
    ? `+${value}`
    : undefined
}

/** Parses --fields; undefined without it. Throws a usage error for an empty or invalid list. */
export function fieldsFrom(list: string | undefined): readonly string[] | undefined {
  if (list === undefined) return undefined
  const fields = list.split(',').map((field) => field.trim())
  if (fields.some((field) => !/^[\w.-]+$/.test(field))) {
    throw usageFailure('--fields requires names separated by commas, for example --fields id,status.')
  }
  return fields
}

/** Returns the record with only the selected fields; missing fields are null. */
export function pick(record: unknown, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, valueAt(record, field) ?? null]))
}
