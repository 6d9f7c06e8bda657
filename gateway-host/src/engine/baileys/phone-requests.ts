import type { MessageRetryManager } from 'baileys'

const everyMs = 60_000
/** When a message comes again within this time, the phone is not asked. */
const firstAfterMs = 3000
const mostWaiting = 100

/**
 * Limits what the library requests from the phone of the account, messages that it cannot decrypt: one a minute, the
 * longest waiting first. Of a large backlog, the oldest are given up. Messages of ours for a repeat come from the
 * vault, so the library keeps none.
 */
export function limitPhoneRequests(manager: MessageRetryManager): void {
  const waiting = new Map<string, () => void>()
  let timer: NodeJS.Timeout | undefined
  const requestNext = () => {
    timer = undefined
    const [[id, request] = []] = waiting
    if (id === undefined) return
    waiting.delete(id)
    timer = setTimeout(requestNext, everyMs)
    timer.unref()
    request?.()
  }
  const clear = manager.clear.bind(manager)
  Object.assign(manager, {
    addRecentMessage: () => undefined,
    schedulePhoneRequest(id: string, request: () => void) {
      waiting.delete(id)
      waiting.set(id, request)
      const [oldest] = waiting.keys()
      if (waiting.size > mostWaiting && oldest !== undefined) waiting.delete(oldest)
      timer ??= setTimeout(requestNext, firstAfterMs)
    },
    cancelPendingPhoneRequest: (id: string) => void waiting.delete(id),
    clear() {
      clearTimeout(timer)
      waiting.clear()
      clear()
    },
  } satisfies Partial<MessageRetryManager>)
}
