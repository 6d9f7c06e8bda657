/** One key to write, or to delete when its value is null. */
export interface KeyChange {
  readonly kind: number
  readonly id: string
  readonly value: unknown
}

/** A message that is about to leave. */
export interface SentMessage {
  readonly id: string
  readonly chat: string
  readonly message: Uint8Array
  readonly isPoll: boolean
}

/** An event for the inbox. */
export interface InboxEvent {
  /** What makes the event come only once; null for one that may come again. */
  readonly eventId: string | null
  readonly body: object
}

/** What one number has staged and not committed yet. */
export interface Batch {
  /** By `kind/id`; a later change replaces an earlier one. */
  readonly keys: Map<string, KeyChange>
  credsChanged: boolean
  readonly sent: SentMessage[]
  readonly acked: string[]
  readonly delivered: string[]
  readonly inbox: InboxEvent[]
}

export function emptyBatch(): Batch {
  return { keys: new Map(), credsChanged: false, sent: [], acked: [], delivered: [], inbox: [] }
}

/** Joins a batch that was not committed with what was staged after it. */
export function joinBatches(earlier: Batch, later: Batch): Batch {
  return {
    keys: new Map([...earlier.keys, ...later.keys]),
    credsChanged: earlier.credsChanged || later.credsChanged,
    sent: [...earlier.sent, ...later.sent],
    acked: [...earlier.acked, ...later.acked],
    delivered: [...earlier.delivered, ...later.delivered],
    inbox: [...earlier.inbox, ...later.inbox],
  }
}
