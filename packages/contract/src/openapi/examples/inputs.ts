import type { InputTo, Resource, RouteName } from '../../contract.ts'
import { botInputs } from './bots.ts'
import * as cast from './cast.ts'
import * as people from './cast-people.ts'

const { campaign, jane, jose, oneTimeCode, order, reminder, sales, support } = cast

const phone = jane.typed
const number = { containerId: support.containerId }
const draft = {
  name: campaign.name,
  template: campaign.template,
  recipients: [
    { phone, variables: { name: 'Jane', day: 'Monday' } },
    { phone: jose.typed, variables: { name: 'José', day: 'Tuesday' } },
  ],
}
const thisCampaign = { id: campaign.id }
const thisMessage = { messageId: order.messageId }
const thisReminder = { id: reminder.id }
const invoice = 'https://example.com/invoices/1042.pdf'

type Examples = { readonly [R in Resource]?: { readonly [N in RouteName<R>]?: Partial<InputTo<R, N>> } }

/**
 * An example input for every operation that takes one: path parameters, query and body in one object, as the client
 * takes them. The document splits it.
 */
export const inputExamples = {
  alert: {
    send: { phone, message: order.text, clientReference: order.clientReference },
    sendImage: { phone, imageUrl: cast.receipt.imageUrl, caption: 'Your receipt' },
    sendVideo: { phone, videoUrl: 'https://example.com/tour.mp4', caption: 'The house tour' },
    sendFile: { phone, fileUrl: invoice, filename: 'Invoice 1042.pdf' },
    sendVoice: { phone, audioUrl: 'https://example.com/greeting.ogg' },
    sendContact: { phone, contacts: [{ fullName: jose.name, phone: jose.typed, email: 'jose@example.com' }] },
    sendLocation: { phone, latitude: 38.8894, longitude: -77.0352, name: 'Our shop' },
    sendLink: { phone, url: 'https://example.com/orders/1042', message: 'Follow your order here:' },
    sendPoll: { phone, question: 'When may we call you?', options: ['In the morning', 'In the evening'] },
    validate: { phones: [phone, cast.unknownPhone.typed] },
    batch: { recipients: [phone, jose.typed, cast.unknownPhone.typed], message: 'We are closed on Monday.' },
    message: thisMessage,
    forward: { ...thisMessage, phone: jose.typed },
    edit: { ...thisMessage, message: 'Your order 1042 arrives tomorrow.' },
    delete: thisMessage,
    cancel: thisMessage,
  },
  media: {
    upload: { content: cast.smallPicture, filename: 'Receipt 1042.png' },
  },
  recipients: {
    validate: { phones: [phone, '+1 (202) 555-0101', '12'] },
  },
  messages: {
    list: { status: 'read', limit: 20 },
    get: { id: order.messageId },
    hours: { from: '2026-11-02T09:00:00Z', to: '2026-11-03T09:30:00Z' },
    queue: { containerId: cast.support.containerId, limit: 20 },
  },
  campaigns: {
    create: { ...draft, scheduledAt: '2030-03-01T09:00:00+01:00' },
    preview: draft,
    get: thisCampaign,
    status: thisCampaign,
    progress: thisCampaign,
    recipients: { ...thisCampaign, status: 'read' },
    update: { ...thisCampaign, name: 'Spring sale, second wave', scheduledAt: null },
    send: { ...thisCampaign, ...number },
    pause: thisCampaign,
    resume: { ...thisCampaign, ...number },
    cancel: thisCampaign,
    delete: thisCampaign,
  },
  reminders: {
    list: { status: 'scheduled' },
    get: thisReminder,
    create: {
      phone,
      message: reminder.message,
      clientReference: 'booking-7',
      variables: { name: 'Jane' },
      sendAt: '2030-01-31T09:00:00+01:00',
      repeat: 'monthly',
      timeZone: 'Europe/Berlin',
      label: 'Rent',
    },
    import: {
      message: 'Dear {{name}}, we look forward to seeing you tomorrow.',
      rows: [
        { phone, sendAt: '2030-01-31T09:00:00Z', variables: { name: 'Jane' }, label: 'Appointment 17' },
        { phone: jose.typed, sendAt: '2026-11-01T09:00:00Z', variables: { name: 'José' }, label: 'Appointment 16' },
      ],
    },
    update: { ...thisReminder, sendAt: '2030-02-01T09:00:00Z' },
    cancel: thisReminder,
    delete: thisReminder,
  },
  otp: {
    send: { phone, template: '{{code}} is your code. It is valid for {{expiry}} minutes.' },
    verify: { requestId: oneTimeCode.requestId, code: oneTimeCode.code },
    stats: { days: 2 },
  },
  chats: {
    list: { limit: 20, search: 'Jane' },
    unread: { limit: 20 },
    ack: { ids: [cast.question.id] },
    attachment: { id: cast.question.id },
    thread: { phone, limit: 20 },
    read: { phone },
  },
  contacts: {
    optOuts: { limit: 20 },
    addOptOuts: { phones: [cast.jane.typed, cast.jose.typed] },
    search: { search: 'Jane' },
    list: { saved: true, limit: 20 },
    sync: number,
    update: { id: jane.contactId, optedOut: true },
    setOptOutWords: { words: ['stop please', 'no more'] },
  },
  numbers: {
    create: { label: sales.label },
    update: { ...number, label: support.label, isDefault: true },
    delete: { containerId: sales.containerId },
    setSendGroup: {
      enabled: true,
      containerIds: [support.containerId, sales.containerId],
      mode: 'backup',
      sticky: true,
    },
    status: number,
    qr: { containerId: sales.containerId },
    pair: { phone: `+${sales.phone}`, containerId: sales.containerId },
    start: number,
    stop: number,
    reconnect: number,
    logout: number,
    history: { ...number, limit: 20 },
    profile: number,
    setProfile: { ...number, name: 'Example Shop', about: 'Open from 9 to 5' },
    release: { ...number, action: 'send' },
    generateKey: number,
    regenerateKey: number,
    deleteKey: number,
  },
  webhook: {
    set: { webhookUrl: cast.webhookUrl },
    regenerateSecret: { overlapSeconds: 3600 },
    deliveries: { status: 'dropped' },
    delivery: { id: cast.deliveryId },
    replayDeliveries: { status: 'dropped', from: '2026-11-03T00:00:00Z' },
    test: { event: 'message.delivered' },
    addEndpoint: {
      url: 'https://shop.example.com/hooks/alarms',
      kinds: ['message.failed', 'campaign.failed'],
      label: 'Alarms',
    },
    endpoint: { id: cast.endpointId },
    setEndpoint: { id: cast.endpointId, kinds: ['message.failed'] },
    removeEndpoint: { id: cast.endpointId },
    regenerateEndpointSecret: { id: cast.endpointId, overlapSeconds: 3600 },
  },
  events: {
    list: { types: 'message.delivered,message.read', limit: 20 },
    stream: { types: 'message.inbound' },
    replay: { id: cast.eventId },
  },
  auth: {
    signUp: {
      name: cast.owner.name,
      email: cast.owner.email,
      password: cast.owner.password,
      organizationName: cast.organization.name,
    },
    signIn: { email: cast.owner.email, password: cast.owner.password },
    changePassword: { currentPassword: cast.owner.password, newPassword: 'another battery staple' },
    welcome: { code: people.linkToken },
    endSession: { sessionId: people.sessionId },
    switchOrganization: { organizationId: people.secondOrganization.id },
    invitation: { token: people.linkToken },
    join: { token: people.linkToken, name: people.member.name, password: 'correct horse battery staple' },
    secondStep: { challenge: people.challenge, code: '287082' },
    setUpTwoFactor: { password: cast.owner.password },
    enableTwoFactor: { code: '287082' },
    disableTwoFactor: { password: cast.owner.password, code: '287082' },
    newRecoveryCodes: { password: cast.owner.password, code: '287082' },
    forgotPassword: { email: cast.owner.email },
    resetPassword: { token: people.linkToken, password: 'another battery staple' },
    verifyEmail: { token: people.linkToken },
    deleteAccount: { password: cast.owner.password },
  },
  organization: {
    create: { name: people.secondOrganization.name },
    update: { name: 'Example Shop, Berlin' },
    transfer: { userId: people.member.id, password: cast.owner.password },
    delete: { name: cast.organization.name, password: cast.owner.password },
  },
  team: {
    invite: { email: people.member.email, role: 'member' },
    resendInvitation: { invitationId: people.invitation.id },
    cancelInvitation: { invitationId: people.invitation.id },
    acceptInvitation: { token: people.linkToken },
    changeRole: { userId: people.member.id, role: 'admin' },
    remove: { userId: people.member.id },
  },
  activity: {
    list: { action: 'member', limit: 20 },
  },
  oauth: {
    request: { requestId: people.requestId },
    approve: { requestId: people.requestId, scopes: ['read'], containerId: null },
    deny: { requestId: people.requestId },
  },
  mcp: {
    updateConnection: { connectionId: people.connectionId, scopes: ['read'] },
    endConnection: { connectionId: people.connectionId },
    actions: { state: 'pending' },
    action: { actionId: people.actionId },
    approve: { actionId: people.actionId },
    deny: { actionId: people.actionId },
    calls: { tool: 'send_message', limit: 20 },
    setSettings: { keyScopes: ['read', 'send'] },
  },
  bots: botInputs,
} as const satisfies Examples
