import * as z from 'zod'
import { endpoints } from '../endpoints.ts'
import { eventKinds } from '../events/events.ts'
import { ok } from '../model/envelope.ts'
import { at, atOrNull, count, httpUrl, pageOf, pageQuery } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { type Covers, route } from '../route.ts'
import { signingSecret, warning } from './keys.ts'

/** How far the delivery of one event is: waiting for an attempt, taken by the receiver, or given up. */
export const deliveryStatuses = ['pending', 'delivered', 'dropped'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

const read = { feature: 'webhooks', keys: 'account' } as const
const administer = { ...read, roles: ['owner', 'admin'] } as const

const configuration = ok({
  webhookUrl: z.string().nullable().describe('Where events are posted; null when they are not.'),
  signingSecret: signingSecret.nullable().describe('The secret that deliveries are signed with, or null.'),
})

const delivery = z.object({
  id: z.uuid().describe('This delivery.'),
  eventId: z.uuid().describe('The event; equal to X-Service-Delivery, also on a replay.'),
  event: z.enum(eventKinds).describe('The kind of event.'),
  status: z.enum(deliveryStatuses).describe('How far it is.'),
  attempts: count('Attempts made, at most 5.'),
  nextAttemptAt: atOrNull('When it is tried next.'),
  lastStatus: z.int().nullable().describe('HTTP status of the last answer; null without one.'),
  lastError: z.string().nullable().describe('Why the last attempt did not succeed.'),
  createdAt: at('When it was planned.'),
  deliveredAt: atOrNull('When the receiver took it.'),
  replay: z.boolean().describe('Whether it was asked for by a replay.'),
})

export const webhook = {
  /** The webhook address and signing secret. Needs Assistant, Shop or Developer; owners, admins and the account key. */
  get: route(endpoints.webhook.get, {
    summary: 'Get the webhook address and secret',
    access: administer,
    status: 200,
    response: configuration,
    errors: ['SECRETS_KEY_MISSING'],
    secret: true,
  }),

  /**
   * Sets the one webhook address, or stops events with null. The first address creates the signing secret, which is
   * answered by this call only (null later). Private and local addresses are refused. Owners, admins and the account key.
   */
  set: route(endpoints.webhook.set, {
    summary: 'Set the webhook address',
    access: administer,
    body: z.object({
      webhookUrl: httpUrl.nullable().describe('Public http or https address, or null to stop events.'),
    }),
    status: 200,
    response: configuration,
    errors: [],
    secret: true,
  }),

  /**
   * Makes a new signing secret, used at once. With `overlapSeconds` the old one keeps verifying meanwhile.
   * FORBIDDEN_ACTION before any address was set; WEBHOOK_SIGNING_UNAVAILABLE without encryption on the server.
   */
  regenerateSecret: route(endpoints.webhook.regenerateSecret, {
    summary: 'Replace the signing secret',
    access: administer,
    body: z.object({
      overlapSeconds: z
        .int()
        .min(0)
        .max(limits.secretOverlapSeconds)
        .default(0)
        .describe('How long deliveries also carry a signature by the old secret, up to a day.'),
    }),
    status: 200,
    response: ok({ signingSecret: signingSecret.describe('The new secret.'), warning }),
    errors: ['FORBIDDEN_ACTION', 'WEBHOOK_SIGNING_UNAVAILABLE'],
    secret: true,
  }),

  /**
   * Deliveries of the last 30 days, latest first: what was posted, how often it was tried, and what came back. At most
   * 100 on a page. `total` counts to 10,000, and on later pages to one more than the pages up to there hold.
   */
  deliveries: route(endpoints.webhook.deliveries, {
    summary: 'List webhook deliveries',
    access: read,
    query: z.object({
      status: z.enum(deliveryStatuses).optional().describe('Only deliveries that are this far.'),
      ...pageQuery,
    }),
    status: 200,
    response: ok({
      ...pageOf,
      total: count(
        `Deliveries that match, on all pages; no more than ${limits.countedDeliveries} are counted, or one more than the pages up to this one.`,
      ),
      deliveries: z.array(delivery).describe('The deliveries of this page.'),
    }),
    errors: [],
  }),

  /**
   * Posts a sample event to the webhook address, marked X-Service-Sample; it is in no event list and no stream. PRODUCT_REQUIRED
   * for a kind that the organization does not receive. FORBIDDEN_ACTION when no address is set. Owners, admins, the account key.
   */
  test: route(endpoints.webhook.test, {
    summary: 'Send a sample event',
    access: administer,
    body: z.object({
      event: z
        .enum(eventKinds)
        .optional()
        .describe(
          'The kind of event to make a sample of. Default: message.delivered, or the first kind that your products receive.',
        ),
    }),
    status: 202,
    response: ok({ eventId: z.uuid().describe('The event; equal to X-Service-Delivery.') }),
    errors: ['FORBIDDEN_ACTION'],
  }),
} satisfies Covers<typeof endpoints.webhook>
