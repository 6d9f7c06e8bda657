import type { Entry } from './program.ts'

/** The nouns of `msgctl`, in the order of its help. A new one needs an entry here and a folder in commands/. */
export const commandRegistry: readonly Entry[] = [
  {
    name: 'send',
    group: 'Messages',
    summary: 'send a text, file, location, poll or other message',
    load: async () => (await import('./commands/send/send.ts')).register,
  },
  {
    name: 'batch',
    group: 'Messages',
    summary: 'send one text to a list of recipients',
    load: async () => (await import('./commands/batch/batch.ts')).register,
  },
  {
    name: 'validate',
    group: 'Messages',
    summary: 'check which phone numbers are on the network',
    load: async () => (await import('./commands/validate/validate.ts')).register,
  },
  {
    name: 'otp',
    group: 'Messages',
    summary: 'send and verify one-time codes',
    load: async () => (await import('./commands/otp/otp.ts')).register,
  },
  {
    name: 'campaigns',
    group: 'Messages',
    summary: 'create, start and watch campaigns',
    load: async () => (await import('./commands/campaigns/campaigns.ts')).register,
  },
  {
    name: 'messages',
    group: 'Messages',
    summary: 'list, show, change and forward messages',
    load: async () => (await import('./commands/messages/messages.ts')).register,
  },
  {
    name: 'chats',
    group: 'Messages',
    summary: 'read conversations and reply to them',
    load: async () => (await import('./commands/chats/chats.ts')).register,
  },
  {
    name: 'contacts',
    group: 'Messages',
    summary: 'search contacts and manage opt-outs',
    load: async () => (await import('./commands/contacts/contacts.ts')).register,
  },
  {
    name: 'reminders',
    group: 'Messages',
    summary: 'schedule messages, once or repeatedly',
    load: async () => (await import('./commands/reminders/reminders.ts')).register,
  },
  {
    name: 'stats',
    group: 'Observe',
    summary: 'show message counts',
    load: async () => (await import('./commands/account/stats.ts')).register,
  },
  {
    name: 'events',
    group: 'Observe',
    summary: 'follow and replay events',
    load: async () => (await import('./commands/events/events.ts')).register,
  },
  {
    name: 'tail',
    group: 'Observe',
    summary: 'follow events; same as events tail',
    load: async () => (await import('./commands/events/events.ts')).registerTailNoun,
  },
  {
    name: 'numbers',
    group: 'Numbers and webhooks',
    summary: 'add, link and manage numbers',
    load: async () => (await import('./commands/numbers/numbers.ts')).register,
  },
  {
    name: 'webhook',
    group: 'Numbers and webhooks',
    summary: 'configure the webhook and inspect its deliveries',
    load: async () => (await import('./commands/webhook/webhook.ts')).register,
  },
  {
    name: 'keys',
    group: 'Access',
    summary: 'create and replace API keys',
    load: async () => (await import('./commands/keys/keys.ts')).register,
  },
  {
    name: 'account',
    group: 'Access',
    summary: 'show the current user, organization and permissions',
    load: async () => (await import('./commands/account/account.ts')).register,
  },
  {
    name: 'limits',
    group: 'Observe',
    summary: 'show the remaining limits',
    load: async () => (await import('./commands/account/limits.ts')).register,
  },
  {
    name: 'login',
    group: 'Access',
    summary: 'store an address with a key or a sign-in',
    load: async () => (await import('./commands/login/login.ts')).register,
  },
  {
    name: 'logout',
    group: 'Access',
    summary: 'sign out and remove a profile',
    load: async () => (await import('./commands/login/logout.ts')).registerLogout,
  },
  {
    name: 'auth',
    summary: 'manage your password, sessions and sign-in',
    load: async () => (await import('./commands/auth/auth.ts')).register,
  },
  {
    name: 'activity',
    summary: 'list the changes of the organization',
    load: async () => (await import('./commands/activity/activity.ts')).register,
  },
  {
    name: 'config',
    group: 'Tools',
    summary: 'manage the profiles and settings of msgctl',
    load: async () => (await import('./commands/config/config.ts')).register,
  },
  {
    name: 'sim',
    group: 'Tools',
    summary: 'control the simulated network',
    load: async () => (await import('./commands/sim/sim.ts')).register,
  },
  {
    name: 'api',
    group: 'Tools',
    summary: 'call any route of the API',
    load: async () => (await import('./commands/api/api.ts')).register,
  },
  {
    name: 'completion',
    group: 'Tools',
    summary: 'print a completion script for a shell',
    load: async () => (await import('./commands/completion/completion.ts')).register,
  },
  {
    name: '__complete',
    summary: 'list completions for the completion scripts',
    hidden: true,
    load: async () => (await import('./commands/completion/completion.ts')).registerComplete,
  },
]
