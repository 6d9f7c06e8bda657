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

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1')

function codesOf(schema: Json): string[] {
  const references: Json[] = schema.anyOf ?? [schema]
  return references.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref.replace(/.*\//, '')] : []))
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
      codes: Number(status) < 400 ? [] : codesOf(value.content[mediaType].schema),
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
        parameters: (operation.parameters ?? []).map((one: Json) => resolve(document, one).value),
        body: jsonBody && resolve(document, jsonBody.schema).value,
        bodyPointer: `${pointer}/requestBody/content/application~1json/schema`,
        schemes: operation.security.flatMap((one: Json) => Object.keys(one)),
        answers: answersOf(document, operation, pointer),
      }
    }),
  )
}
