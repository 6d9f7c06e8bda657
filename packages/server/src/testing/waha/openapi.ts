import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

// openapi.json holds, of WAHA's published OpenAPI document, the routes and schemas that the driver uses, without
// descriptions and examples. openapi-licence.txt says where it is from.
const file = new URL('../../../src/testing/waha/openapi.json', import.meta.url)

type Schema = { [key: string]: unknown }
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly required: boolean }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Schema> }
}

/** Checks requests and responses against WAHA's OpenAPI document. */
export interface WahaOpenApi {
  /** Returns what is wrong with a request, in sentences. */
  requestFaults(method: string, path: string, query: URLSearchParams, body: unknown): string[]
  /** Returns what is wrong with a successful response. */
  responseFaults(method: string, path: string, body: unknown): string[]
  /** Returns what is wrong with a webhook. */
  webhookFaults(event: string, envelope: unknown): string[]
}

const text = { type: 'string' }

/** The limits of an account, which WAHA names since 2026.8 (github.com/devlikeapro/waha, pull request 2186). */
const newerSchemas: Document['components']['schemas'] = {
  ReachoutTimelock: {
    type: 'object',
    required: ['enforcementType', 'isActive', 'timeEnforcementEnds'],
    properties: { enforcementType: text, isActive: { type: 'boolean' }, timeEnforcementEnds: numberOrNull() },
    additionalProperties: false,
  },
  MessageCapping: {
    type: 'object',
    required: ['cappingStatus', 'totalQuota', 'usedQuota', 'cycleStart', 'cycleEnd', 'mvStatus', 'oteStatus'],
    properties: {
      cappingStatus: text,
      totalQuota: { type: 'number' },
      usedQuota: { type: 'number' },
      cycleStart: numberOrNull(),
      cycleEnd: numberOrNull(),
      mvStatus: { type: ['string', 'null'] },
      oteStatus: { type: ['string', 'null'] },
    },
    additionalProperties: false,
  },
}

/**
 * Requests that take no id of our choice by the document. WAHA drops a field that it does not know, so that the id
 * counts as soon as a version takes it.
 */
const dropsId = [
  'MessageImageRequest',
  'MessageFileRequest',
  'MessageVideoRequest',
  'MessageVoiceRequest',
  'MessageLinkCustomPreviewRequest',
]

/** Routes that newer versions added. */
const newerRoutes: Document['paths'] = {
  '/api/sessions/{session}/timelock': { get: { responses: respondsWith('ReachoutTimelock') } },
  '/api/sessions/{session}/capping': { get: { responses: respondsWith('MessageCapping') } },
}

function numberOrNull(): Schema {
  return { type: ['number', 'null'] }
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] }
}

function respondsWith(name: string): Operation['responses'] {
  return { 200: { content: { 'application/json': { schema: ref(name) } } } }
}

/** Reads the document, with its known mistakes corrected. */
export function wahaOpenApi(): WahaOpenApi {
  const document = corrected(JSON.parse(readFileSync(file, 'utf8')) as Document)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: 'waha', components: document.components })
  const compiled = new Map<string, ValidateFunction>()

  function faults(name: string, schema: Schema | undefined, value: unknown): string[] {
    if (!schema) return []
    const validate =
      compiled.get(name) ??
      ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('#/components', 'waha#/components')))
    compiled.set(name, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map((error) => `${name}: ${error.instancePath} ${error.message}`)
  }

  function find(method: string, path: string): { name: string; operation: Operation } | null {
    for (const [route, operations] of Object.entries(document.paths)) {
      const operation = operations[method.toLowerCase()]
      if (operation && matches(route, path)) return { name: `${method} ${route}`, operation }
    }
    return null
  }

  return {
    requestFaults(method, path, query, body) {
      const found = find(method, path)
      if (!found) return [`${method} ${path} is no route of WAHA`]
      const { name, operation } = found
      const parameters = operation.parameters ?? []
      const known = new Set(parameters.map((parameter) => parameter.name))
      return [
        ...[...query.keys()].filter((key) => !known.has(key)).map((key) => `${name}: no parameter ${key}`),
        ...parameters
          .filter((one) => one.required && !query.has(one.name))
          .map((one) => `${name}: ${one.name} is missing`),
        ...faults(name, operation.requestBody?.content['application/json']?.schema, body),
      ]
    },
    responseFaults(method, path, body) {
      const found = find(method, path)
      // The document describes responses to sends that no engine gives.
      if (!found || /\/api\/(send|forward)/.test(path)) return []
      const [response] = Object.values(found.operation.responses)
      return faults(`response to ${found.name}`, response?.content?.['application/json']?.schema, body)
    },
    webhookFaults: (event, envelope) => faults(`webhook ${event}`, webhookSchema(event), envelope),
  }
}

const webhookSchemas: Readonly<Record<string, string>> = {
  'session.status': 'WAHAWebhookSessionStatus',
  message: 'WAHAWebhookMessage',
  'message.any': 'WAHAWebhookMessageAny',
  'message.ack': 'WAHAWebhookMessageAck',
  'message.edited': 'WAHAWebhookMessageEdited',
  'message.revoked': 'WAHAWebhookMessageRevoked',
  'poll.vote': 'WAHAWebhookPollVote',
}

function webhookSchema(event: string): Schema | undefined {
  const name = webhookSchemas[event]
  return name === undefined ? undefined : ref(name)
}

function matches(route: string, path: string): boolean {
  const [expected, given] = [route.split('/'), path.split('/')]
  return expected.length === given.length && expected.every((part, n) => part.startsWith('{') || part === given[n])
}

/** What the generator of the document got wrong, found with the responses of real engines. */
function corrected(document: Document): Document {
  const { schemas } = document.components
  for (const [name, schema] of Object.entries(schemas)) {
    for (const property of Object.values(propertiesOf(schema))) correctProperty(property, name)
    // WAHA itself drops what it does not know.
    if (name.endsWith('Request')) schema.additionalProperties = false
  }
  const at = (name: string) => propertiesOf(schemas[name])
  at('WebhookConfig').events = { type: 'array', items: text }
  at('SessionInfo').presence = {}
  at('WASessionStatusBody').data = { type: ['object', 'null'] }
  // The browser and the worker are missing where there is none.
  for (const field of ['browser', 'platform', 'worker']) at('WAHAEnvironment')[field] = {}
  for (const [name, schema] of Object.entries(schemas)) {
    // There is no account before a phone is linked.
    if (name.startsWith('WAHAWebhook') || name === 'SessionInfo') at(name).me = orNull(ref('MeInfo'))
    if (name !== 'WAMessage' && name !== 'WAMessageEditedBody') continue
    const isEdited = name === 'WAMessageEditedBody'
    schema.required = isEdited
      ? ['id', 'from', 'fromMe', 'body', 'editedMessageId']
      : ['id', 'timestamp', 'from', 'fromMe', 'body', 'hasMedia', 'ack', 'ackName']
    at(name).media = orNull(ref('WAMedia'))
    at(name).location = orNull(ref('WALocation'))
  }
  for (const name of dropsId) at(name).id = text
  at('WAMedia').error = {}
  at('WAMedia').s3 = {}
  at('MeInfo').reachoutTimelock = orNull(ref('ReachoutTimelock'))
  at('MeInfo').messageCapping = orNull(ref('MessageCapping'))
  Object.assign(schemas, newerSchemas)
  Object.assign(document.paths, newerRoutes)
  return document
}

function propertiesOf(schema: Schema | undefined): Record<string, Schema> {
  return (schema?.properties ?? {}) as Record<string, Schema>
}

function correctProperty(property: Schema, name: string): void {
  // Inside a property that is an object of its own, `required` is no list.
  for (const inner of Object.values(propertiesOf(property))) {
    if (inner.required === true) delete inner.required
    if (inner.nullable === true) inner.type = [inner.type, 'null']
  }
  // The default of a property has its real type.
  const actual = typeof property.default
  if (property.type === 'object' && (actual === 'string' || actual === 'boolean')) property.type = actual
  // Both alternatives of a file match what has the fields of both.
  for (const holder of [property, property.items as Schema | undefined]) {
    if (!holder?.oneOf) continue
    holder.anyOf = holder.oneOf
    delete holder.oneOf
  }
  // `nullable` of OpenAPI 3.0 means nothing in 3.1, and engines leave much empty.
  if (property.type === 'string' && !property.enum && !name.endsWith('Request')) property.type = ['string', 'null']
}
