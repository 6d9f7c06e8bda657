import * as cast from './cast.ts'
import { eventExamples } from './events.ts'
import type { Outputs } from './examples.ts'

const { jane, organization, owner, question, secrets } = cast

const success = true
const contact = {
  id: jane.contactId,
  name: jane.name,
  phone: jane.phone,
  lid: null,
  saved: true,
  optedOut: false,
} as const

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

/** Example responses of the other routes. */
export const others = {
  chats: {
    list: {
      success,
      chats: [
        {
          containerId: cast.support.containerId,
          phone: jane.phone,
          name: jane.name,
          lastMessage: question.text,
          lastDirection: 'in',
          lastAt: question.at,
          unread: 1,
        },
      ],
      nextCursor: null,
    },
    unread: {
      success,
      messages: [
        {
          id: question.id,
          containerId: cast.support.containerId,
          phone: jane.phone,
          name: jane.name,
          text: question.text,
          type: 'chat',
          at: question.at,
        },
      ],
    },
    ack: { success, marked: 1 },
    attachment: { content: Uint8Array.from([0xff, 0xd8, 0xff]), mimetype: 'image/jpeg', filename: 'Photo.jpg' },
    thread: {
      success,
      phone: jane.phone,
      name: jane.name,
      messages: [
        {
          id: cast.order.messageId,
          direction: 'out',
          text: cast.order.text,
          at: cast.order.acceptedAt,
          status: 'read',
        },
        { id: question.id, direction: 'in', text: question.text, at: question.at, type: 'chat' },
      ],
    },
    read: { success, marked: 1 },
  },
  contacts: {
    search: { success, total: 1, page: 1, limit: 10, contacts: [contact] },
    optOuts: { success, total: 1, page: 1, limit: 50, optOuts: [{ ...contact, optedAt: cast.now }] },
    addOptOuts: { success, optedOut: 1, already: 1 },
    count: { success, count: 214, historyImportedAt: '2026-10-05T08:20:00.000Z', importing: false },
    sync: { success, contacts: 214, saved: 180, lidsLinked: 3, messagesLinked: 12, importing: true },
    update: { success, contact: { ...contact, optedOut: true } },
    optOutWords: { success, words: ['STOP PLEASE', 'NO MORE'] },
    setOptOutWords: { success, words: ['STOP PLEASE', 'NO MORE'] },
  },
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
    get: { success, webhookUrl: cast.webhookUrl, signingSecret: null },
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
