import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi'
import { contract } from '../contract.ts'
import { type EventKind, eventKinds, events, webhookBody, webhookHeaders } from '../events/events.ts'
import type { Route } from '../route.ts'
import { errorSchemas } from './errors.ts'
import { components, toOperation } from './operation.ts'
import { formatProducts } from './words.ts'

export { describeRoute } from './words.ts'

/** An OpenAPI 3.1 document as plain JSON. */
export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>

/** For each resource the heading in the reference, and what it is about. */
const tags = {
  alert: ['Sending', 'Single sends, batches, and what can be done with a message afterwards.'],
  recipients: ['Recipients', 'Checking long lists of numbers.'],
  messages: ['Messages', 'The history of messages, and counts.'],
  campaigns: ['Campaigns', 'One template to many people, now or at a set time.'],
  reminders: ['Reminders', 'One message to one person at a set time, once or repeated.'],
  otp: ['One-time codes', 'Codes that are sent, and checked once.'],
  chats: ['Chats', 'Conversations and unread messages.'],
  contacts: ['Contacts', 'The address book, and who asked not to get campaigns.'],
  numbers: ['Numbers', "The organization's numbers: linking, state, send group, keys."],
  account: ['Account', 'The account and its key.'],
  webhook: ['Webhook', 'The webhook address, its signing secret and its deliveries; the events that are posted there.'],
  events: ['Events', 'The event log and stream.'],
  auth: ['Signing in', 'Sign-up and sign-in.'],
  openapi: ['This document', 'The description that this reference is made from.'],
} as const satisfies Record<keyof typeof contract, readonly [heading: string, about: string]>

const description = [
  'Sends and receives messages on a chat network through numbers that an organization has linked.',
  'Bodies are JSON, ids are UUIDs, timestamps are ISO 8601 UTC. Match errors on `error.code`, never on the message;',
  'codes are never renamed or removed, and new ones may appear. After a 5xx a read may be repeated; before a send is',
  'repeated, look at its message, or give every send an Idempotency-Key.',
].join(' ')

function webhookOf(kind: EventKind): RouteConfig {
  const { when, audience } = events[kind]
  return {
    method: 'post',
    path: kind,
    operationId: `webhook.${kind}`,
    summary: when,
    description: `For organizations with ${formatProducts(audience)}. Answer any 2xx within 10 seconds, otherwise it is tried again, 5 times in all. It can arrive twice, and out of order.`,
    tags: ['webhook'],
    // Whoever receives it is not signed in anywhere: the signature in the headers is the proof.
    security: [],
    request: {
      headers: webhookHeaders(kind),
      body: { required: true, content: { 'application/json': { schema: webhookBody(kind) } } },
    },
    responses: { '2XX': { description: 'The event was taken.' } },
  }
}

/** The document with those of the named responses that an operation refers to; the catalogue names one for every code. */
function withoutUnusedResponses(document: OpenApiDocument): OpenApiDocument {
  const operations = JSON.stringify(document.paths)
  const used = Object.entries(document.components?.responses ?? {}).filter(([name]) =>
    operations.includes(`"#/components/responses/${name}"`),
  )
  return { ...document, components: { ...document.components, responses: Object.fromEntries(used) } }
}

/**
 * The whole contract as an OpenAPI 3.1 document, webhooks included. It is made anew on every call (some tens of
 * milliseconds), so keep the result. `baseUrl` is what the paths are relative to, with /api/v1 at its end.
 */
export function openApiDocument(options: { title?: string; baseUrl?: string } = {}): OpenApiDocument {
  const registry = new OpenAPIRegistry()
  for (const [type, name, component] of components) registry.registerComponent(type, name, component)
  for (const [resource, routes] of Object.entries<Record<string, Route>>({ ...contract })) {
    for (const [name, route] of Object.entries(routes)) registry.registerPath(toOperation(resource, name, route))
  }
  for (const kind of eventKinds) registry.registerWebhook(webhookOf(kind))
  const schemas = errorSchemas.map((schema) => ({ type: 'schema' as const, schema }))
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
    servers: [{ url: options.baseUrl ?? '/api/v1' }],
    tags: Object.entries(tags).map(([name, [heading, about]]) => ({
      name,
      'x-displayName': heading,
      description: about,
    })),
  })
  return withoutUnusedResponses(document)
}
