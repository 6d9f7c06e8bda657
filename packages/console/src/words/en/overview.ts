import { number, plural } from '../plural.ts'

export const home = {
  send: 'Send a message',
  needsYou: 'Needs you',
  waitingFor: (n: number) =>
    n === 0
      ? 'No messages wait for it.'
      : plural(n, { one: '# message waits for it.', other: '# messages wait for it.' }),
  numberState: (label: string, state: string) => `${label}: ${state}`,
  held: (label: string) => `${label}: the queue is held`,
  heldWhy: (n: number) =>
    plural(n, {
      one: 'Another phone was linked, or the service was restored. # message waits until you release or discard it.',
      other:
        'Another phone was linked, or the service was restored. # messages wait until you release or discard them.',
    }),
  restrictedWhy: (until: string) => `The network limits what it may send until ${until}.`,
  droppedTitle: (n: number) =>
    plural(n, {
      one: '# event never reached your webhook',
      other: '# events never reached your webhook',
    }),
  droppedWhy: 'The receiver refused five attempts within the last 24 hours.',
  startError: (name: string) => `${name} did not start`,
  trialEnds: (day: string) => `The trial ends on ${day}`,
  trialUsed: (used: number, limit: number) => `${number(used)} of ${number(limit)} messages used today.`,
  link: 'Link it',
  seeWhy: 'See why',
  release: 'Decide',
  sendAgain: 'Send them again',
  open: 'Open',
  now: 'Now',
  waiting: 'Waiting',
  waitingHint: (n: number) => plural(n, { one: 'on # number', other: 'on # numbers' }),
  onTheirWay: 'On their way',
  onTheirWayHint: 'being typed or sent',
  sent24h: 'Sent, 24 hours',
  deliveredShare: (percent: string) => `${percent} delivered`,
  noneYet: 'none yet',
  failed24h: 'Failed, 24 hours',
  why: 'See why',
  unread: 'Unread',
  reply: 'Open the inbox',
  last24h: 'Last 24 hours',
  chartLabel: 'Messages of the last 24 hours by hour and status',
  noMessages: 'No messages in the last 24 hours.',
  numbers: 'Numbers',
  noNumbers: 'No numbers yet',
  noNumbersHint: 'Add a number and link it with a phone.',
  addNumber: 'Add a number',
  campaigns: 'Campaigns under way',
  progress: (done: string, total: string) => `${done} of ${total}`,
  recent: 'Latest messages',
}

export const sendBox = {
  title: 'Send a message',
  to: 'To',
  toHint: 'An international number, such as +1 202 555 0100.',
  text: 'Text',
  from: 'From',
  byDefault: 'Default number',
  high: 'Send before everything else, without a typing indicator',
  send: 'Send',
  queued: 'The message is in the queue.',
}

export const firstRun = {
  title: 'Send your first message',
  skip: 'Go to the dashboard',
  steps: 'First steps',
  number: 'A number that can send',
  numberDone: (label: string) => `${label} is linked.`,
  numberAdd: 'Add a number, then scan its code.',
  write: 'Write to Anna, a contact on the simulated network',
  writeHint: 'The number shows that it is typing, then the message leaves.',
  sample: 'Hello Anna, your table is ready.',
  watch: 'Watch it arrive',
  watchHint: 'On the phone beside this list, and here.',
  everyStep: 'Every step of it',
  reply: 'Reply from the phone',
  replyHint: 'Type on the phone. The reply appears in the inbox, and your webhook receives it as an event.',
  openInbox: 'Open the inbox',
  code: 'Do the same from code',
  codeLabel: 'Example request',
  makeKey: 'Make a key',
  reference: 'API reference',
  writeReal: 'Write to a number of your own',
}
