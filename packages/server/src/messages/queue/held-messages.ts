import { setMaxListeners } from 'node:events'
import type { Services } from '../../services.ts'
import { findClosedLanes } from './queue-store.ts'

/** Calls back messages that wait in this process for their turn when their number can send no more. */
export interface HeldMessages {
  /** Takes part for one message: `signal` aborts when its number goes down, `done` ends it. */
  add(containerId: string): { readonly signal: AbortSignal; done(): void }
  /** How many messages of a number this process holds. */
  count(containerId: string): number
  stop(): void
}

const pollIntervalMs = 1000

interface HeldNumber {
  readonly controller: AbortController
  messages: number
}

/**
 * Starts looking whether the numbers of held messages can still send: at once when one is told to be down, and every
 * second while something is held. A message that is given back this way keeps its place, so that a queue which moves to
 * another number moves in its order.
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
      log.warn({ err: error }, 'it could not be seen which numbers went down')
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
          // Another may hold the place by now, after this one was called back.
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

/** Any number of messages may listen to one signal; Node would take more than ten for a leak. */
function heldNumber(): HeldNumber {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return { controller, messages: 0 }
}
