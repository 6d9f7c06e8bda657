/**
 * The people and things of all examples: a shop that sends through two numbers. The same ids, phones and times
 * everywhere, so that an id in one example can be found in another.
 */
export const now = '2026-11-03T09:30:00.000Z'

export const organization = { id: '01a0fba0-9400-7c1e-8d3f-5a7b9c0e1d2f', name: 'Example Shop' } as const

/** The owner of the organization. */
export const owner = {
  id: '01a0fba0-9401-7b2d-9e4a-6c8d0f1a2b3c',
  name: 'Ada Moreno',
  email: 'ada@example.com',
  password: 'correct horse battery staple',
} as const

/** The numbers of the organization. */
export const support = {
  containerId: '01a10b21-63a0-7d4e-8f5b-1a2b3c4d5e6f',
  phone: '12025550199',
  label: 'Support',
  session: 'example-shop-support',
} as const
export const sales = {
  containerId: '01a10b21-63a1-7e5f-906c-2b3c4d5e6f70',
  phone: '12025550198',
  label: 'Sales',
  session: 'example-shop-sales',
} as const

/** The people that the organization writes with. */
export const jane = {
  contactId: '01a10b25-1020-7a1b-8c2d-3e4f5a6b7c8d',
  phone: '12025550100',
  typed: '+12025550100',
  name: 'Jane Doe',
} as const
export const jose = {
  contactId: '01a10b25-1021-7b2c-9d3e-4f5a6b7c8d9e',
  phone: '12025550130',
  typed: '+12025550130',
  name: 'José García',
} as const
/** A phone number that is not on the network. */
export const unknownPhone = { phone: '12025550101', typed: '+12025550101' } as const

/** The text to Jane about her order. */
export const order = {
  messageId: '01a1a0bd-8f60-7c3d-8e4f-5a6b7c8d9e0f',
  gatewayMessageId: '3EB0C767D097B7C7C030',
  text: 'Your order 1042 is on its way: https://example.com/orders/1042',
  clientReference: 'order-1042',
  acceptedAt: '2026-11-03T09:29:00.000Z',
  sentAt: '2026-11-03T09:29:04.000Z',
  deliveredAt: '2026-11-03T09:29:06.000Z',
  readAt: '2026-11-03T09:29:41.000Z',
} as const

/** The photo of the receipt that goes to Jane. */
export const receipt = {
  messageId: '01a1a0bd-b670-7d4e-9f50-6b7c8d9e0f1a',
  gatewayMessageId: '3EB0D2A41F6B8C9E5D12',
  imageUrl: 'https://example.com/receipts/1042.png',
} as const

/** A picture of one pixel, in base64. */
export const smallPicture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** The same as it is stored to be sent. */
export const uploadedPicture = {
  mediaId: '01a1a0bd-b671-7e5f-a061-7c8d9e0f1a2b',
  filename: 'Receipt 1042.png',
  mimetype: 'image/png',
  sizeBytes: 70,
  expiresAt: '2026-11-04T09:30:00.000Z',
} as const

/** The campaign to both. */
export const campaign = {
  id: '01a19cd8-8d00-7e5f-8061-7c8d9e0f1a2b',
  name: 'Spring sale',
  template: 'Hello {{name}}, the sale starts on {{day}}.',
  messageId: '01a19cd9-1f40-7f60-9172-8d9e0f1a2b3c',
  createdAt: '2026-11-02T15:20:00.000Z',
  startedAt: '2026-11-02T15:21:00.000Z',
  completedAt: '2026-11-02T15:21:12.000Z',
} as const

export const reminder = {
  id: '01a19ce0-2b10-7061-8283-9e0f1a2b3c4d',
  batchId: '01a19ce1-05a0-7172-9394-0f1a2b3c4d5e',
  message: 'Dear {{name}}, your rent is due tomorrow.',
  sendAt: '2030-01-31T08:00:00.000Z',
} as const

export const oneTimeCode = {
  requestId: '01a1a0be-2f00-7283-84a5-1a2b3c4d5e60',
  code: '314159',
  template: '{{code}} is your code. It is valid for {{expiry}} minutes.',
} as const

/** What Jane wrote back. */
export const question = {
  id: '01a1a0be-0190-7394-95b6-2b3c4d5e6f71',
  gatewayMessageId: '3A5F0E8C1B7D42969E03',
  text: 'Thank you! Do you deliver on Sundays?',
  at: '2026-11-03T09:29:58.000Z',
} as const

export const webhookUrl = 'https://example.com/webhooks/messages'
export const deliveryId = '01a1a0be-3ca0-74a5-86c7-3c4d5e6f7182'
export const eventId = '01a1a0bd-a6d0-75b6-97d8-4d5e6f718293'
export const requestId = '01a1a0be-79c0-76c7-88e9-5e6f718293a4'

/** Keys and secrets of the right form that open nothing. */
export const secrets = {
  accountKey: `msk_${'0123456789abcdef'.repeat(4)}`,
  numberKey: `msn_${'0123456789abcdef'.repeat(4)}`,
  signingSecret: `whsec_${'0123456789abcdef'.repeat(4)}`,
  token: `mst_${'0123456789abcdef'.repeat(4)}`,
} as const

/** The second webhook endpoint of the organization. */
export const endpointId = '01a1a0be-0410-7d5e-8f60-8192a3b4c5d6'

/** Jane in the address book. */
export const contact = {
  id: jane.contactId,
  name: jane.name,
  phone: jane.phone,
  lid: null,
  saved: true,
  optedOut: false,
} as const
