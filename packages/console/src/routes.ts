import type { Feature } from '@msgctl/contract'
import type { ComponentType } from 'preact'
import lazy from 'preact-iso/lazy'
import {
  Activity,
  Bot,
  Building2,
  Clock3,
  Contact,
  CreditCard,
  Gauge,
  House,
  Inbox,
  KeyRound,
  ListOrdered,
  type Mark,
  Megaphone,
  MessageCircleQuestion,
  MessageSquareText,
  Radio,
  ShieldCheck,
  Smartphone,
  UserCog,
  Users,
  Webhook,
} from './ui/marks.ts'
import type { Words } from './words/index.ts'

type Name = keyof Words['nav']

/** One page of the menu. */
export interface Place {
  readonly name: Name
  /** Its path below the console. */
  readonly path: string
  readonly mark: Mark
  /** The letter that opens it after `g`. */
  readonly key: string
  /** The feature that an organization needs for it. */
  readonly feature?: Feature
  /** Only where this is so. */
  readonly only?: keyof Offer
}

/** What the service and the session offer, which decides what places there are. */
export interface Offer {
  /** The numbers are on the simulated network. */
  readonly simulator: boolean
  /** Products are sold. */
  readonly payments: boolean
  /** The person administers the platform. */
  readonly platformAdmin: boolean
}

/** The menu, in groups. */
const menu: readonly (readonly [group: keyof Words['groups'], places: readonly Place[]])[] = [
  [
    'start',
    [
      { name: 'home', path: '', mark: House, key: 'h' },
      { name: 'numbers', path: 'numbers', mark: Smartphone, key: 'n' },
      { name: 'queue', path: 'queue', mark: ListOrdered, key: 'q' },
    ],
  ],
  [
    'talk',
    [
      { name: 'inbox', path: 'inbox', mark: Inbox, key: 'i', feature: 'inbox' },
      { name: 'messages', path: 'messages', mark: MessageSquareText, key: 'm' },
      { name: 'campaigns', path: 'campaigns', mark: Megaphone, key: 'c', feature: 'campaigns' },
      { name: 'reminders', path: 'reminders', mark: Clock3, key: 'r', feature: 'reminders' },
      { name: 'codes', path: 'codes', mark: ShieldCheck, key: 'o', feature: 'otp' },
      { name: 'contacts', path: 'contacts', mark: Contact, key: 'p' },
      { name: 'assistants', path: 'assistants', mark: MessageCircleQuestion, key: 'v', feature: 'bots' },
    ],
  ],
  [
    'develop',
    [
      { name: 'webhook', path: 'webhook', mark: Webhook, key: 'w', feature: 'webhooks' },
      { name: 'keys', path: 'keys', mark: KeyRound, key: 'k' },
      { name: 'connections', path: 'connections', mark: Bot, key: 'b' },
    ],
  ],
  [
    'organization',
    [
      { name: 'team', path: 'team', mark: Users, key: 't' },
      { name: 'activity', path: 'activity', mark: Activity, key: 'a' },
      { name: 'limits', path: 'limits', mark: Gauge, key: 'l' },
      { name: 'organization', path: 'organization', mark: Building2, key: 'u' },
      { name: 'billing', path: 'billing', mark: CreditCard, key: 'y', only: 'payments' },
    ],
  ],
  ['simulator', [{ name: 'phone', path: 'phone', mark: Radio, key: 's', only: 'simulator' }]],
  ['platform', [{ name: 'admin', path: 'admin', mark: UserCog, key: 'd', only: 'platformAdmin' }]],
]

/** Returns the places that are there. */
export function placesFor(offer: Offer): (readonly [keyof Words['groups'], readonly Place[]])[] {
  return menu
    .map(([group, places]) => [group, places.filter(({ only }) => only === undefined || offer[only])] as const)
    .filter(([, places]) => places.length > 0)
}

/** What a path can name. */
export interface PathValues {
  readonly id?: string
  readonly phone?: string
  /** The part of a page, such as the answers of an assistant. */
  readonly part?: string
}

/** Every page with its path below the console, loaded when it is first opened. */
export const pages: readonly (readonly [path: string, component: ComponentType<PathValues>])[] = [
  ['', lazy(() => import('./overview/home.tsx').then(({ Home }) => Home))],
  ['numbers/:id?', lazy(() => import('./numbers/numbers.tsx').then(({ Numbers }) => Numbers))],
  ['send-group', lazy(() => import('./numbers/send-group.tsx').then(({ SendGroupPage }) => SendGroupPage))],
  ['queue', lazy(() => import('./messages/queue.tsx').then(({ Queue }) => Queue))],
  ['messages/:id?', lazy(() => import('./messages/messages.tsx').then(({ Messages }) => Messages))],
  ['inbox/:phone?', lazy(() => import('./chats/inbox.tsx').then(({ InboxPage }) => InboxPage))],
  ['campaigns', lazy(() => import('./campaigns/campaigns.tsx').then(({ Campaigns }) => Campaigns))],
  ['campaigns/new', lazy(() => import('./campaigns/new-campaign.tsx').then(({ NewCampaign }) => NewCampaign))],
  ['campaigns/:id', lazy(() => import('./campaigns/campaign.tsx').then(({ CampaignPage }) => CampaignPage))],
  ['reminders', lazy(() => import('./reminders/reminders.tsx').then(({ Reminders }) => Reminders))],
  ['codes', lazy(() => import('./otp/codes.tsx').then(({ Codes }) => Codes))],
  ['contacts', lazy(() => import('./contacts/contacts.tsx').then(({ Contacts }) => Contacts))],
  ['assistants', lazy(() => import('./bots/assistants.tsx').then(({ Assistants }) => Assistants))],
  ['assistants/:id/:part?', lazy(() => import('./bots/assistant.tsx').then(({ AssistantPage }) => AssistantPage))],
  ['webhook/:id?', lazy(() => import('./webhook/webhook.tsx').then(({ WebhookPage }) => WebhookPage))],
  ['keys', lazy(() => import('./account/keys.tsx').then(({ Keys }) => Keys))],
  ['connections', lazy(() => import('./mcp/connections.tsx').then(({ Connections }) => Connections))],
  ['connections/:id', lazy(() => import('./mcp/action.tsx').then(({ ActionPage }) => ActionPage))],
  ['limits', lazy(() => import('./account/limits.tsx').then(({ Limits }) => Limits))],
  ['profile', lazy(() => import('./auth/profile.tsx').then(({ Profile }) => Profile))],
  ['team', lazy(() => import('./team/team.tsx').then(({ Team }) => Team))],
  ['activity', lazy(() => import('./activity/activity.tsx').then(({ ActivityPage }) => ActivityPage))],
  [
    'organization',
    lazy(() => import('./organization/organization.tsx').then(({ OrganizationPage }) => OrganizationPage)),
  ],
  ['billing', lazy(() => import('./billing/billing.tsx').then(({ BillingPage }) => BillingPage))],
  ['admin/:id?', lazy(() => import('./admin/admin.tsx').then(({ AdminPage }) => AdminPage))],
  ['phone/:phone?', lazy(() => import('./simulator/phone.tsx').then(({ PhonePage }) => PhonePage))],
]
