import * as z from 'zod'
import { eventKinds } from '../events/events.ts'
import * as cast from '../examples/cast.ts'
import { eventExamples } from '../examples/events.ts'
import * as example from '../examples/webhook.ts'
import { named, ok } from '../model/envelope.ts'
import { at, atOrNull, count, httpUrl, pageOf, pageQuery, uuid } from '../model/fields.ts'
import { instant } from '../model/instants.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'
import { signingSecret, warning } from './keys.ts'
import { administerWebhook as administer, overlap, readWebhook as read, webhookEndpoints } from './webhook-endpoints.ts'

/** The status of a delivery: waiting for an attempt, accepted by the receiver, or given up. */
export const deliveryStatuses = ['pending', 'delivered', 'dropped'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

const configured = {
  webhookUrl: z.string().nullable().describe('The address that events are posted to; null if there is none.'),
  signingSecret: signingSecret.nullable().describe('The secret that deliveries are signed with, or null.'),
}
const configuration = ok(configured).meta({
  id: 'WebhookConfiguration',
  description: 'Where events are posted, and how they are signed.',
})

const delivery = named('Delivery', 'One event for one webhook endpoint.', {
  id: z.uuid().describe('This delivery.'),
  eventId: z.uuid().describe('The event; equal to X-Service-Delivery, also on a replay.'),
  endpointId: z.uuid().describe('The endpoint that it goes to.'),
  url: z.string().nullable().describe('The address of the endpoint now; null if it was removed.'),
  event: z.enum(eventKinds).describe('The kind of event.'),
  status: z.enum(deliveryStatuses).describe('The status of the delivery.'),
  attempts: count('Attempts made, at most 5.'),
  nextAttemptAt: atOrNull('When the next attempt is due.'),
  lastStatus: z.int().nullable().describe('HTTP status of the last response; null without one.'),
  lastError: z.string().nullable().describe('Why the last attempt failed.'),
  lastResponse: z
    .string()
    .nullable()
    .describe('The first 500 bytes of the body of the last response, if it was a refusal with a body.'),
  lastDurationMs: z.int().min(0).nullable().describe('How long the last attempt took, in milliseconds.'),
  createdAt: at('When it was created.'),
  deliveredAt: atOrNull('When the receiver accepted it.'),
  replay: z.boolean().describe('Whether it is a replay.'),
  sample: z.boolean().describe('Whether the event is a sample of POST /me/webhook/test.'),
})

const attempt = named('DeliveryAttempt', 'One attempt to post an event to a webhook endpoint.', {
  at: at('When the event was posted.'),
  status: z.int().nullable().describe('HTTP status of the response; null without one.'),
  durationMs: z
    .int()
    .min(0)
    .nullable()
    .describe('How long the attempt took, in milliseconds; null if it is not known.'),
  error: z.string().nullable().describe('Why the attempt failed; null if the receiver accepted the event.'),
  response: z
    .string()
    .nullable()
    .describe('The first 500 bytes of the body of the response, if it was a refusal with a body.'),
})

export const webhook = {
  /**
   * Shows the webhook address and signing secret. Needs Assistant, Shop or Developer. For owners, admins and the
   * account key.
   */
  get: route('GET /me/webhook', {
    summary: 'Get the webhook address and secret',
    access: administer,
    response: ok({
      ...configured,
      previousSigningSecret: signingSecret
        .nullable()
        .describe('The replaced secret while deliveries also carry a signature by it; else null.'),
    }).meta({ id: 'ShownWebhookConfiguration', description: 'The webhook, with both of its secrets.' }),
    errors: ['SECRETS_KEY_MISSING'],
    secret: true,
    example: { output: { webhookUrl: cast.webhookUrl, signingSecret: null, previousSigningSecret: null } },
    msgctl: 'msgctl webhook show',
  }),

  /**
   * Sets the webhook address, or stops events with null. The first address creates the signing secret, which only this
   * call returns (later calls: null). Private and local addresses are refused. For owners, admins and the account key.
   */
  set: route('PUT /me/webhook', {
    summary: 'Set the webhook address',
    access: administer,
    body: z.object({
      webhookUrl: httpUrl.nullable().describe('Public http or https address, or null to stop events.'),
    }),
    response: configuration,
    secret: true,
    example: {
      input: { webhookUrl: cast.webhookUrl },
      output: { webhookUrl: cast.webhookUrl, signingSecret: cast.secrets.signingSecret },
    },
    msgctl: `msgctl webhook set ${cast.webhookUrl}`,
  }),

  /**
   * Replaces the signing secret at once. For `overlapSeconds`, deliveries also carry a signature by the old secret.
   * FORBIDDEN_ACTION if no address was ever set; WEBHOOK_SIGNING_UNAVAILABLE without encryption on the server.
   */
  regenerateSecret: route('POST /me/webhook/regenerate-secret', {
    summary: 'Replace the signing secret',
    access: administer,
    body: overlap,
    response: ok({ signingSecret: signingSecret.describe('The new secret.'), warning }),
    errors: ['FORBIDDEN_ACTION', 'WEBHOOK_SIGNING_UNAVAILABLE'],
    secret: true,
    example: { input: { overlapSeconds: 3600 }, output: example.newSecret },
    msgctl: 'msgctl webhook rotate --overlap 1h',
  }),

  /**
   * Lists the deliveries of the last 30 days, latest first, with their attempts and the last response. At most 100 on a
   * page. `total` counts up to 10,000; on later pages, up to one more than the pages so far contain.
   */
  deliveries: route('GET /me/webhook/deliveries', {
    summary: 'List webhook deliveries',
    access: read,
    query: z.object({
      status: z.enum(deliveryStatuses).optional().describe('Only deliveries with this status.'),
      event: z.enum(eventKinds).optional().describe('Only deliveries of events of this kind.'),
      eventId: uuid.optional().describe('Only deliveries of this event.'),
      ...pageQuery,
    }),
    response: ok({
      ...pageOf,
      total: count(
        `Deliveries that match, on all pages; no more than ${limits.countedDeliveries} are counted, or one ` +
          'more than the pages up to this one.',
      ),
      deliveries: z.array(delivery).describe('The deliveries of this page.'),
    }),
    example: { input: { status: 'dropped' }, output: { total: 1, page: 1, limit: 50, deliveries: [example.delivery] } },
    msgctl: 'msgctl webhook deliveries --status dropped',
  }),

  /** Shows one delivery of the last 30 days, with all its attempts and the body that is posted. */
  delivery: route('GET /me/webhook/deliveries/:id', {
    summary: 'Get one webhook delivery',
    access: read,
    params: z.object({ id: uuid.describe('The delivery.') }),
    response: ok({
      delivery,
      attempts: z.array(attempt).describe('The attempts, oldest first.'),
      body: z
        .object({
          event: z.enum(eventKinds).describe('The kind of event.'),
          data: z.record(z.string(), z.unknown()).describe('The data of the event.'),
          timestamp: at('When it happened.'),
        })
        .describe('The body that is posted. Its signature differs with each attempt.'),
    }),
    errors: ['NOT_FOUND'],
    example: {
      input: { id: cast.deliveryId },
      output: {
        delivery: example.delivery,
        attempts: [{ at: cast.now, status: 200, durationMs: 84, error: null, response: null }],
        body: eventExamples['message.delivered'],
      },
    },
    msgctl: `msgctl webhook delivery ${cast.deliveryId}`,
  }),

  /**
   * Posts the events of dropped deliveries again, each once to each endpoint that is still there, oldest first. Events
   * that were delivered since, or are being delivered, are left out. At most 10,000 at a time. Owners, admins, the
   * account key.
   */
  replayDeliveries: route('POST /me/webhook/deliveries/replay', {
    summary: 'Replay dropped deliveries',
    access: administer,
    body: z.object({
      status: z.literal('dropped').describe('Only dropped deliveries can be replayed together.'),
      from: instant.optional().describe('Only deliveries created at or after this time.'),
      to: instant.optional().describe('Only deliveries created before this time.'),
    }),
    status: 202,
    response: ok({ count: count('Deliveries that were planned.') }),
    idempotent: true,
    example: { input: { status: 'dropped', from: '2026-11-03T00:00:00Z' }, output: { count: 3 } },
    msgctl: 'msgctl webhook replay --dropped --since 2h --yes',
  }),

  /**
   * Posts a sample event to the webhook address or one endpoint, marked X-Service-Sample; it is in no event list and no
   * stream. Read its result from the deliveries of the eventId. PRODUCT_REQUIRED for a kind that the organization does
   * not receive. FORBIDDEN_ACTION when no address is set. Owners, admins, the account key.
   */
  test: route('POST /me/webhook/test', {
    summary: 'Send a sample event',
    access: administer,
    body: z.object({
      event: z
        .enum(eventKinds)
        .optional()
        .describe(
          'The kind of event to make a sample of. Default: message.delivered, or the first kind that your ' +
            'products receive.',
        ),
      endpointId: uuid
        .optional()
        .describe('The endpoint to post to, whatever kinds it receives. Default: the main one.'),
    }),
    status: 202,
    response: ok({
      eventId: z.uuid().describe('The event; equal to X-Service-Delivery.'),
      event: z.enum(eventKinds).describe('The kind of the sample.'),
    }),
    errors: ['FORBIDDEN_ACTION', 'NOT_FOUND'],
    idempotent: true,
    example: { input: { event: 'message.delivered' }, output: { eventId: cast.eventId, event: 'message.delivered' } },
    msgctl: 'msgctl webhook test --event message.delivered',
  }),

  ...webhookEndpoints,
}
