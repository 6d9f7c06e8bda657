import type { Contract } from '@msgctl/contract'
import { accountHandlers } from '../account/routes.ts'
import { activityHandlers } from '../activity/routes.ts'
import { alertHandlers } from '../alert/routes.ts'
import { authHandlers } from '../auth/routes.ts'
import { botHandlers } from '../bots/routes.ts'
import { campaignHandlers } from '../campaigns/routes.ts'
import { chatHandlers } from '../chats/routes.ts'
import { contactHandlers } from '../contacts/routes.ts'
import { eventHandlers } from '../events/routes.ts'
import type { Handlers } from '../http/handler.ts'
import { mcpHandlers } from '../mcp/routes.ts'
import { mediaHandlers } from '../media/uploads/routes.ts'
import { messageHandlers } from '../messages/history/routes.ts'
import { listQueue } from '../messages/waiting/list-queue.ts'
import { numberHandlers } from '../numbers/routes.ts'
import { connectionHandlers } from '../oauth/connections.ts'
import { consentHandlers } from '../oauth/consent.ts'
import { openapiHandlers } from '../openapi/routes.ts'
import { otpHandlers } from '../otp/routes.ts'
import { overviewHandlers } from '../overview/routes.ts'
import { recipientHandlers } from '../recipients/routes.ts'
import { reminderHandlers } from '../reminders/routes.ts'
import { deleteAccount } from '../team/delete-account.ts'
import { join, readInvitation } from '../team/join.ts'
import { organizationHandlers, switchOrganization } from '../team/organization-routes.ts'
import { teamHandlers } from '../team/routes.ts'
import { webhookHandlers } from '../webhook/routes.ts'

/** Every endpoint as `resource.name`. */
export type EndpointName = { [R in keyof Contract]: `${R}.${keyof Contract[R] & string}` }[keyof Contract]

/** The handlers that must be there: an endpoint of the contract without one does not compile. */
type Required = { readonly [R in keyof Contract]: Handlers<Contract[R]> }

/** Every handler, by the contract's resources. */
export const handlers: Required = {
  alert: alertHandlers,
  media: mediaHandlers,
  recipients: recipientHandlers,
  messages: { ...messageHandlers, queue: listQueue },
  overview: overviewHandlers,
  campaigns: campaignHandlers,
  reminders: reminderHandlers,
  otp: otpHandlers,
  chats: chatHandlers,
  contacts: contactHandlers,
  numbers: numberHandlers,
  account: accountHandlers,
  webhook: webhookHandlers,
  events: eventHandlers,
  auth: { ...authHandlers, switchOrganization, invitation: readInvitation, join, deleteAccount },
  organization: organizationHandlers,
  team: teamHandlers,
  activity: activityHandlers,
  mcp: { ...mcpHandlers(() => handlers), ...connectionHandlers },
  oauth: consentHandlers,
  bots: botHandlers,
  openapi: openapiHandlers,
}
