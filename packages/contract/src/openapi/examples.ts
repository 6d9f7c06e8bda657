import type { InputTo, Resource, RouteName } from '../contract.ts'

const phone = '+12025550100'
const campaign = {
  name: 'Spring sale',
  template: 'Hello {{name}}, the sale starts on {{day}}.',
  recipients: [
    { phone, variables: { name: 'Jane', day: 'Monday' } },
    { phone: '+12025550130', variables: { name: 'José', day: 'Tuesday' } },
  ],
}
const containerIds = ['0190b1a0-7d3c-7f3e-9c55-1f0a5b7c9d11', '0190b1a0-8e4d-7a4f-8b66-2a1b6c8d0e22']
const id = '0190b1a1-0c2d-7b3e-8f44-5a6b7c8d9e0f'

type Examples = { readonly [R in Resource]?: { readonly [N in RouteName<R>]?: Partial<InputTo<R, N>> } }

/** An example body for every operation that takes one. */
export const bodyExamples = {
  alert: {
    send: { phone, message: 'Your order 1042 is on its way: https://example.com/orders/1042' },
    sendImage: { phone, imageUrl: 'https://example.com/receipt.png', caption: 'Your receipt' },
    sendVideo: { phone, videoUrl: 'https://example.com/tour.mp4', caption: 'The house tour' },
    sendFile: { phone, fileUrl: 'https://example.com/invoice-1042.pdf', filename: 'Invoice 1042.pdf' },
    sendVoice: { phone, audioUrl: 'https://example.com/greeting.ogg' },
    sendContact: { phone, contacts: [{ fullName: 'Jane Doe', phone: '+12025550130', email: 'jane@example.com' }] },
    sendLocation: { phone, latitude: 38.8894, longitude: -77.0352, name: 'Our office' },
    sendLink: { phone, url: 'https://example.com/orders/1042', message: 'Follow your order here:' },
    sendPoll: { phone, question: 'When may we call you?', options: ['In the morning', 'In the evening'] },
    validate: { phones: [phone, '+12025550101'] },
    batch: { recipients: [phone, '+12025550130'], message: 'We are closed on Monday.', skipInvalidNumbers: true },
    forward: { phone: '+12025550130' },
    edit: { message: 'Your order 1042 arrives tomorrow.' },
  },
  recipients: {
    validate: { phones: [phone, '+1 (202) 555-0101', '12'] },
  },
  campaigns: {
    create: { ...campaign, scheduledAt: '2030-03-01T09:00:00+01:00' },
    preview: campaign,
    update: { name: 'Spring sale, second wave', scheduledAt: null },
    send: { containerId: containerIds[0] },
    resume: { containerId: containerIds[0] },
  },
  reminders: {
    create: {
      phone,
      message: 'Dear {{name}}, your rent is due tomorrow.',
      variables: { name: 'Jane' },
      sendAt: '2030-01-31T09:00:00+01:00',
      repeat: 'monthly',
      timeZone: 'Europe/Berlin',
      label: 'Rent',
    },
    import: {
      message: 'Dear {{name}}, we look forward to seeing you tomorrow.',
      rows: [{ phone, sendAt: '2030-01-31T09:00:00Z', variables: { name: 'Jane' }, label: 'Appointment 17' }],
    },
    update: { sendAt: '2030-02-01T09:00:00Z' },
  },
  otp: {
    send: { phone, template: '{{code}} is your code. It is valid for {{expiry}} minutes.', length: 6 },
    verify: { requestId: id, code: '314159' },
  },
  chats: {
    ack: { ids: [id] },
  },
  contacts: {
    sync: { containerId: containerIds[0] },
    update: { optedOut: true },
    setOptOutWords: { words: ['stop', 'unsubscribe'] },
  },
  numbers: {
    create: { label: 'Support' },
    update: { label: 'Support, Berlin', isDefault: true },
    setSendGroup: { enabled: true, containerIds, mode: 'backup', sticky: true },
    release: { action: 'send' },
    pair: { phone },
    start: { containerId: containerIds[0] },
    stop: { containerId: containerIds[0] },
    reconnect: { containerId: containerIds[0] },
    logout: { containerId: containerIds[0] },
    setProfile: { name: 'Example Shop', about: 'Open from 9 to 5' },
  },
  webhook: {
    set: { webhookUrl: 'https://example.com/webhooks/messages' },
    regenerateSecret: { overlapSeconds: 3600 },
    test: { event: 'message.delivered' },
  },
  auth: {
    signUp: {
      name: 'Jane Doe',
      email: 'jane@example.com',
      password: 'correct horse battery staple',
      organizationName: 'Example Shop',
    },
    signIn: { email: 'jane@example.com', password: 'correct horse battery staple' },
    changePassword: { currentPassword: 'correct horse battery staple', newPassword: 'another battery staple' },
  },
} as const satisfies Examples

/** Returns the example body of an operation, or undefined when it takes none. */
export function findBodyExample(resource: string, name: string): unknown {
  const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = bodyExamples
  return all[resource]?.[name]
}
