import type { Contract } from '@msgctl/contract'
import { accountHandlers } from './account/routes.ts'
import { alertHandlers } from './alert/routes.ts'
import { authHandlers } from './auth/routes.ts'
import { campaignHandlers } from './campaigns/routes.ts'
import { chatHandlers } from './chats/routes.ts'
import { contactHandlers } from './contacts/routes.ts'
import { eventHandlers } from './events/routes.ts'
import type { Handlers } from './http/handler.ts'
import { messageHandlers } from './messages/routes.ts'
import { numberHandlers } from './numbers/routes.ts'
import { openapiHandlers } from './openapi/routes.ts'
import { otpHandlers } from './otp/routes.ts'
import { recipientHandlers } from './recipients/routes.ts'
import { reminderHandlers } from './reminders/routes.ts'
import { webhookHandlers } from './webhook/routes.ts'

/**
 * Endpoints that the contract promises and that have no handler yet: they answer ROUTE_NOT_FOUND. A name leaves this list
 * in the line that adds its handler below; an endpoint that stands in neither does not compile.
 */
export const pending = [
  'numbers.reconnect',
  'numbers.logout',
  'numbers.history',
  'numbers.profile',
  'numbers.setProfile',
] as const satisfies readonly EndpointName[]

/** Every endpoint as `resource.name`. */
export type EndpointName = { [R in keyof Contract]: `${R}.${keyof Contract[R] & string}` }[keyof Contract]
type Pending = (typeof pending)[number]

/** The handlers that must be there: all of the contract that is not pending. */
type Required = {
  readonly [R in keyof Contract]: Handlers<{
    [K in keyof Contract[R] as `${R}.${K & string}` extends Pending ? never : K]: Contract[R][K]
  }>
}

/** Every handler, by the contract's resources. */
export const handlers: Required = {
  alert: alertHandlers,
  recipients: recipientHandlers,
  messages: messageHandlers,
  campaigns: campaignHandlers,
  reminders: reminderHandlers,
  otp: otpHandlers,
  chats: chatHandlers,
  contacts: contactHandlers,
  numbers: numberHandlers,
  account: accountHandlers,
  webhook: webhookHandlers,
  events: eventHandlers,
  auth: authHandlers,
  openapi: openapiHandlers,
}
