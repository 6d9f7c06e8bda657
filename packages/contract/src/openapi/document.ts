import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi'
import { contract } from '../contract.ts'
import { type EventKind, eventKinds, events, webhookBody, webhookHeaders } from '../events/events.ts'
import { eventExamples } from '../examples/events.ts'
import type { Route } from '../route.ts'
import { errorSchemas } from './errors.ts'
import { type Json, nameSchemas } from './name-schemas.ts'
import { namedSchemas } from './named-schemas.ts'
import { components, toOperation } from './operation.ts'
import { formatProducts } from './words.ts'

export { descriptions } from '../generated/descriptions.ts'
export { describeRoute } from './words.ts'

/** An OpenAPI 3.1 document as plain JSON. */
export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>

/** The heading and the description of each resource in the reference. */
const tags = {
  alert: ['Sending', 'Single sends, batches, and changes to sent messages.'],
  media: ['Media', 'Files of your own, uploaded to be sent.'],
  recipients: ['Recipients', 'Checks of long lists of phone numbers.'],
  messages: ['Messages', 'The message history, the queue, and counts.'],
  overview: ['Overview', 'What an operator watches, at once or as a stream.'],
  campaigns: ['Campaigns', 'One template to many recipients, now or at a set time.'],
  reminders: ['Reminders', 'One message to one recipient at a set time, once or repeated.'],
  otp: ['One-time codes', 'Codes that are sent and then verified.'],
  chats: ['Chats', 'Chats of the numbers, and unread messages.'],
  contacts: ['Contacts', 'The address book, and the contacts who opted out of campaigns.'],
  numbers: ['Numbers', "The organization's numbers: links, connection states, the send group and keys."],
  account: ['Account', 'The account and its key.'],
  webhook: [
    'Webhook',
    'The webhook address, its signing secret, its deliveries, and the events that are posted to it.',
  ],
  events: ['Events', 'The event log and stream.'],
  auth: ['Signing in', 'Sign-up, sign-in, sessions and passwords.'],
  organization: ['Organizations', 'Organizations of a person, and their owner.'],
  team: ['Team', 'Members, roles and invitations.'],
  activity: ['Activity', 'The log of changes in the organization.'],
  billing: ['Billing', 'What an organization pays for: plans, payments, invoices.'],
  payments: ['Payment provider', 'What the payment provider calls.'],
  platform: ['Administration', "What the operator's staff sees and does: organizations, products, allowances."],
  oauth: ['Requests of AI clients', 'Requests of AI clients for a connection, which a person decides about.'],
  mcp: ['AI clients', 'What AI clients want to do, what they called, and what they may do.'],
  bots: ['Assistants', 'Assistants, what they know, their conversations, and the shop with its orders.'],
  openapi: ['This document', 'The OpenAPI document behind this reference.'],
} as const satisfies Record<keyof typeof contract, readonly [heading: string, description: string]>

/** A document whose components are there. */
interface Named extends Json {
  readonly components: {
    readonly responses: Json
    readonly schemas: Json
    readonly examples: Json
    readonly [kind: string]: unknown
  }
}

const description = [
  'Sends and receives messages on a chat network through numbers that an organization has linked.',
  'Bodies are JSON, ids are UUIDs, and timestamps are ISO 8601 in UTC. Match errors on `error.code`, never on the',
  'message. Codes are never renamed or removed, and new ones may appear. After a 5xx, a read can be repeated. Give',
  'every send an Idempotency-Key, or check its message before you repeat it.',
].join(' ')

/** Every service serves the document at its own address, which may be any. */
const ownServer = { url: '/api/v1', description: 'The service that this document comes from.' }

function toWebhook(kind: EventKind): RouteConfig {
  const { when, audience } = events[kind]
  return {
    method: 'post',
    path: kind,
    operationId: `webhook.${kind}`,
    summary: kind,
    description:
      `${when}\n\n` +
      `For organizations with ${formatProducts(audience)}. Respond with any 2xx within 10 seconds; otherwise the ` +
      'delivery is retried, up to 5 attempts in all. An event can arrive twice or out of order.',
    tags: ['webhook'],
    // Webhook requests carry no credentials: receivers verify the signature header.
    security: [],
    request: {
      headers: webhookHeaders(kind),
      body: {
        required: true,
        content: { 'application/json': { schema: webhookBody(kind), example: eventExamples[kind] } },
      },
    },
    responses: { '2XX': { description: 'The event was accepted.' } },
  }
}

/**
 * Returns the document without the named responses and schemas that nothing refers to. The catalogue has one for every
 * code.
 */
function withoutUnused({ components: { responses, schemas, examples, ...others }, ...document }: Named): Json {
  const kept = (all: Json, prefix: string, text: string) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${prefix}/${name}"`)))
  const usedResponses = kept(responses, 'responses', JSON.stringify(document))
  const usedExamples = kept(examples, 'examples', JSON.stringify([document, usedResponses]))
  let usedSchemas = schemas
  for (let before = -1; before !== Object.keys(usedSchemas).length; ) {
    before = Object.keys(usedSchemas).length
    usedSchemas = kept(usedSchemas, 'schemas', JSON.stringify([document, usedResponses, usedSchemas]))
  }
  return {
    ...document,
    components: { ...others, responses: usedResponses, schemas: usedSchemas, examples: usedExamples },
  }
}

/**
 * Returns the contract as an OpenAPI 3.1 document, including the webhooks. Each call builds it again, which takes some
 * tens of milliseconds, so keep the result. The paths are relative to `baseUrl`, which ends with /api/v1.
 */
export function openApiDocument(options: { title?: string; baseUrl?: string } = {}): OpenApiDocument {
  const registry = new OpenAPIRegistry()
  for (const [type, name, component] of components) registry.registerComponent(type, name, component)
  for (const [resource, routes] of Object.entries<Record<string, Route>>({ ...contract })) {
    for (const [name, route] of Object.entries(routes)) registry.registerPath(toOperation(resource, name, route))
  }
  for (const kind of eventKinds) registry.registerWebhook(toWebhook(kind))
  const schemas = [...errorSchemas, ...namedSchemas].map((schema) => ({ type: 'schema' as const, schema }))
  const generator = new OpenApiGeneratorV31([...schemas, ...registry.definitions])
  const title = options.title ?? 'Messaging Service API'
  const document = generator.generateDocument({
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description,
      contact: { name: `The operator of ${title}` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [options.baseUrl === undefined ? ownServer : { url: options.baseUrl }],
    tags: Object.entries(tags).map(([name, [heading, summary]]) => ({
      name,
      'x-displayName': heading,
      description: summary,
    })),
  })
  return withoutUnused(nameSchemas({ ...document }) as Named) as unknown as OpenApiDocument
}
