import * as z from 'zod'
import type { MountedRoute } from './mounted.ts'

/** The part of a JSON schema that bounds are read from. */
export interface FieldSchema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: FieldSchema | boolean
  readonly propertyNames?: FieldSchema
  readonly maxProperties?: number
  readonly items?: FieldSchema
  readonly anyOf?: readonly FieldSchema[]
}

/** One field of the query or the body of a route. */
export interface Field {
  readonly place: 'query' | 'body'
  readonly path: readonly (string | number)[]
  /** As VALIDATION_ERROR names it: `recipients.0.phone`. */
  readonly name: string
  readonly schema: FieldSchema
  readonly required: boolean
  readonly nullable: boolean
}

/** Every field that the route takes, nested ones and the entries of lists included. */
export function fieldsOf({ route }: MountedRoute): Field[] {
  return (['query', 'body'] as const).flatMap((place) => {
    const schema = route[place]
    if (!schema) return []
    return propertiesOf(place, [], inputSchema(schema))
  })
}

/** The JSON Schema of an input, without references. */
export function inputSchema(schema: z.ZodType): FieldSchema {
  return withoutReferences(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

/** Replaces each reference to a named schema with the schema. */
function withoutReferences({ $defs = {}, ...schema }: z.core.JSONSchema.JSONSchema): FieldSchema {
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...rest } = value as { readonly $ref?: string }
    const target = $ref === undefined ? {} : $defs[$ref.replace('#/$defs/', '')]
    return Object.fromEntries(Object.entries({ ...target, ...rest }).map(([key, inner]) => [key, inline(inner)]))
  }
  return inline(schema) as FieldSchema
}

type Place = Field['place']
type Path = Field['path']

function propertiesOf(place: Place, path: Path, { properties = {}, required = [] }: FieldSchema): Field[] {
  return Object.entries(properties).flatMap(([key, schema]) =>
    fieldAt(place, [...path, key], schema, required.includes(key)),
  )
}

function fieldAt(place: Place, path: Path, given: FieldSchema, required: boolean): Field[] {
  const forms = given.anyOf?.filter(({ type }) => type !== 'null') ?? [given]
  const [schema = given] = forms
  const field = {
    place,
    path,
    name: path.join('.'),
    schema,
    required,
    nullable: forms !== given.anyOf && 'anyOf' in given,
  }
  return [
    field,
    ...propertiesOf(place, path, schema),
    ...(schema.items ? fieldAt(place, [...path, 0], schema.items, false) : []),
  ]
}

/** `input` with one value set, or taken out when it is undefined; what lies between is copied. */
export function withValue(input: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const copy: Record<string | number, unknown> | unknown[] =
    typeof key === 'number' ? [...((input as unknown[]) ?? [])] : { ...(input as object) }
  const inner = withValue((copy as Record<string | number, unknown>)[key], rest, value)
  if (inner === undefined) Reflect.deleteProperty(copy, key)
  else Reflect.set(copy, key, inner)
  return copy
}
