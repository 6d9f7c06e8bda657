/** The names of the pages, and of their groups. */
export const nav = {
  home: 'Home',
  numbers: 'Numbers',
  queue: 'Queue',
  inbox: 'Inbox',
  messages: 'Messages',
  campaigns: 'Campaigns',
  reminders: 'Reminders',
  codes: 'One-time codes',
  contacts: 'Contacts',
  webhook: 'Webhook',
  keys: 'Keys',
  assistants: 'Assistants',
  connections: 'AI connections',
  team: 'Team',
  activity: 'Activity',
  limits: 'Limits',
  organization: 'Organization',
  billing: 'Billing',
  admin: 'Administration',
  profile: 'Your account',
  phone: 'Phone',
}

export const groups = {
  start: 'Start',
  talk: 'Messages',
  develop: 'Develop',
  organization: 'Organization',
  platform: 'Platform',
  simulator: 'Simulated network',
}

export const shell = {
  brand: 'Msgctl',
  menu: 'Menu',
  find: 'Find a page, message or contact',
  live: 'Live',
  reconnecting: 'Reconnecting',
  paused: 'Paused',
  unread: (n: string) => `${n} unread`,
  down: (n: string) => `${n} not working`,
  notEncrypted: 'This connection is not encrypted. Open the console over https.',
  unknownPage: 'There is no such page',
  unknownPageHint: 'The address may be old.',
  account: 'Account and settings',
  signOut: 'Sign out',
  language: 'Language',
  theme: 'Appearance',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  shortcuts: 'Keyboard',
  documentation: 'API reference',
  skip: 'Skip to the content',
  organizations: 'Organizations',
  productMissing: 'Your products do not include this',
  productMissingHint: 'The operator of this service can add a product to your organization.',
}

export const find = {
  title: 'Find',
  pages: 'Pages',
  messages: 'Messages',
  contacts: 'Contacts',
  campaigns: 'Campaigns',
  numbers: 'Numbers',
  nothing: 'Nothing matches.',
  hint: 'Three letters also search messages, contacts, campaigns and numbers.',
}

export const keyboard = {
  title: 'Keyboard',
  find: 'Find',
  help: 'Show these keys',
  goTo: (page: string) => `Go to ${page}`,
  singleKeys: 'Keys without Ctrl',
  singleKeysHint: 'Turn them off if you use speech input.',
}

export const roles = { owner: 'owner', admin: 'admin', member: 'member' }
