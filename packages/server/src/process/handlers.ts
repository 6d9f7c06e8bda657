import type { Contract } from '@msgctl/contract'
import { mcpHandlers } from '#ai-clients/mcp/routes.ts'
import { connectionHandlers } from '#ai-clients/oauth/connections.ts'
import { consentHandlers } from '#ai-clients/oauth/consent.ts'
import { activityHandlers } from '#api/activity/routes.ts'
import type { Handlers } from '#api/http/handler.ts'
import { mediaHandlers } from '#api/media/uploads/routes.ts'
import { platformHandlers } from '#billing/platform-admin/routes.ts'
import { billingHandlers, paymentHandlers } from '#billing/routes.ts'
import { botHandlers } from '#conversations/bots/routes.ts'
import { chatHandlers } from '#conversations/chats/routes.ts'
import { contactHandlers } from '#conversations/contacts/routes.ts'
import { overviewHandlers } from '#events/overview/routes.ts'
import { eventHandlers } from '#events/routes.ts'
import { webhookHandlers } from '#events/webhook/routes.ts'
import { recipientHandlers } from '#numbers/recipients/routes.ts'
import { numberHandlers } from '#numbers/routes.ts'
import { accountHandlers } from '#people/account/routes.ts'
import { authHandlers } from '#people/auth/routes.ts'
import { deleteAccount } from '#people/team/delete-account.ts'
import { join, readInvitation } from '#people/team/join.ts'
import { organizationHandlers, switchOrganization } from '#people/team/organization-routes.ts'
import { teamHandlers } from '#people/team/routes.ts'
import { alertHandlers } from '#sending/alert/routes.ts'
import { campaignHandlers } from '#sending/campaigns/routes.ts'
import { messageHandlers } from '#sending/messages/history/routes.ts'
import { listQueue } from '#sending/messages/waiting/list-queue.ts'
import { otpHandlers } from '#sending/otp/routes.ts'
import { reminderHandlers } from '#sending/reminders/routes.ts'
import { openapiHandlers } from '#web/openapi/routes.ts'

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
  billing: billingHandlers,
  payments: paymentHandlers,
  platform: platformHandlers,
  mcp: { ...mcpHandlers(() => handlers), ...connectionHandlers },
  oauth: consentHandlers,
  bots: botHandlers,
  openapi: openapiHandlers,
}
