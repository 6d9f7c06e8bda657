import { randomUUID } from 'node:crypto'
import type { Schema } from './document.ts'
import { type KnownIds, kindOf } from './known-ids.ts'
import type { Random } from './random.ts'

/** What values are made with. */
export interface Making {
  readonly operationId: string
  readonly random: Random
  readonly pools: KnownIds
}

/** The password of everybody, so that no request locks out the next one. */
export const passwordOfAll = 'correct horse battery'

const texts = ['hello', 'Grüße an {{name}}', 'two\nlines', 'नमस्ते', '👩‍👩‍👧 family', '   ', 'https://example.com/a?b=c']
/** Instants that no clock of a run reaches. */
const instants = ['2100-01-31T09:00:00.000Z', '2100-02-01T09:00:00+05:30', '2099-12-31T23:59:59Z']
const zones = ['UTC', 'Europe/Berlin', 'America/New_York']

/** A text for a field that only its name describes; undefined for any other. */
function named(field: string, { operationId, random, pools }: Making): string | undefined {
  const kind = kindOf(operationId, field)
  const known = kind && pools.pick(kind, random)
  if (known !== undefined) return known
  switch (field) {
    case 'phone':
    case 'phones':
    case 'recipient':
    case 'recipients':
      return pools.pick('phone', random)
    case 'email':
      return `${randomUUID()}@example.com`
    case 'password':
    case 'currentPassword':
    case 'newPassword':
      return passwordOfAll
    case 'template':
      return operationId === 'otp.send' ? 'Your code: {{code}}, {{expiry}} minutes' : random.pick(texts)
    case 'timeZone':
      return random.pick(zones)
    case 'code':
      return '123456'
    case 'recoveryCode':
      return 'abcd-efgh-ijkl-mnop'
    case 'search':
      return random.pick(['1202', 'hello', 'Sim', ''])
    case 'mimetype':
      return 'image/png'
    case 'webhookUrl':
      return 'https://receiver.example/hook'
    default:
      return field.endsWith('Url') ? pools.pick(field, random) : undefined
  }
}

/** What fits the patterns of fields that take no free text. */
const byPattern: Readonly<Record<string, readonly string[]>> = {
  '^[a-z]{2}$': ['en', 'es', 'fr'],
  '^[A-Z]{3}$': ['EUR', 'USD', 'JPY'],
  '^\\d{4}-\\d\\d-\\d\\d$': ['2099-12-25', '2099-12-26', '2100-01-01'],
  '^([01]\\d|2[0-3]):[0-5]\\d$|^24:00$': ['09:00', '17:30', '24:00'],
}

function byFormat({ format, contentEncoding, pattern }: Schema, random: Random): string | undefined {
  const fitting = pattern === undefined ? undefined : byPattern[pattern]
  if (fitting) return random.pick(fitting)
  if (contentEncoding === 'base64') return Buffer.from(random.pick(['hello', 'a;b\n1;2'])).toString('base64')
  if (format === 'uuid') return randomUUID()
  if (format === 'date-time') return random.pick(instants)
  if (format === 'uri') return 'https://example.com/page'
  return undefined
}

function textFor(schema: Schema, field: string, making: Making): string {
  const known = named(field, making)
  // Fields of up to 20 characters take no network id (specification, "Conventions").
  const fitting = known?.endsWith('@lid') && schema.maxLength === 20 ? '+12025550100' : known
  // Responses name a phone of seven digits without its +, with which it is long enough.
  const isShort = fitting !== undefined && fitting.length < (schema.minLength ?? 0) && /^\d+$/.test(fitting)
  const text = (isShort ? `+${fitting}` : fitting) ?? byFormat(schema, making.random) ?? making.random.pick(texts)
  return [...text]
    .slice(0, schema.maxLength)
    .join('')
    .padEnd(schema.minLength ?? 0, 'x')
}

function numberFor({ type, minimum = 0, maximum = 100 }: Schema, random: Random): number {
  const whole = minimum + random.below(Math.min(maximum - minimum, 50) + 1)
  return [type].flat()[0] === 'integer' ? whole : Math.min(maximum, whole + 0.25)
}

function listFor(schema: Schema, field: string, making: Making): unknown[] {
  const { items = {}, minItems = 0, maxItems = 5, uniqueItems = false } = schema
  const length = Math.min(maxItems, minItems + making.random.below(4))
  const list = Array.from({ length }, () => valueFor(items, field, making))
  if (!uniqueItems) return list
  const differing = [...new Set(list)]
  // Short lists of few possible values may come out too short; numbering makes plain texts differ.
  return differing.length >= minItems ? differing : list.map((value, index) => `${String(value).slice(0, 20)} ${index}`)
}

function objectFor(schema: Schema, making: Making): Record<string, unknown> {
  const { properties, required = [], additionalProperties } = schema
  if (!properties && typeof additionalProperties === 'object') {
    const keys = ['name', 'city', 'Größe'].slice(0, making.random.below(4))
    return Object.fromEntries(keys.map((key) => [key, valueFor(additionalProperties, key, making)]))
  }
  const chosen = Object.entries(properties ?? {}).filter(
    ([name]) => required.includes(name) || making.random.chance(0.35),
  )
  return Object.fromEntries(chosen.map(([name, inner]) => [name, valueFor(inner, name, making)]))
}

/** A value that the schema allows, of things that exist where the field names some. */
export function valueFor(schema: Schema, field: string, making: Making): unknown {
  const { random } = making
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  const types = [schema.type ?? 'string'].flat()
  if (types.includes('null') && random.chance(0.15)) return null
  switch (types[0]) {
    case 'object':
      return objectFor(schema, making)
    case 'array':
      return listFor(schema, field, making)
    case 'integer':
    case 'number':
      return numberFor(schema, random)
    case 'boolean':
      return random.chance(0.5)
    default:
      return textFor(schema, field, making)
  }
}
