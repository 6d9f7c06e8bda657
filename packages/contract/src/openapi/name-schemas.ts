/** A JSON object of the document. */
export type Json = { readonly [key: string]: unknown }

const prefix = '#/components/schemas/'
/** Objects with fewer fields are not recognized inside larger ones, because unrelated objects share that many. */
const fewestShared = 4

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of each object that was compared: fields are compared with those of every record. */
const texts = new WeakMap<object, string>()

/** Returns a text that is equal for equal values, whatever the order of their keys. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return write(value)
  const known = texts.get(value) ?? write(value)
  texts.set(value, known)
  return known
}

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value) ?? ''
  const keys = Object.keys(value).filter((key) => value[key] !== undefined)
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join()}}`
}

function without(value: Json, ...keys: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

const annotations = ['description', 'default', 'example', 'examples'] as const
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns a schema that also allows null as one that does not, or undefined. */
function withoutNull(schema: Json): Json | undefined {
  const { type, enum: values } = schema
  if (!Array.isArray(type) || !type.includes('null')) return undefined
  const others = type.filter((one) => one !== 'null')
  return {
    ...schema,
    type: others.length === 1 ? others[0] : others,
    ...(Array.isArray(values) && { enum: values.filter((one) => one !== null) }),
  }
}

interface Named {
  readonly name: string
  readonly properties: Json
  readonly required: readonly unknown[]
}

/** Recognizes the named schemas of a document in its other schemas. */
function createNamer(schemas: Json) {
  const byText = new Map<string, string>()
  const records: Named[] = []
  for (const [name, schema] of Object.entries(schemas)) {
    if (!isObject(schema) || '$ref' in schema) continue
    byText.set(canonical(without(schema, ...annotations)), name)
    const { properties, required } = schema
    if (isObject(properties) && Object.keys(properties).length >= fewestShared) {
      records.push({ name, properties, required: listOf(required) })
    }
  }
  records.sort((a, b) => Object.keys(b.properties).length - Object.keys(a.properties).length)

  /** Returns the name of the schema that `schema` repeats. */
  const nameOf = (schema: Json) => byText.get(canonical(without(schema, ...annotations)))

  /** Returns the record whose fields `schema` has, and more. */
  function partOf({ properties, required }: Json): Named | undefined {
    if (!isObject(properties)) return undefined
    return records.find(
      (record) =>
        Object.keys(record.properties).length < Object.keys(properties).length &&
        Object.keys(record.properties).every(
          (key) => canonical(record.properties[key]) === canonical(properties[key]),
        ) &&
        record.required.every((key) => listOf(required).includes(key)),
    )
  }
  return { nameOf, partOf }
}

const reference = (name: string): Json => ({ $ref: prefix + name })

function annotated(schema: Json, named: Json): Json {
  const own = Object.fromEntries(Object.entries(schema).filter(([key]) => annotations.some((one) => one === key)))
  return { ...named, ...own }
}

/** The generator writes a reference that may be null as `allOf`, which would exclude null. */
function nullableReference({ allOf }: Json): Json | undefined {
  const [first, second, ...others] = listOf(allOf)
  if (!isObject(first) || !isObject(second) || others.length > 0 || !('$ref' in first)) return undefined
  return listOf(second.type).includes('null') ? { anyOf: [without(first), { type: 'null' }] } : undefined
}

/**
 * Returns the document with a reference wherever a schema repeats one of `components.schemas`, also one that may be
 * null. An object that has all the fields of a named one, and more, refers to it by `allOf`.
 */
export function nameSchemas(document: Json): Json {
  const components = isObject(document.components) ? document.components : {}
  const schemas = isObject(components.schemas) ? components.schemas : {}
  const { nameOf, partOf } = createNamer(schemas)

  function replaceIn(schema: Json, own?: string): Json {
    const mayBeNull = nullableReference(schema)
    if (mayBeNull) return annotated(schema, mayBeNull)
    const name = nameOf(schema)
    if (name !== undefined && name !== own) return annotated(schema, reference(name))
    const bare = withoutNull(schema)
    const nullable = bare && nameOf(bare)
    if (nullable) return annotated(schema, { anyOf: [reference(nullable), { type: 'null' }] })
    const part = partOf(schema)
    if (part && part.name !== own) return extend(schema, part)
    return walk(schema)
  }

  function extend(schema: Json, { name, properties, required }: Named): Json {
    const rest = without(schema.properties as Json, ...Object.keys(properties))
    const needed = listOf(schema.required).filter((key) => !required.includes(key))
    const more = { type: 'object', properties: walk(rest), ...(needed.length > 0 && { required: needed }) }
    return annotated(schema, { allOf: [reference(name), more] })
  }

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit)
    return isObject(value) ? replaceIn(value) : value
  }

  function walk(value: Json): Json {
    const kept = new Set(['example', 'examples', 'const', 'enum', 'default'])
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, kept.has(key) && !isObject(inner) ? inner : visit(inner)]),
    )
  }

  const renamed = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isObject(schema) ? replaceIn(schema, name) : schema]),
  )
  const rest = walk(without(document, 'components')) as Json
  return { ...rest, components: { ...(walk(without(components, 'schemas')) as Json), schemas: renamed } }
}
