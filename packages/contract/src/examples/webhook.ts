import * as cast from './cast.ts'

/** The second webhook endpoint of the organization. */
export const endpoint = {
  id: cast.endpointId,
  main: false,
  url: 'https://shop.example.com/hooks/alarms',
  label: 'Alarms',
  kinds: ['message.failed', 'campaign.failed'],
  createdAt: cast.now,
  updatedAt: cast.now,
} as const

/** A delivery that its receiver refused. */
export const delivery = {
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

export const newSecret = {
  signingSecret: cast.secrets.signingSecret,
  warning: 'Store this secret now, and give it to the receiver.',
} as const
