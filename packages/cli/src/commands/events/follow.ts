import type { LoggedEvent, MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'

/** The largest count that an option accepts. */
export const maxRows = 1_000_000

/** Parses `--limit`. */
export function limitFrom(text: string): number {
  return wholeFrom(text, '--limit', 1, maxRows)
}

type StreamInput = NonNullable<Parameters<MessagingClient['events']['stream']>[0]>

/** The events to follow. */
export interface Following {
  readonly input: StreamInput
  /** Selects events beyond `input` (default: all). */
  readonly filter?: (event: LoggedEvent) => boolean
  /** Ends after this number of events (default: never). */
  readonly limit?: number
  /** Handles an event; the next one waits until it resolves. */
  readonly handle: (event: LoggedEvent) => Promise<void>
}

/**
 * Notes how to continue. An event that was not handled completely must be sent again, so `position` is the event before
 * it; undefined if there is none.
 */
function notePosition(context: Context, position: string | undefined, pending: LoggedEvent | undefined): void {
  if (position !== undefined) context.note(`Continue from here with --after ${position}`)
  else if (pending) context.note(`The receiver did not accept ${pending.id}; msgctl events list shows it.`)
}

/** Handles events as they happen until the limit or Ctrl-C, reconnects, and notes where to continue. */
export async function followEvents(context: Context, { input, filter, limit, handle }: Following): Promise<void> {
  const client = await context.client()
  const stream = client.events.stream(input, {
    signal: context.host.signal,
    onReconnect: ({ error, waitMs }) => context.note(`Reconnecting in ${Math.ceil(waitMs / 1000)} s. ${error.message}`),
  })
  context.note('Following events. Press Ctrl-C to stop.')
  let position = input.after
  let pending: LoggedEvent | undefined
  let handled = 0
  try {
    for await (const event of stream) {
      pending = event
      if (!filter || filter(event)) {
        await handle(event)
        handled += 1
      }
      pending = undefined
      position = event.id
      if (handled === limit) break
    }
  } finally {
    notePosition(context, pending ? position : (stream.lastEventId ?? position), pending)
  }
}
