import { api, noticeSignOut, refresh, signedOut } from './client.ts'
import { staleNames } from './difference.ts'
import { failureOf } from './failure.ts'
import type { Overview } from './overview.ts'
import { createStore, useStore } from './store.ts'

/** Whether the page shows the present: `live`, `reconnecting`, or `paused` while it is hidden. */
export type Connection = 'live' | 'reconnecting' | 'paused'

const overview = createStore<Overview | null>(null)
const connection = createStore<Connection>('reconnecting')

/** Stale queries wait until this long after the last refresh of their kind, in milliseconds. */
const refreshIntervalMs = 1_000
const waiting = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined
let refreshedAt = 0

function refreshSoon(names: readonly string[]): void {
  for (const name of names) waiting.add(name)
  if (waiting.size === 0 || timer !== undefined) return
  timer = setTimeout(
    () => {
      timer = undefined
      refreshedAt = Date.now()
      const due = [...waiting]
      waiting.clear()
      refresh(...due)
    },
    Math.max(0, refreshedAt + refreshIntervalMs - Date.now()),
  )
}

function take(next: Overview): void {
  refreshSoon(staleNames(overview.get(), next))
  overview.set(next)
  connection.set('live')
}

const longestPauseMs = 15_000

async function follow(signal: AbortSignal): Promise<void> {
  for (let pauseMs = 500; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const frames = api.overview.stream({}, { signal, onReconnect: () => connection.set('reconnecting') })
      for await (const frame of frames) {
        pauseMs = 500
        take(frame)
      }
    } catch (error) {
      if (signal.aborted) return
      noticeSignOut(error)
      if (failureOf(error).code === 'AUTH_ERROR') return
    }
    connection.set('reconnecting')
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Follows the overview while the page is visible and signed in. Returns a function that ends it. */
export function startLive(): () => void {
  let controller: AbortController | null = null
  function stop(): void {
    controller?.abort()
    controller = null
    connection.set('paused')
  }
  function adapt(): void {
    const wanted = document.visibilityState === 'visible' && !signedOut.get()
    if (!wanted) stop()
    else if (controller === null) {
      controller = new AbortController()
      connection.set('reconnecting')
      void follow(controller.signal)
    }
  }
  document.addEventListener('visibilitychange', adapt)
  const unsubscribe = signedOut.subscribe(adapt)
  adapt()
  return () => {
    document.removeEventListener('visibilitychange', adapt)
    unsubscribe()
    stop()
    overview.set(null)
  }
}

/** Returns the latest overview; null until the first has arrived. */
export function useOverview(): Overview | null {
  return useStore(overview)
}

/** Returns whether the page shows the present. */
export function useConnection(): Connection {
  return useStore(connection)
}
