import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

// openapi.json holds, of WAHA's published OpenAPI document (github.com/devlikeapro/waha, Apache-2.0), the routes and
// schemas that the driver uses, without descriptions and examples.
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
const sessionName = { session: text }

/** Fields that newer versions added: ids of our own choice (2026.4.3), unconverted media, read marks by id. */
const newerFields: Readonly<Record<string, Schema>> = {
  MessageTextRequest: { id: text },
  MessageImageRequest: { id: text },
  MessageFileRequest: { id: text },
  MessageVideoRequest: { id: text, convert: { type: 'boolean' } },
  MessageVoiceRequest: { id: text, convert: { type: 'boolean' } },
  MessageContactVcardRequest: { id: text },
  MessageLocationRequest: { id: text },
  MessagePollRequest: { id: text },
  MessageForwardRequest: { id: text },
  SendSeenRequest: { messageIds: { type: 'array', items: text } },
}

/** Routes that newer versions added. */
const newerRoutes: Document['paths'] = {
  '/api/{session}/lids': { get: { parameters: [{ name: 'limit', required: false }], responses: {} } },
  '/api/contacts/about': {
    get: {
      parameters: [
        { name: 'contactId', required: true },
        { name: 'session', required: true },
      ],
      responses: {},
    },
  },
  '/api/{session}/auth/passkey/challenge': { get: { responses: {} } },
  '/api/{session}/auth/passkey': { post: { responses: {} } },
  '/api/{session}/auth/passkey/confirm': { post: { responses: {} } },
  '/api/send/link-custom-preview': {
    post: {
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['chatId', 'session', 'text', 'preview'],
              properties: {
                ...sessionName,
                id: text,
                chatId: text,
                text,
                preview: {
                  type: 'object',
                  required: ['url', 'title'],
                  properties: { url: text, title: text, description: text, image: { type: 'object' } },
                  additionalProperties: false,
                },
              },
              additionalProperties: false,
            },
          },
        },
      },
      responses: {},
    },
  },
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
  'message.revoked': 'WAHAWebhookMessageRevoked',
  'poll.vote': 'WAHAWebhookPollVote',
}

function webhookSchema(event: string): Schema | undefined {
  const name = webhookSchemas[event]
  return name === undefined ? undefined : { $ref: `#/components/schemas/${name}` }
}

function matches(route: string, path: string): boolean {
  const [expected, given] = [route.split('/'), path.split('/')]
  return expected.length === given.length && expected.every((part, n) => part.startsWith('{') || part === given[n])
}

/** What the generator of the document got wrong, found with the answers of real engines. */
function corrected(document: Document): Document {
  const { schemas } = document.components
  for (const [name, schema] of Object.entries(schemas)) {
    const properties = (schema.properties ?? {}) as Record<string, Schema>
    for (const property of Object.values(properties)) {
      // The default of a property has its real type.
      const actual = typeof property.default
      if (property.type === 'object' && (actual === 'string' || actual === 'boolean')) property.type = actual
      // Both alternatives of a file match what has the fields of both.
      for (const holder of [property, property.items as Schema | undefined]) {
        if (!holder?.oneOf) continue
        holder.anyOf = holder.oneOf
        delete holder.oneOf
      }
      if (property.type === 'string' && !property.enum && !name.endsWith('Request')) allowNull(property)
    }
    Object.assign(properties, newerFields[name])
    if (name.endsWith('Request')) schema.additionalProperties = false
  }
  const at = (name: string) => (schemas[name]?.properties ?? {}) as Record<string, Schema>
  at('WebhookConfig').events = { type: 'array', items: text }
  for (const name of ['SessionInfo', 'SessionDTO', 'WASessionStatusBody']) {
    at(name).status = { enum: ['STOPPED', 'STARTING', 'SCAN_QR_CODE', 'WORKING', 'FAILED', ...passkeyStatuses] }
  }
  // There is no account before a phone is linked.
  for (const [name, schema] of Object.entries(schemas)) {
    if (name.startsWith('WAHAWebhook') || name === 'SessionInfo') {
      at(name).me = { anyOf: [{ $ref: '#/components/schemas/MeInfo' }, { type: 'null' }] }
    }
    if (name === 'WAMessage') {
      schema.required = ['id', 'timestamp', 'from', 'fromMe', 'body', 'hasMedia', 'ack', 'ackName']
      at(name).media = { anyOf: [{ $ref: '#/components/schemas/WAMedia' }, { type: 'null' }] }
      at(name).location = { anyOf: [{ $ref: '#/components/schemas/WALocation' }, { type: 'null' }] }
    }
  }
  at('WAMedia').error = {}
  at('WAMedia').s3 = {}
  Object.assign(document.paths, newerRoutes)
  return document
}

const passkeyStatuses = ['PASSKEY_REQUIRED', 'PASSKEY_CONFIRMATION_REQUIRED']

/** `nullable` of OpenAPI 3.0 means nothing in 3.1, and engines leave much empty. */
function allowNull(property: Schema): void {
  property.type = ['string', 'null']
}
