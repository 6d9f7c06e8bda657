import * as cast from './cast.ts'
import { eventExamples } from './events.ts'
import type { Outputs } from './examples.ts'

const { organization, owner, secrets } = cast

const success = true
const caller = { id: owner.id, name: owner.name, email: owner.email, memberRole: 'owner' } as const

const endpoint = {
  id: cast.endpointId,
  main: false,
  url: 'https://shop.example.com/hooks/alarms',
  label: 'Alarms',
  kinds: ['message.failed', 'campaign.failed'],
  createdAt: cast.now,
  updatedAt: cast.now,
} as const

const delivery = {
  id: cast.deliveryId,
  eventId: cast.eventId,
  endpointId: cast.endpointId,
  url: cast.webhookUrl,
  event: 'message.delivered',
  status: 'dropped',
  attempts: 5,
  nextAttemptAt: null,
  lastStatus: 401,
  lastError: 'The receiver responded with 401 instead of a 2xx status.',
  lastResponse: '{"reason":"no_matching_signature"}',
  lastDurationMs: 12,
  createdAt: cast.order.deliveredAt,
  deliveredAt: null,
  replay: false,
  sample: false,
} as const

const warning = 'Store this key now. It cannot be shown again.'
const perNumberPerMinute = 60

/** Example responses about the account, its webhook and its events. */
export const ofAccount = {
  account: {
    me: {
      success,
      ...caller,
      organization: { ...organization, requireTwoFactor: false },
      products: ['notify', 'developer', 'connect'],
      features: ['send', 'batch', 'api', 'otp', 'media', 'webhooks', 'campaigns', 'reminders', 'inbox'],
      maxNumbers: 3,
      webhookUrl: cast.webhookUrl,
      hasApiKey: true,
      apiKeyPreview: 'msk_0123…',
      apiKeyLastUsedAt: cast.now,
      trial: null,
      networkWarning: null,
    },
    limits: {
      success,
      changes: { limitPerMinute: 300, remaining: 297, retryAfterSeconds: 0, resetsAt: '2026-11-03T09:30:00.600Z' },
      texts: { perNumberPerMinute },
      campaigns: {
        perNumberPerMinute: 20,
        perOrganizationPerMinute: 60,
        minSpacingSeconds: 3,
        maxSpacingSeconds: 7,
      },
      otp: { perOrganizationPerMinute: 60 },
      trial: null,
    },
    usage: {
      success,
      changes: { limitPerMinute: 300, remaining: 297, retryAfterSeconds: 0, resetsAt: '2026-11-03T09:30:00.600Z' },
      trial: null,
      numbers: { used: 2, limit: 3 },
      streams: { events: { open: 1, limit: 20 }, overview: { open: 2, limit: 200 } },
      recipientChecks: {
        known: 214,
        numbers: [
          { containerId: cast.support.containerId, minuteLeft: 58, minuteLimit: 60, dayLeft: 905, dayLimit: 1000 },
        ],
      },
    },
    generateKey: { success, apiKey: secrets.accountKey, apiKeyPreview: 'msk_0123…', warning },
    regenerateKey: { success, apiKey: secrets.accountKey, warning },
  },
  webhook: {
    get: { success, webhookUrl: cast.webhookUrl, signingSecret: null, previousSigningSecret: null },
    set: { success, webhookUrl: cast.webhookUrl, signingSecret: secrets.signingSecret },
    regenerateSecret: {
      success,
      signingSecret: secrets.signingSecret,
      warning: 'Store this secret now, and give it to the receiver.',
    },
    deliveries: { success, total: 1, page: 1, limit: 50, deliveries: [delivery] },
    delivery: {
      success,
      delivery,
      attempts: [{ at: cast.now, status: 200, durationMs: 84, error: null, response: null }],
      body: eventExamples['message.delivered'],
    },
    replayDeliveries: { success, count: 3 },
    test: { success, eventId: cast.eventId, event: 'message.delivered' },
    endpoints: { success, endpoints: [endpoint] },
    addEndpoint: { success, endpoint, signingSecret: secrets.signingSecret },
    endpoint: { success, endpoint, signingSecret: secrets.signingSecret },
    setEndpoint: { success, endpoint },
    removeEndpoint: { success },
    regenerateEndpointSecret: {
      success,
      signingSecret: secrets.signingSecret,
      warning: 'Store this secret now, and give it to the receiver.',
    },
  },
  events: {
    list: {
      success,
      events: [{ id: cast.eventId, ...eventExamples['message.delivered'] }],
      nextCursor: 'MTA0Mg',
      hasMore: false,
    },
    stream: { id: cast.deliveryId, ...eventExamples['message.inbound'] },
    replay: { success, eventId: cast.eventId },
  },
} as const satisfies Outputs
