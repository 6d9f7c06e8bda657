import { randomUUID } from 'node:crypto'
import type { IssueCode } from '@msgctl/contract'
import type { Field, FieldSchema } from './fields.ts'

/** One value for a field, and whether it is within the field's bounds. */
export interface Mutation {
  readonly what: string
  /** Undefined takes the field out. */
  readonly value: unknown
  /** The issue it must be refused with; null when it must be taken. `any` leaves the word open. */
  readonly issue: { readonly code: IssueCode | 'any'; readonly maximum?: number; readonly minimum?: number } | null
}

const none: readonly Mutation[] = []

/** Text of exactly `length` characters that the field's form takes. */
export function textOf(field: Field, length: number, link: string): string {
  const name = String(field.path.findLast((key) => typeof key === 'string'))
  if (/phone|recipients/i.test(name)) return length < 12 ? '1'.repeat(length) : '+12025550100'.padEnd(length, ' ')
  if (field.schema.format === 'uri' || /url$/i.test(name)) return link.padEnd(length, 'x')
  if (field.schema.format === 'email' || name === 'email') return mail(length)
  if (field.schema.format === 'date-time') return '2999-01-01T00:00:00.'.padEnd(length - 1, '0').concat('Z')
  return 'x'.repeat(length)
}

/** Whether only some names are good, whatever their length: no zone is as long or as short as the bounds allow. */
function isName({ path }: Field): boolean {
  return path.at(-1) === 'timeZone'
}

/** An e-mail address of that length, made of labels that are not too long. */
function mail(length: number): string {
  const domain = `.${'d'.repeat(60)}`.repeat(5)
  return `a@${domain.slice(-(length - 2 - '.example'.length)).replace(/^\./, 'd')}.example`
}

function texts(field: Field, link: string): readonly Mutation[] {
  const { minLength, maxLength } = field.schema
  const all: readonly Mutation[] = [
    ...(maxLength === undefined
      ? none
      : ([
          { what: 'the longest text', value: textOf(field, maxLength, link), issue: null },
          {
            what: 'a longer text',
            value: textOf(field, maxLength + 1, link),
            issue: { code: 'too_big', maximum: maxLength },
          },
        ] as const)),
    ...(minLength === undefined || minLength === 0
      ? none
      : ([
          { what: 'the shortest text', value: textOf(field, minLength, link), issue: null },
          {
            what: 'a shorter text',
            value: textOf(field, minLength - 1, link),
            issue: { code: 'too_small', minimum: minLength },
          },
        ] as const)),
  ]
  return isName(field) ? all.filter(({ issue }) => issue !== null) : all
}

function numbers({ place, schema: { type, minimum, maximum } }: Field): readonly Mutation[] {
  const sent = (value: number) => (place === 'query' ? String(value) : value)
  const bounded = (bound: number | undefined): bound is number => bound !== undefined && Number.isSafeInteger(bound * 2)
  return [
    ...(bounded(maximum)
      ? ([
          { what: 'the largest number', value: sent(maximum), issue: null },
          { what: 'a larger number', value: sent(maximum + 1), issue: { code: 'too_big', maximum } },
        ] as const)
      : none),
    ...(bounded(minimum)
      ? ([
          { what: 'the smallest number', value: sent(minimum), issue: null },
          { what: 'a smaller number', value: sent(minimum - 1), issue: { code: 'too_small', minimum } },
        ] as const)
      : none),
    ...(type === 'integer' ? ([{ what: 'a fraction', value: sent(1.5), issue: { code: 'any' } }] as const) : none),
  ]
}

/** A list of that many good entries, made like the one the good input has. */
function list({ items = {}, uniqueItems = false }: FieldSchema, length: number, model: unknown): unknown[] {
  return Array.from({ length }, (_, index) => {
    if (items.enum) return items.enum[index % items.enum.length]
    if (items.format === 'uuid') return randomUUID()
    return uniqueItems && typeof model === 'string' ? `${model} ${index}` : model
  })
}

/**
 * Lists at and beyond the bounds. In a query, a list is a text with commas: faults may have any code, and none is
 * empty.
 */
function lists({ place, schema }: Field, model: unknown): readonly Mutation[] {
  const { minItems, maxItems } = schema
  const isQuery = place === 'query'
  const sent = (length: number) => (isQuery ? list(schema, length, model).join(',') : list(schema, length, model))
  return [
    ...(maxItems === undefined
      ? none
      : ([
          { what: 'the longest list', value: sent(maxItems), issue: null },
          {
            what: 'a longer list',
            value: sent(maxItems + 1),
            issue: { code: isQuery ? 'any' : 'too_big', ...(!isQuery && { maximum: maxItems }) },
          },
        ] as const)),
    ...(minItems === undefined || minItems === 0 || isQuery
      ? none
      : ([
          { what: 'the shortest list', value: sent(minItems), issue: null },
          {
            what: 'a shorter list',
            value: sent(minItems - 1),
            issue: { code: 'too_small', minimum: minItems },
          },
        ] as const)),
  ]
}

/** Values of every type, for the fields that do not take it. */
const strangers: readonly [type: string, value: unknown][] = [
  ['string', 'no such value'],
  ['number', 7],
  ['boolean', true],
  ['array', ['x']],
  ['object', { x: 'x' }],
]

function wrongTypes({ place, schema, nullable }: Field): readonly Mutation[] {
  const { type, enum: values, const: only } = schema
  if (place === 'query') {
    const twice = { what: 'two values', value: ['a', 'b'], issue: { code: 'any' } } as const
    const word = { what: 'a word', value: 'word', issue: { code: 'any' } } as const
    return type === 'number' || type === 'integer' || values ? [twice, word] : [twice]
  }
  const own = type === 'integer' ? 'number' : (type ?? typeof (values?.[0] ?? only))
  const wrong = strangers.filter(([kind]) => kind !== own || values !== undefined)
  const types = wrong.map(([kind, value]): Mutation => ({ what: `a ${kind}`, value, issue: { code: 'any' } }))
  return nullable ? types : [...types, { what: 'null', value: null, issue: { code: 'any' } }]
}

const wrongForms: Readonly<Record<string, IssueCode>> = { uuid: 'invalid_uuid', uri: 'invalid_url', email: 'custom' }

function forms({ schema }: Field): readonly Mutation[] {
  const code = wrongForms[schema.format ?? '']
  const value = 'neither this nor that'
  if (schema.enum) return [{ what: 'an unknown value', value, issue: { code: 'invalid_enum' } }]
  return code === undefined ? none : [{ what: `a text that is no ${schema.format}`, value, issue: { code } }]
}

/**
 * Every value at and beyond what a field takes. `model` is the first entry of its list in the good input, `link` what
 * an address begins with.
 */
export function mutationsOf(field: Field, model: unknown, link: string): readonly Mutation[] {
  return [
    ...texts(field, link),
    ...numbers(field),
    ...lists(field, model),
    ...wrongTypes(field),
    ...forms(field),
    ...(field.required ? ([{ what: 'nothing', value: undefined, issue: { code: 'required' } }] as const) : none),
  ]
}
