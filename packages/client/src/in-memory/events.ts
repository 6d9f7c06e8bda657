import type { LoggedEvent } from '@msgctl/webhook-verifier/events'

/** The events of a fake service: emitted events and open streams. */
export interface EventLog {
  emit(event: LoggedEvent): void
  /**
   * Returns a stream of the events after the event or cursor `after`, which ends when the signal aborts. Returns
   * undefined when `after` is unknown.
   */
  open(after: string | null, types: string | null, signal: AbortSignal): Response | undefined
  /** Resolves when a stream is open. */
  opened(): Promise<void>
}

const formatEvent = (event: LoggedEvent) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`

/** Returns the cursor of a position, for a client that reconnects before the first event. */
const toCursor = (position: number) => `position-${position}`

/** Creates an empty log. A stream without a position begins with the first event after it was opened. */
export function eventLog(): EventLog {
  const log: LoggedEvent[] = []
  const listeners = new Set<(event: LoggedEvent) => void>()
  const awaiting: (() => void)[] = []

  function findPosition(after: string | null): number | undefined {
    if (after === null) return log.length
    const found = log.findIndex(({ id }) => id === after)
    if (found !== -1) return found + 1
    const position = /^position-(\d+)$/.exec(after)?.[1]
    return position !== undefined && Number(position) <= log.length ? Number(position) : undefined
  }

  return {
    emit(event) {
      log.push(event)
      for (const send of listeners) send(event)
    },
    opened: () => (listeners.size > 0 ? Promise.resolve() : new Promise((resolve) => awaiting.push(resolve))),
    open(after, types, signal) {
      const position = findPosition(after)
      if (position === undefined) return undefined
      const kinds = types?.split(',')
      const encoder = new TextEncoder()
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          const send = (event: LoggedEvent) => {
            if (!kinds || kinds.includes(event.event)) controller.enqueue(encoder.encode(formatEvent(event)))
          }
          controller.enqueue(encoder.encode(`: following\nid: ${toCursor(position)}\n\n`))
          for (const event of log.slice(position)) send(event)
          listeners.add(send)
          for (const resolve of awaiting.splice(0)) resolve()
          signal.addEventListener('abort', () => {
            listeners.delete(send)
            controller.error(signal.reason)
          })
        },
      })
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
    },
  }
}
