/** What becomes of items of one kind with which too many processes died. */
interface SetAsideKind {
  /** One item, in words. */
  readonly item: string
  /** What an operator or its organization does with an item that was set aside. */
  readonly next: string
  /**
   * Whether the item stays where it is and waits for `msgctl-server set-aside retry`. Otherwise it has reached a final
   * state of its own, and a new attempt is a new decision of its organization.
   */
  readonly stays: boolean
}

const stays = { next: 'repair the cause, then retry it', stays: true } as const

/** Every kind of item that a loop works on and may set aside, by its name in metrics, logs and commands. */
export const setAsideKinds = {
  messages: {
    item: 'a message of the queue',
    next: 'it fails with UPSTREAM_TIMEOUT unless a receipt comes within ten minutes; its sender sends it again',
    stays: false,
  },
  deliveries: {
    item: 'a webhook delivery',
    next: 'it is dropped; its organization replays the event',
    stays: false,
  },
  reminders: {
    item: 'a reminder',
    next: 'it is failed with INTERNAL_ERROR; its organization sets a new time',
    stays: false,
  },
  campaign_starts: {
    item: 'a campaign whose start time came',
    next: 'it is a draft with INTERNAL_ERROR again; its organization starts it',
    stays: false,
  },
  conversations: {
    item: 'a conversation that waits for an assistant',
    next: 'it is left to a person, in the list of reviews',
    stays: false,
  },
  voice_notes: {
    item: 'a voice note to an assistant',
    next: 'it stays in its chat, without a transcript',
    stays: false,
  },
  reports: {
    item: 'a report of a chat network',
    next: 'it is in gateway_inbox with set_aside_at; set that to null to hand it out again',
    stays: false,
  },
  simulated_events: {
    item: 'an event of the simulated network',
    next: 'it was deleted',
    stays: false,
  },
  imports: {
    item: 'the import of the chats of a number',
    next: 'it is given up; synchronizing the contacts starts it again',
    stays: false,
  },
  mails: {
    item: 'a mail to a person',
    next: 'it failed, and its text was erased; repeat what it was for',
    stays: false,
  },
  reset_links: {
    item: 'a request for a new password',
    next: 'it was deleted; the person asks again',
    stays: false,
  },
  ai_actions: {
    item: 'an approved action of an AI client',
    next: 'it failed with INTERNAL_ERROR; the client asks again',
    stays: false,
  },
  erasures: { item: 'the erasure of a deleted organization', ...stays },
  moves: { item: 'the closing of the numbers of a moving organization', ...stays },
  numbers: { item: 'the supervision of a number', ...stays },
  waha_hosts: { item: 'the poll of a WAHA server', ...stays },
  jobs: { item: 'a periodic job; it is tried again each hour', ...stays },
} as const satisfies Readonly<Record<string, SetAsideKind>>

/** The name of a kind of items that loops work on. */
export type WorkKind = keyof typeof setAsideKinds

/** The names of all kinds. */
export const workKinds = Object.keys(setAsideKinds) as [WorkKind, ...WorkKind[]]
