import { randomBytes, randomUUID } from 'node:crypto'
import type { Sent } from './call.ts'
import type { MountedRoute } from './mounted.ts'

/** Ids that exist, by the kind of thing they name; what is missing is made up. */
export type KnownIds = Readonly<
  Partial<
    Record<
      | 'number'
      | 'message'
      | 'session'
      | 'endpoint'
      | 'invitation'
      | 'person'
      | 'event'
      | 'campaign'
      | 'reminder'
      | 'contact'
      | 'bot'
      | 'answer'
      | 'product'
      | 'conversation'
      | 'review'
      | 'attachment'
      | 'connection'
      | 'action'
      | 'delivery',
      string
    >
  >
>

/** What good input is made with: ids, and an address that may be reached where a link will be followed. */
export type Known = KnownIds & { readonly link?: string }

const phone = '+12025550100'
const nowhere = 'https://files.example/'
const texts = { phone, message: 'hello' }
const campaign = { name: 'Spring', template: 'Hello {{name}}', recipients: [{ phone, variables: { name: 'Jane' } }] }
const assistant = {
  name: 'Desk',
  languages: ['en'],
  personWords: ['boss'],
  hours: { timeZone: 'UTC', week: [{ day: 1, from: '09:00', to: '17:00' }], closed: ['2026-12-25'] },
  shop: { enabled: false, currency: 'EUR' },
}
/** Later than any clock that a test moves. */
const someday = '2100-01-01T09:00:00.000Z'

/** For each route with required input: what it takes. Everything else takes nothing. */
const inputs: Readonly<Record<string, (link: string) => Sent>> = {
  'alert.send': () => ({ body: texts }),
  'webhook.addEndpoint': () => ({ body: { url: 'https://example.com/hook' } }),
  'webhook.setEndpoint': () => ({ body: { label: 'Alarms' } }),
  'alert.sendImage': (link) => ({ body: { phone, imageUrl: link } }),
  'alert.sendVideo': (link) => ({ body: { phone, videoUrl: link } }),
  'alert.sendFile': (link) => ({ body: { phone, fileUrl: link } }),
  'alert.sendVoice': (link) => ({ body: { phone, audioUrl: link } }),
  'media.upload': () => ({ body: { content: Buffer.from('hello').toString('base64') } }),
  'alert.sendContact': () => ({ body: { phone, contacts: [{ fullName: 'Jane Doe', phone }] } }),
  'alert.sendLocation': () => ({ body: { phone, latitude: 38.9, longitude: -77.1 } }),
  'alert.sendLink': (link) => ({ body: { phone, url: link } }),
  'alert.sendPoll': () => ({ body: { phone, question: 'Tea?', options: ['yes', 'no'] } }),
  'alert.validate': () => ({ body: { phones: [phone] } }),
  'alert.batch': () => ({ body: { recipients: [phone], message: 'hello' } }),
  'alert.forward': () => ({ body: { phone } }),
  'alert.edit': () => ({ body: { message: 'hello again' } }),
  'recipients.validate': () => ({ body: { phones: [phone] } }),
  'campaigns.create': () => ({ body: campaign }),
  'campaigns.preview': () => ({ body: campaign }),
  'campaigns.update': () => ({ body: campaign }),
  'reminders.create': () => ({ body: { ...texts, sendAt: someday } }),
  'reminders.import': () => ({ body: { message: 'hello', rows: [{ phone, sendAt: someday }] } }),
  'reminders.update': () => ({ body: { message: 'hello again' } }),
  'otp.send': () => ({ body: { phone } }),
  'otp.verify': () => ({ body: { requestId: randomUUID(), code: '123456' } }),
  'chats.ack': () => ({ body: { ids: [randomUUID()] } }),
  'contacts.search': () => ({ query: { search: 'Jane' } }),
  'contacts.update': () => ({ body: { optedOut: true } }),
  'contacts.setOptOutWords': () => ({ body: { words: ['enough'] } }),
  'numbers.create': () => ({ body: { label: 'Reception' } }),
  'numbers.update': () => ({ body: { label: 'Reception', isDefault: true } }),
  'numbers.setSendGroup': () => ({ body: { enabled: false } }),
  'numbers.pair': () => ({ body: { phone } }),
  'numbers.setProfile': () => ({ body: { name: 'Shop' } }),
  'numbers.release': () => ({ body: { action: 'send' } }),
  'bots.create': () => ({ body: assistant }),
  'bots.update': () => ({ body: assistant }),
  'bots.ask': () => ({ body: { question: 'When do you open?' } }),
  'bots.addAnswer': () => ({ body: { questions: ['Do you deliver?'], answer: 'Yes.' } }),
  'bots.importAnswers': () => ({ body: { rows: [{ questions: ['Do you deliver?'], answer: 'Yes.' }] } }),
  'bots.changeAnswer': () => ({ body: { enabled: false } }),
  'bots.resolveReview': () => ({ body: { answer: 'Yes.' } }),
  'bots.addProduct': () => ({ body: { name: 'Coffee', price: 3 } }),
  'bots.importProducts': () => ({ body: { rows: [{ name: 'Coffee', price: 3 }] } }),
  'bots.changeProduct': () => ({ body: { price: 4 } }),
  'bots.changeOrder': () => ({ body: { status: 'confirmed' } }),
  'bots.addOrderPhone': () => ({ body: { phone: '+12025550178' } }),
  'contacts.addOptOuts': () => ({ body: { phones: [phone] } }),
  'auth.welcome': () => ({ body: { code: 'A'.repeat(43) } }),
  // A wrong password, so that nothing is deleted.
  'auth.deleteAccount': () => ({ body: { password: 'wrong horse battery' } }),
  'organization.delete': () => ({ body: { name: 'Test', password: 'wrong horse battery' } }),
  'webhook.replayDeliveries': () => ({ body: { status: 'dropped' } }),
  'webhook.set': () => ({ body: { webhookUrl: 'https://receiver.example/hook' } }),
  'auth.signUp': () => ({
    body: { name: 'Jane', email: newEmail(), password: 'correct horse battery', organizationName: 'Shop' },
  }),
  'auth.changePassword': () => ({
    body: { currentPassword: 'correct horse battery', newPassword: 'another horse battery' },
  }),
  'auth.switchOrganization': () => ({ body: { organizationId: randomUUID() } }),
  'auth.invitation': () => ({ body: { token: 't'.repeat(43) } }),
  'auth.join': () => ({ body: { token: 't'.repeat(43), password: 'correct horse battery', name: 'Jane' } }),
  'organization.create': () => ({ body: { name: 'Outlet' } }),
  'organization.update': () => ({ body: { name: 'Shop' } }),
  'organization.transfer': () => ({ body: { userId: randomUUID(), password: 'correct horse battery' } }),
  'team.invite': () => ({ body: { email: newEmail(), role: 'member' } }),
  'team.acceptInvitation': () => ({ body: { token: 't'.repeat(43) } }),
  'team.changeRole': () => ({ body: { role: 'admin' } }),
  'oauth.approve': () => ({ body: { scopes: ['read'], containerId: null } }),
  'auth.secondStep': () => ({ body: { challenge: 'c'.repeat(43), code: '123456' } }),
  'auth.setUpTwoFactor': () => ({ body: { password: 'correct horse battery' } }),
  'auth.enableTwoFactor': () => ({ body: { code: '123456' } }),
  'auth.disableTwoFactor': () => ({ body: { password: 'correct horse battery', code: '123456' } }),
  'auth.newRecoveryCodes': () => ({ body: { password: 'correct horse battery', code: '123456' } }),
  'auth.forgotPassword': () => ({ body: { email: newEmail() } }),
  'auth.resetPassword': () => ({ body: { token: 't'.repeat(43), password: 'correct horse battery' } }),
  'auth.verifyEmail': () => ({ body: { token: 't'.repeat(43) } }),
  'auth.signIn': () => ({ body: { email: newEmail(), password: 'correct horse battery' } }),
}

/** Bodies for fields that stand instead of those of the usual good input. */
const instead: Readonly<Record<string, object>> = {
  'alert.edit.caption': { caption: 'hello again' },
}

/** Good input of the route that goes together with this field of its body. */
export function goodInputWith(route: MountedRoute, field: string, known: Known = {}): Sent {
  const body = instead[`${route.name}.${field}`]
  return { ...goodInput(route, known), ...(body && { body }) }
}

function newEmail(): string {
  return `${randomBytes(8).toString('hex')}@example.com`
}

/** Which kind of thing an id in a path names, by the resource of the route. */
const idKinds: Readonly<Record<string, keyof KnownIds>> = {
  'alert.messageId': 'message',
  'messages.id': 'message',
  'events.id': 'event',
  'auth.sessionId': 'session',
  'team.invitationId': 'invitation',
  'team.userId': 'person',
  'campaigns.id': 'campaign',
  'reminders.id': 'reminder',
  'contacts.id': 'contact',
  'bots.botId': 'bot',
  'bots.answerId': 'answer',
  'bots.productId': 'product',
  'bots.conversationId': 'conversation',
  'bots.reviewId': 'review',
  'chats.id': 'attachment',
  'mcp.connectionId': 'connection',
  'mcp.actionId': 'action',
  'numbers.containerId': 'number',
  'webhook.id': 'endpoint',
  'webhook.delivery.id': 'delivery',
}

/** The kind of thing that a path parameter of the route names; undefined when this file does not know it. */
export function idKind({ name }: Pick<MountedRoute, 'name'>, param: string): keyof KnownIds | undefined {
  return idKinds[`${name}.${param}`] ?? idKinds[`${name.split('.')[0]}.${param}`]
}

/** Input that the route takes, with ids of `known`. */
export function goodInput(route: MountedRoute, known: Known = {}): Sent {
  const params = Object.keys(route.route.params?.shape ?? {}).map((param) => {
    if (!route.ids.includes(param)) return [param, param === 'orderNumber' ? '1001' : phone]
    const kind = idKind(route, param)
    return [param, (kind && known[kind]) ?? randomUUID()]
  })
  const body = route.route.body ? { body: {} } : {}
  return { ...body, params: Object.fromEntries(params), ...inputs[route.name]?.(known.link ?? nowhere) }
}
