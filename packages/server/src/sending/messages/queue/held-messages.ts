import { setMaxListeners } from 'node:events'
import type { Services } from '#services.ts'
import { findClosedLanes } from './queue-store.ts'

/** Releases messages that wait in this process for their time when their number can no longer send. */
export interface HeldMessages {
  /** Adds one message: `signal` aborts when its number goes down, `done` removes it. */
  add(containerId: string): { readonly signal: AbortSignal; done(): void }
  /** Returns how many messages of a number this process holds. */
  count(containerId: string): number
  stop(): void
}

const pollIntervalMs = 1000

interface HeldNumber {
  readonly controller: AbortController
  messages: number
}

/**
 * Starts to check whether the numbers of held messages can still send: at once when a number is reported down, and
 * every second while messages are held. A message that is given back keeps its place, so that a queue which moves to
 * another number keeps its order.
 */
export function trackHeld({ db, wake, log }: Pick<Services, 'db' | 'wake' | 'log'>): HeldMessages {
  const numbers = new Map<string, HeldNumber>()
  const counts = new Map<string, number>()
  let polling = false
  let pollAgain = false

  async function poll(): Promise<void> {
    pollAgain = polling
    if (polling || numbers.size === 0) return
    polling = true
    try {
      for (const containerId of await findClosedLanes(db, [...numbers.keys()])) {
        const number = numbers.get(containerId)
        numbers.delete(containerId)
        number?.controller.abort()
      }
    } catch (error) {
      log.warn({ event: 'closed_lanes_unreadable', err: error }, 'failed to read which numbers went down')
    }
    polling = false
    if (pollAgain) await poll()
  }

  const timer = setInterval(() => void poll(), pollIntervalMs)
  timer.unref()
  const unsubscribe = wake.on('lane-closed', () => void poll())

  return {
    add(containerId) {
      const number = numbers.get(containerId) ?? heldNumber()
      number.messages += 1
      numbers.set(containerId, number)
      counts.set(containerId, (counts.get(containerId) ?? 0) + 1)
      return {
        signal: number.controller.signal,
        done() {
          number.messages -= 1
          const left = (counts.get(containerId) ?? 1) - 1
          if (left > 0) counts.set(containerId, left)
          else counts.delete(containerId)
          // A new entry may exist by now, after this one was aborted.
          if (number.messages === 0 && numbers.get(containerId) === number) numbers.delete(containerId)
        },
      }
    },
    count: (containerId) => counts.get(containerId) ?? 0,
    stop() {
      clearInterval(timer)
      unsubscribe()
    },
  }
}

/** Any number of messages may listen to one signal; Node would report more than ten as a leak. */
function heldNumber(): HeldNumber {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return { controller, messages: 0 }
}
