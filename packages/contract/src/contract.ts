import type * as z from 'zod'
import type { Input, Output, Parsed, Result } from './route.ts'
import { account } from './routes/account.ts'
import { alert } from './routes/alert.ts'
import { billing } from './routes/billing/billing.ts'
import { payments } from './routes/billing/payments.ts'
import { platform } from './routes/billing/platform.ts'
import { bots } from './routes/bots/bots.ts'
import { campaigns } from './routes/campaigns.ts'
import { chats } from './routes/chats.ts'
import { contacts } from './routes/contacts.ts'
import { eventLog } from './routes/event-log.ts'
import { mcp } from './routes/mcp/mcp.ts'
import { oauth } from './routes/mcp/oauth.ts'
import { messages } from './routes/messages.ts'
import { numbers } from './routes/numbers.ts'
import { openapi } from './routes/openapi.ts'
import { otp } from './routes/otp.ts'
import { overview } from './routes/overview.ts'
import { activity } from './routes/people/activity.ts'
import { auth } from './routes/people/auth.ts'
import { organization } from './routes/people/organization.ts'
import { team } from './routes/people/team.ts'
import { recipients } from './routes/recipients.ts'
import { reminders } from './routes/reminders.ts'
import { media } from './routes/uploads.ts'
import { webhook } from './routes/webhook.ts'

/** The contract: resource, then route. The type refers to each resource, so that editors show each route's comment. */
export type Contract = {
  readonly alert: typeof alert
  readonly media: typeof media
  readonly recipients: typeof recipients
  readonly messages: typeof messages
  readonly overview: typeof overview
  readonly campaigns: typeof campaigns
  readonly reminders: typeof reminders
  readonly otp: typeof otp
  readonly chats: typeof chats
  readonly contacts: typeof contacts
  readonly numbers: typeof numbers
  readonly account: typeof account
  readonly webhook: typeof webhook
  readonly events: typeof eventLog
  readonly auth: typeof auth
  readonly organization: typeof organization
  readonly team: typeof team
  readonly activity: typeof activity
  readonly billing: typeof billing
  readonly payments: typeof payments
  readonly platform: typeof platform
  readonly mcp: typeof mcp
  readonly oauth: typeof oauth
  readonly bots: typeof bots
  readonly openapi: typeof openapi
}

/** The contract as data. */
export const contract: Contract = {
  alert,
  media,
  recipients,
  messages,
  overview,
  campaigns,
  reminders,
  otp,
  chats,
  contacts,
  numbers,
  account,
  webhook,
  events: eventLog,
  auth,
  organization,
  team,
  activity,
  billing,
  payments,
  platform,
  mcp,
  oauth,
  bots,
  openapi,
}

/** The name of a resource, like `alert`. */
export type Resource = keyof Contract
/** The resources that only signed-in people call. Clients that only send do not carry their table of endpoints. */
export const adminResources = [
  'auth',
  'organization',
  'team',
  'activity',
  'billing',
  'payments',
  'platform',
  'mcp',
  'oauth',
] as const
/** The resources of assistants: an account key reaches them, but few programs call them. */
export const assistantResources = ['bots'] as const
/** The name of a route of one resource, like `send`. */
export type RouteName<R extends Resource> = keyof Contract[R]
/** One route by resource and name: `RouteOf<'alert', 'send'>`. */
export type RouteOf<R extends Resource, N extends RouteName<R>> = Contract[R][N]
/** The input of one route. */
export type InputTo<R extends Resource, N extends RouteName<R>> = Input<Contract[R][N]>
type Responding<T> = Extract<T, { readonly response: z.ZodType }>
/** The response of one route. */
export type OutputOf<R extends Resource, N extends RouteName<R>> = Output<Responding<Contract[R][N]>>
/** The parsed input of the handler of one route. */
export type ParsedFor<R extends Resource, N extends RouteName<R>> = Parsed<Contract[R][N]>
/** The result of the handler of one route. */
export type ResultOf<R extends Resource, N extends RouteName<R>> = Result<Responding<Contract[R][N]>>
