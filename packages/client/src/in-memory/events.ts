import type { LoggedEvent } from '@msgctl/contract'

/** The events of a fake service: what was emitted, and the streams that are open. */
export interface EventLog {
  emit(event: LoggedEvent): void
  /** A stream of everything after the event with the id `after`, and of what comes until the signal aborts. */
  open(after: string | null, types: string | null, signal: AbortSignal): Response
}

const textOf = (event: LoggedEvent) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`

/** An empty log. A stream without a position begins with what is emitted after it was opened. */
export function eventLog(): EventLog {
  const log: LoggedEvent[] = []
  const listeners = new Set<(event: LoggedEvent) => void>()
  return {
    emit(event) {
      log.push(event)
      for (const tell of listeners) tell(event)
    },
    open(after, types, signal) {
      const wanted = types?.split(',')
      const encoder = new TextEncoder()
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          const tell = (event: LoggedEvent) => {
            if (!wanted || wanted.includes(event.event)) controller.enqueue(encoder.encode(textOf(event)))
          }
          controller.enqueue(encoder.encode(': open\n\n'))
          if (after !== null) for (const event of log.slice(log.findIndex(({ id }) => id === after) + 1)) tell(event)
          listeners.add(tell)
          signal.addEventListener('abort', () => {
            listeners.delete(tell)
            controller.error(signal.reason)
          })
        },
      })
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
    },
  }
}
