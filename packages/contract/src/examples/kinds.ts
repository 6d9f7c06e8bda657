import * as ai from './ai-clients.ts'
import * as assistants from './assistants.ts'
import * as billing from './billing.ts'
import * as cast from './cast.ts'
import * as people from './people.ts'

/** What an organization has. */
const owned = {
  number: [cast.support.containerId, cast.sales.containerId],
  message: [cast.order.messageId, cast.receipt.messageId],
  campaign: [cast.campaign.id],
  reminder: [cast.reminder.id],
  contact: [cast.jane.contactId],
  attachment: [cast.question.id],
  event: [cast.eventId],
  endpoint: [cast.endpointId],
  delivery: [cast.deliveryId],
  session: [people.sessionId],
  invitation: [people.invitation.id],
  person: [people.member.id],
  connection: [ai.connectionId],
  action: [ai.actionId],
  bot: [assistants.botId],
  answer: [assistants.openingHours.id],
  product: [assistants.pizza.id],
  conversation: [assistants.conversationId],
  review: [assistants.reviewId],
  invoice: [billing.invoice.id],
} as const

/** What an earlier call gave. */
const given = {
  otp: [cast.oneTimeCode.requestId],
  code: [cast.oneTimeCode.code],
  organization: [people.secondOrganization.id],
  challenge: [people.challenge],
  'authenticator code': [people.authenticatorCode],
  'oauth request': [ai.requestId],
  'order number': [assistants.botOrder.orderNumber],
} as const

/** A kind of thing that an organization has, and that an id names. */
export type OwnedKind = keyof typeof owned
type ExampleKind = OwnedKind | keyof typeof given

const kinds = new Map<unknown, ExampleKind>(
  Object.entries({ ...owned, ...given }).flatMap(([kind, all]) => all.map((id) => [id, kind as ExampleKind] as const)),
)

/** Returns what an id or a code of the examples names. Tests put one that exists in its place. */
export const kindOfExample = (value: unknown): ExampleKind | undefined => kinds.get(value)
