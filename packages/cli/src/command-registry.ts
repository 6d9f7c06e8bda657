import type { Entry } from './program.ts'

/** Every word behind `msgctl`, in the order of its help. A new one is one line here and one file in commands/. */
export const commandRegistry: readonly Entry[] = [
  {
    name: 'send',
    summary: 'send a text, a file, a place, a poll and more',
    load: async () => (await import('./commands/send/send.ts')).register,
  },
  {
    name: 'batch',
    summary: 'send one text to a list of people',
    load: async () => (await import('./commands/batch/batch.ts')).register,
  },
  {
    name: 'validate',
    summary: 'ask which numbers are on the network',
    load: async () => (await import('./commands/validate/validate.ts')).register,
  },
  {
    name: 'otp',
    summary: 'send and check one-time codes',
    load: async () => (await import('./commands/otp/otp.ts')).register,
  },
  {
    name: 'campaigns',
    summary: 'plan, start and watch campaigns',
    load: async () => (await import('./commands/campaigns/campaigns.ts')).register,
  },
  {
    name: 'messages',
    summary: 'look at messages, and change or forward them',
    load: async () => (await import('./commands/messages/messages.ts')).register,
  },
  {
    name: 'chats',
    summary: 'read conversations and answer them',
    load: async () => (await import('./commands/chats/chats.ts')).register,
  },
  {
    name: 'contacts',
    summary: 'look for people, and who wants no campaigns',
    load: async () => (await import('./commands/contacts/contacts.ts')).register,
  },
  {
    name: 'reminders',
    summary: 'plan messages for later, once or repeated',
    load: async () => (await import('./commands/reminders/reminders.ts')).register,
  },
  {
    name: 'stats',
    summary: 'count messages',
    load: async () => (await import('./commands/account/stats.ts')).register,
  },
  {
    name: 'events',
    summary: 'follow and replay events',
    load: async () => (await import('./commands/events/events.ts')).register,
  },
  {
    name: 'tail',
    summary: 'follow events: tail events is events tail',
    load: async () => (await import('./commands/events/events.ts')).registerTailNoun,
  },
  {
    name: 'numbers',
    summary: 'add, link and run numbers',
    load: async () => (await import('./commands/numbers/numbers.ts')).register,
  },
  {
    name: 'webhook',
    summary: 'where events are posted',
    load: async () => (await import('./commands/webhook/webhook.ts')).register,
  },
  {
    name: 'keys',
    summary: 'make and replace keys',
    load: async () => (await import('./commands/keys/keys.ts')).register,
  },
  {
    name: 'account',
    summary: 'who is calling, and what it may do',
    load: async () => (await import('./commands/account/account.ts')).register,
  },
  {
    name: 'limits',
    summary: 'what is left of the limits',
    load: async () => (await import('./commands/account/limits.ts')).register,
  },
  {
    name: 'login',
    summary: 'store an address and a key or a sign-in',
    load: async () => (await import('./commands/login/login.ts')).register,
  },
  {
    name: 'logout',
    summary: 'end the sign-in and forget a profile',
    load: async () => (await import('./commands/login/logout.ts')).registerLogout,
  },
  {
    name: 'config',
    summary: 'profiles and settings of msgctl itself',
    load: async () => (await import('./commands/config/config.ts')).register,
  },
  {
    name: 'sim',
    summary: 'move the simulated network',
    load: async () => (await import('./commands/sim/sim.ts')).register,
  },
  {
    name: 'api',
    summary: 'call any path of the API',
    load: async () => (await import('./commands/api/api.ts')).register,
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    load: async () => (await import('./commands/completion/completion.ts')).register,
  },
  {
    name: '__complete',
    summary: 'answer the completion scripts',
    hidden: true,
    load: async () => (await import('./commands/completion/completion.ts')).registerComplete,
  },
]
