import * as z from 'zod'
import { eventKinds } from '../events/events.ts'
import * as cast from '../examples/cast.ts'
import * as example from '../examples/webhook.ts'
import { named, ok } from '../model/envelope.ts'
import { at, httpUrl, text, unique, uuid } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'
import { signingSecret, warning } from './keys.ts'

export const readWebhook = { feature: 'webhooks', keys: 'account' } as const
export const administerWebhook = { ...readWebhook, roles: ['owner', 'admin'] } as const

/** The body of a request for a new signing secret. */
export const overlap = z.object({
  overlapSeconds: z
    .int()
    .min(0)
    .max(limits.secretOverlapSeconds)
    .default(0)
    .describe('How long deliveries also carry a signature by the old secret, up to a day.'),
})

const endpoint = named('WebhookEndpoint', 'An address that events are posted to, and the kinds that it receives.', {
  id: z.uuid().describe('This endpoint.'),
  main: z.boolean().describe('Whether it is the one that PUT /me/webhook sets.'),
  url: z.string().describe('The address that events are posted to.'),
  label: z.string().nullable().describe('Its name, or null.'),
  kinds: z.array(z.enum(eventKinds)).nullable().describe('The kinds of events that it receives; null for all.'),
  createdAt: at('When it was added.'),
  updatedAt: at('When it was changed last.'),
})
export type WebhookEndpoint = z.infer<typeof endpoint>

const params = z.object({ id: uuid.describe('The endpoint.') })
const kinds = unique(z.array(z.enum(eventKinds)).min(1).max(eventKinds.length))
  .nullable()
  .describe('The kinds of events to receive. Null for all, also those that are added later.')
const label = text(1, limits.label).nullable().describe('A name for it, 1 to 255 characters, or null.')
const url = httpUrl.describe('Public http or https address.')
const secret = signingSecret.nullable()

/** The routes of an organization's webhook endpoints: the address of PUT /me/webhook and up to nine others. */
export const webhookEndpoints = {
  /** Lists the endpoints, the oldest first, without their secrets. Needs Assistant, Shop or Developer. */
  endpoints: route('GET /me/webhook/endpoints', {
    summary: 'List webhook endpoints',
    access: readWebhook,
    response: ok({ endpoints: z.array(endpoint).describe('The endpoints that have an address.') }),
    example: { output: { endpoints: [example.endpoint] } },
  }),

  /**
   * Adds an endpoint with a signing secret of its own, which receives all events or the kinds that you choose. Private
   * and local addresses are refused. FORBIDDEN_ACTION beyond 10 endpoints. For owners, admins and the account key.
   */
  addEndpoint: route('POST /me/webhook/endpoints', {
    summary: 'Add a webhook endpoint',
    access: administerWebhook,
    body: z.object({ url, kinds: kinds.default(null), label: label.default(null) }),
    status: 201,
    response: ok({
      endpoint,
      signingSecret: secret.describe(
        'The secret that its deliveries are signed with; null on a server without encryption.',
      ),
    }),
    errors: ['FORBIDDEN_ACTION'],
    secret: true,
    example: {
      input: {
        url: 'https://shop.example.com/hooks/alarms',
        kinds: ['message.failed', 'campaign.failed'],
        label: 'Alarms',
      },
      output: { endpoint: example.endpoint, signingSecret: cast.secrets.signingSecret },
    },
  }),

  /** Shows one endpoint with its signing secret. For owners, admins and the account key. */
  endpoint: route('GET /me/webhook/endpoints/:id', {
    summary: 'Get one webhook endpoint and its secret',
    access: administerWebhook,
    params,
    response: ok({
      endpoint,
      signingSecret: secret.describe('The secret that its deliveries are signed with, or null.'),
    }),
    errors: ['NOT_FOUND', 'SECRETS_KEY_MISSING'],
    secret: true,
    example: {
      input: { id: cast.endpointId },
      output: { endpoint: example.endpoint, signingSecret: cast.secrets.signingSecret },
    },
  }),

  /**
   * Changes the address, the kinds or the label of an endpoint; what is left out stays. Waiting deliveries go to the
   * new address. For owners, admins and the account key.
   */
  setEndpoint: route('PUT /me/webhook/endpoints/:id', {
    summary: 'Change a webhook endpoint',
    access: administerWebhook,
    params,
    body: z
      .object({ url: url.optional(), kinds: kinds.optional(), label: label.optional() })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must change at least one of url, kinds and label',
      }),
    response: ok({ endpoint }),
    errors: ['NOT_FOUND'],
    example: { input: { id: cast.endpointId, kinds: ['message.failed'] }, output: { endpoint: example.endpoint } },
  }),

  /**
   * Removes an endpoint. Its waiting deliveries are dropped. The secret of the main one stays for its next address. For
   * owners, admins and the account key.
   */
  removeEndpoint: route('DELETE /me/webhook/endpoints/:id', {
    summary: 'Remove a webhook endpoint',
    access: administerWebhook,
    params,
    response: ok({}),
    errors: ['NOT_FOUND'],
    example: { input: { id: cast.endpointId }, output: {} },
  }),

  /**
   * Replaces the signing secret of one endpoint at once. For `overlapSeconds`, deliveries also carry a signature by the
   * old secret. WEBHOOK_SIGNING_UNAVAILABLE without encryption on the server. For owners, admins and the account key.
   */
  regenerateEndpointSecret: route('POST /me/webhook/endpoints/:id/regenerate-secret', {
    summary: 'Replace the signing secret of one endpoint',
    access: administerWebhook,
    params,
    body: overlap,
    response: ok({ signingSecret: signingSecret.describe('The new secret.'), warning }),
    errors: ['NOT_FOUND', 'WEBHOOK_SIGNING_UNAVAILABLE'],
    secret: true,
    example: { input: { id: cast.endpointId, overlapSeconds: 3600 }, output: example.newSecret },
  }),
}
