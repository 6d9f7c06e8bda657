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

function kept(item: string): SetAsideKind {
  return { item, next: 'repair the cause, then retry it', stays: true }
}

function ended(item: string, next: string): SetAsideKind {
  return { item, next, stays: false }
}

/** Every kind of item that a loop works on and may set aside, by its name in metrics, logs and commands. */
export const setAsideKinds = {
  messages: ended(
    'a message of the queue',
    'it fails with UPSTREAM_TIMEOUT unless a receipt comes within ten minutes; its sender sends it again',
  ),
  deliveries: ended('a webhook delivery', 'it is dropped; its organization replays the event'),
  reminders: ended('a reminder', 'it is failed with INTERNAL_ERROR; its organization sets a new time'),
  campaign_starts: ended(
    'a campaign whose start time came',
    'it is a draft with INTERNAL_ERROR again; its organization starts it',
  ),
  conversations: ended('a conversation that waits for an assistant', 'it is left to a person, in the list of reviews'),
  voice_notes: ended('a voice note to an assistant', 'it stays in its chat, without a transcript'),
  reports: ended(
    'a report of a chat network',
    'it is in gateway_inbox with set_aside_at; set that to null to hand it out again',
  ),
  simulated_events: ended('an event of the simulated network', 'it was deleted'),
  imports: ended('the import of the chats of a number', 'it is given up; synchronizing the contacts starts it again'),
  mails: ended('a mail to a person', 'it failed, and its text was erased; repeat what it was for'),
  reset_links: ended('a request for a new password', 'it was deleted; the person asks again'),
  ai_actions: ended('an approved action of an AI client', 'it failed with INTERNAL_ERROR; the client asks again'),
  erasures: kept('the erasure of a deleted organization'),
  moves: kept('the closing of the numbers of a moving organization'),
  numbers: kept('the supervision of a number'),
  waha_hosts: kept('the poll of a WAHA server'),
  accounts: kept('the reading of the payment provider for an organization'),
  jobs: kept('a periodic job; it is tried again each hour'),
}

/** The name of a kind of items that loops work on. */
export type WorkKind = keyof typeof setAsideKinds

/** The names of all kinds. */
export const workKinds = Object.keys(setAsideKinds) as [WorkKind, ...WorkKind[]]
