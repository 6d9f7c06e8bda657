import type { Entry } from './program.ts'

type Nouns = Readonly<Record<string, readonly [summary: string, load: Entry['load']]>>

/** The nouns below their headings of the help, in its order. A new one needs a line here and a folder in commands/. */
const groups: Readonly<Record<string, Nouns>> = {
  Messages: {
    send: ['send a text, file, location, poll or other message', () => import('./commands/send/send.ts')],
    media: ['upload files to send', () => import('./commands/media/media.ts')],
    batch: ['send one text to a list of recipients', () => import('./commands/batch/batch.ts')],
    validate: ['check which phone numbers are on the network', () => import('./commands/validate/validate.ts')],
    otp: ['send and verify one-time codes', () => import('./commands/otp/otp.ts')],
    campaigns: ['create, start and watch campaigns', () => import('./commands/campaigns/campaigns.ts')],
    messages: ['list, show, change and forward messages', () => import('./commands/messages/messages.ts')],
    chats: ['read conversations and reply to them', () => import('./commands/chats/chats.ts')],
    contacts: ['search contacts and manage opt-outs', () => import('./commands/contacts/contacts.ts')],
    reminders: ['schedule messages, once or repeatedly', () => import('./commands/reminders/reminders.ts')],
    bots: ['manage assistants, what they know, and the shop', () => import('./commands/bots/bots.ts')],
  },
  Observe: {
    stats: ['show message counts', () => import('./commands/account/stats.ts')],
    top: ['watch the numbers, the queue and the campaigns', () => import('./commands/top/top.ts')],
    open: ['open the console in a browser', () => import('./commands/open/open.ts')],
    events: ['follow and replay events', () => import('./commands/events/events.ts')],
    tail: ['follow events; same as events tail', () => import('./commands/events/tail.ts')],
    limits: ['show the remaining limits', () => import('./commands/account/limits.ts')],
  },
  'Numbers and webhooks': {
    numbers: ['add, link and manage numbers', () => import('./commands/numbers/numbers.ts')],
    webhook: ['configure the webhook and inspect its deliveries', () => import('./commands/webhook/webhook.ts')],
  },
  Access: {
    keys: ['create and replace API keys', () => import('./commands/keys/keys.ts')],
    account: ['show the current user, organization and permissions', () => import('./commands/account/account.ts')],
    login: ['store an address with a key or a sign-in', () => import('./commands/login/login.ts')],
    logout: ['sign out and remove a profile', () => import('./commands/login/logout.ts')],
    auth: ['manage your password, sessions and sign-in', () => import('./commands/auth/auth.ts')],
    team: ['invite people and manage their roles', () => import('./commands/team/team.ts')],
    org: ['list, switch, change and delete organizations', () => import('./commands/org/org.ts')],
    billing: ['show, buy and change what the organization pays for', () => import('./commands/billing/billing.ts')],
    activity: ['list the changes of the organization', () => import('./commands/activity/activity.ts')],
    mcp: ['connect AI clients, and approve what they send', () => import('./commands/mcp/mcp.ts')],
  },
  Platform: {
    admin: ['administer all organizations, as staff of the service', () => import('./commands/admin/admin.ts')],
  },
  Tools: {
    config: ['manage the profiles and settings of msgctl', () => import('./commands/config/config.ts')],
    sim: ['control the simulated network', () => import('./commands/sim/sim.ts')],
    api: ['call any route of the API', () => import('./commands/api/api.ts')],
    completion: ['print a completion script for a shell', () => import('./commands/completion/completion.ts')],
  },
}

/** The nouns of `msgctl`. */
export const commandRegistry: readonly Entry[] = [
  ...Object.entries(groups).flatMap(([group, nouns]) =>
    Object.entries(nouns).map(([name, [summary, load]]) => ({ name, summary, group, load })),
  ),
  {
    name: '__complete',
    summary: 'list completions for the completion scripts',
    hidden: true,
    load: () => import('./commands/completion/complete.ts'),
  },
]
