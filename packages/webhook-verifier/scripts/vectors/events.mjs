/** One body of every event type that this package knows. */

const timestamp = '2026-10-01T00:00:00.000Z'
const containerId = '5f0c7a52-3d57-4a6e-9d0b-1f6a3c2b4e11'
const number = { containerId, numberPhone: '12025550100' }
const session = 'main'

/** @param {string} value */
const status = (value) => ({
  messageId: '0b54cf2e-8f0f-4b6b-9a57-6c1d7a9e2f10',
  recipient: '12025550123',
  type: 'alert',
  status: value,
  gatewayMessageId: '3EB0C767D097B7C7C030',
  ...number,
  timestamp,
})

const assistant = {
  botId: '9b2f6e0a-51c4-4f7b-8a35-2d60c1e7b944',
  conversationId: 'c8d7a3f1-60be-4b52-9e07-5a4f3b1d2c68',
  contactPhone: '12025550123',
  question: 'Do you deliver on Sundays?',
  timestamp,
}

const ends = { id: '3EB0A1B2C3D4E5F60718', from: '12025550123', to: '12025550100', fromMe: false }

const data = {
  'message.inbound': {
    sender: '12025550123',
    senderName: 'Zoë',
    body: 'Grüße, 你好 👋',
    messageType: 'chat',
    gatewayMessageId: '3EB0F0E1D2C3B4A59687',
    ...number,
    timestamp,
  },
  'message.sent': status('sent'),
  'message.delivered': status('delivered'),
  'message.read': { ...status('read'), type: 'bulk', campaignId: '2c9e4f6a-7b13-4d85-a0c2-e1f3b5d79846' },
  'message.failed': {
    ...status('failed'),
    gatewayMessageId: null,
    error: 'The recipient is not on the network.',
    errorCode: 'NUMBER_NOT_ON_NETWORK',
  },
  'poll.vote': {
    vote: { ...ends, selectedOptions: ['Tuesday'], timestamp },
    poll: { ...ends, id: '3EB09988776655443322', from: '12025550100', to: '12025550123', fromMe: true },
    messageId: '0b54cf2e-8f0f-4b6b-9a57-6c1d7a9e2f10',
    ...number,
    timestamp,
  },
  'session.needs_scan': { status: 'SCAN_QR_CODE', ...number, session },
  'session.disconnected': {
    status: 'FAILED',
    message: 'The number lost its connection.',
    retriesExhausted: true,
    lastAttempt: 5,
    ...number,
    session,
    timestamp,
  },
  'session.recovered': { status: 'WORKING', recoveredAt: timestamp, ...number, session },
  'number.warning': {
    reason: 'few_replies',
    message: 'The last 20 new conversations of this number got no reply.',
    ...number,
    session,
    timestamp,
  },
  'bot.needs_review': { ...assistant, lang: 'en' },
  'bot.handoff': { ...assistant, reason: 'away' },
  'commerce.order': {
    botId: assistant.botId,
    contactPhone: '12025550123',
    orderNumber: 'A-1042',
    total: 59.9,
    currency: 'EUR',
    timestamp,
  },
  'campaign.completed': {
    campaignId: '3f2a8c1e-7d44-4c1b-9e0f-6a1d2b3c4d5e',
    name: 'Spring news',
    status: 'completed',
    containerId: null,
    stats: { total: 250, sent: 247, delivered: 231, failed: 3, read: 120 },
    startedAt: '2026-09-30T23:00:00.000Z',
    timestamp,
  },
  'campaign.failed': {
    campaignId: '3f2a8c1e-7d44-4c1b-9e0f-6a1d2b3c4d5e',
    name: 'Spring news',
    status: 'draft',
    error: 'No number is connected.',
    errorCode: 'NO_SESSION_CONFIGURED',
    scheduledAt: '2026-09-30T23:00:00.000Z',
    timestamp,
  },
}

/** The bodies as text, by event type. */
export const bodies = /** @type {Record<keyof typeof data, string>} */ (
  Object.fromEntries(
    Object.entries(data).map(([event, value]) => [event, JSON.stringify({ event, data: value, timestamp })]),
  )
)
