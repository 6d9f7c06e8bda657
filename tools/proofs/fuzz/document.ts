/** The parts of JSON Schema that our document uses for what callers send. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly contentEncoding?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minimum?: number
  readonly maximum?: number
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

/** One operation of the document: how it is called and what it may answer. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** With its parameters in braces: `/messages/{id}`. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  /** A pointer to the schema of the body, for the judge. */
  readonly bodyPointer: string
  /** The schemes of credentials it takes; none when it is public. */
  readonly schemes: readonly string[]
  /** The answers by status, `default` left out. */
  readonly answers: ReadonlyMap<number, Answer>
}

/** What the document says about one status of an operation. */
export interface Answer {
  readonly mediaType: string
  /** A pointer to the schema of the body. */
  readonly pointer: string
  /** The error codes that may come with this status; none on success. */
  readonly codes: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: the document is read as the plain JSON that strangers get
export type Json = any

/** What a local reference points at. */
function resolve(document: Json, value: Json): { value: Json; pointer?: string } {
  if (typeof value?.$ref !== 'string') return { value }
  const steps: string[] = value.$ref.slice(2).split('/')
  const found = steps.reduce((at, step) => at?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], document)
  if (found === undefined) throw new Error(`${value.$ref} points at nothing`)
  return { value: found, pointer: value.$ref }
}

/**
 * Returns a schema without references and without `allOf`, whose members are merged: the fuzzer makes values from it.
 * One that may be null by `anyOf` becomes a list of types.
 */
function plainSchema(document: Json, value: Json): Json {
  if (Array.isArray(value)) return value.map((inner) => plainSchema(document, inner))
  if (typeof value !== 'object' || value === null) return value
  if (typeof value.$ref === 'string') {
    const { $ref: _reference, ...own } = value
    return { ...plainSchema(document, resolve(document, value).value), ...own }
  }
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainSchema(document, inner)]))
  if (Array.isArray(copy.anyOf) && copy.anyOf.length === 2 && copy.anyOf[1].type === 'null') {
    const [schema] = copy.anyOf
    return { ...schema, type: [schema.type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) }
  }
  return Array.isArray(copy.allOf) ? merged(copy.allOf) : copy
}

/** Returns one object with the fields of all. */
function merged(members: readonly Json[]): Json {
  return {
    type: 'object',
    properties: Object.assign({}, ...members.map(({ properties }) => properties)),
    required: members.flatMap(({ required = [] }) => required),
  }
}

/** Returns the document with each `allOf` as one object, so that objects can be closed. */
export function withoutAllOf(document: Json): Json {
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value.allOf)) return plainSchema(document, value)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]))
  }
  return visit(document)
}

/** Returns the name of the schema of each error code. */
export function errorSchemas(document: Json): ReadonlyMap<string, string> {
  const schemas = Object.entries<Json>(document.components.schemas)
  return new Map(
    schemas.flatMap(([name, schema]) => {
      const [code] = schema.properties?.error?.properties?.code?.enum ?? []
      return typeof code === 'string' ? [[code, name] as const] : []
    }),
  )
}

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1')

function codesOf(document: Json, schema: Json): string[] {
  const references: Json[] = schema.anyOf ?? [schema]
  return references.flatMap((one) => resolve(document, one).value.properties.error.properties.code.enum ?? [])
}

function answersOf(document: Json, operation: Json, pointer: string): Map<number, Answer> {
  const answers = new Map<number, Answer>()
  for (const [status, response] of Object.entries<Json>(operation.responses)) {
    if (status === 'default') continue
    const { value, pointer: elsewhere } = resolve(document, response)
    const [mediaType = ''] = Object.keys(value.content)
    answers.set(Number(status), {
      mediaType,
      pointer: `${elsewhere ?? `${pointer}/responses/${status}`}/content/${escaped(mediaType)}/schema`,
      codes: Number(status) < 400 ? [] : codesOf(document, value.content[mediaType].schema),
    })
  }
  return answers
}

/** Every operation of the document. Throws when a reference points at nothing. */
export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => {
      const pointer = `#/paths/${escaped(path)}/${method}`
      const jsonBody = operation.requestBody?.content['application/json']
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []).map((one: Json) => plainSchema(document, one)),
        body: jsonBody && plainSchema(document, jsonBody.schema),
        bodyPointer: `${pointer}/requestBody/content/application~1json/schema`,
        schemes: operation.security.flatMap((one: Json) => Object.keys(one)),
        answers: answersOf(document, operation, pointer),
      }
    }),
  )
}
