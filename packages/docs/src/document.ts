import { contract } from '@msgctl/contract'
import type { OpenApiDocument } from '@msgctl/contract/openapi'

/** A schema of the document, with the parts that the pages show. */
export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly format?: string
  readonly default?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Media {
  readonly schema: Schema
  readonly example?: unknown
}

export interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, Media>>
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly deprecated?: boolean
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Response>>
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly 'x-codeSamples': readonly { readonly label: string; readonly lang: string; readonly source: string }[]
}

/** An operation with its place in the document. */
export interface PlacedOperation extends Operation {
  readonly method: string
  /** With parameters in braces: `/messages/{id}`. */
  readonly path: string
}

export interface Tag {
  readonly name: string
  readonly 'x-displayName': string
  readonly description: string
}

/** The OpenAPI document as the pages read it. */
export interface Document {
  readonly info: { readonly description: string }
  readonly tags: readonly Tag[]
  readonly operations: readonly PlacedOperation[]
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly schemas: Readonly<Record<string, Schema>>
  /** Returns the target of a reference with the description of the place that refers; other values as they are. */
  resolve<T extends object>(value: T): T
}

interface Json {
  readonly info: Document['info']
  readonly tags: Document['tags']
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Document['webhooks']
  readonly components: { readonly schemas: Document['schemas'] }
}

/** Returns what the pages need of the document. */
export function readDocument(document: OpenApiDocument): Document {
  const json = JSON.parse(JSON.stringify(document)) as Json

  function resolve<T extends object>(value: T): T {
    const { $ref, ...own } = value as { $ref?: string }
    if ($ref === undefined) return value
    const steps = $ref.replace(/^#\//, '').split('/')
    const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], json)
    return { ...(target as T), ...own }
  }

  const order = Object.entries(contract).flatMap(([resource, routes]) =>
    Object.keys(routes).map((name) => `${resource}.${name}`),
  )
  const placed = Object.entries(json.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map(resolve),
    })),
  )
  // As in the contract, where related routes stand together.
  const operations = placed.sort((a, b) => order.indexOf(a.operationId) - order.indexOf(b.operationId))
  const { info, tags, webhooks, components } = json
  return { info, tags, operations, webhooks, schemas: components.schemas, resolve }
}

/** Returns the name at the end of a reference to a schema. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.replace('#/components/schemas/', '')
}
