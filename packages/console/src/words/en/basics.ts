import { plural } from '../plural.ts'

/** Words that every page uses. */
export const ui = {
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  copy: 'Copy',
  copyThis: (text: string) => `Copy ${text}`,
  loading: 'Loading',
  next: 'Next page',
  optional: '(optional)',
  pages: 'Pages',
  previous: 'Previous page',
  range: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
  remove: 'Remove',
  retry: 'Try again',
  save: 'Save',
  saved: 'Saved.',
  search: 'Search',
  time: 'Time',
  typeToConfirm: (text: string) => `Type ${text} to confirm`,
  all: 'All',
  none: 'None',
  edit: 'Edit',
  details: 'Details',
  actions: 'Actions',
  backTo: (name: string) => `Back to ${name}`,
}

export const failure = {
  offline: 'The service cannot be reached. Check the connection; the page continues by itself.',
  unexpected: 'Something went wrong.',
  request: 'Request',
  forbidden: 'Your role does not allow this.',
}

export const time = {
  today: 'Today',
  yesterday: 'Yesterday',
  milliseconds: (n: string) => `${n} ms`,
  seconds: (n: string) => `${n} s`,
  minutes: (n: string) => `${n} min`,
  hours: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
  days: (n: string) => `${n} days`,
  inSpan: (span: string) => `in ${span}`,
}

/** Every state, as a person reads it. */
export const status = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
  held: 'Held',
  pending: 'Pending',
  dropped: 'Dropped',
  draft: 'Draft',
  scheduled: 'Scheduled',
  processing: 'Processing',
  paused: 'Paused',
  completed: 'Completed',
  done: 'Done',
  cancelled: 'Cancelled',
  WORKING: 'Working',
  SCAN_QR_CODE: 'Needs linking',
  STARTING: 'Starting',
  STOPPED: 'Stopped',
  FAILED: 'Down',
  UNREACHABLE: 'Host unreachable',
}

export const count = {
  messages: (n: number) => plural(n, { one: '# message', other: '# messages' }),
  recipients: (n: number) => plural(n, { one: '# recipient', other: '# recipients' }),
  contacts: (n: number) => plural(n, { one: '# contact', other: '# contacts' }),
  numbers: (n: number) => plural(n, { one: '# number', other: '# numbers' }),
  events: (n: number) => plural(n, { one: '# event', other: '# events' }),
  lines: (n: number) => plural(n, { one: '# line', other: '# lines' }),
  attempts: (n: number) => plural(n, { one: '# attempt', other: '# attempts' }),
  sessions: (n: number) => plural(n, { one: '# session', other: '# sessions' }),
}
