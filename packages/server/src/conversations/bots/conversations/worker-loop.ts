import { type Assistants, openAssistants } from '#conversations/bots/model/assistants.ts'
import { type PollingLoop, startPollingLoop } from '#platform/concurrency/polling-loop.ts'
import { idleWaitMs } from '#platform/db/wake.ts'
import type { Services } from '#services.ts'
import { answerNext } from './answer-due.ts'
import { findNextDue } from './due-store.ts'

/** Conversations that one process answers concurrently. */
const concurrency = 8
/** How soon a poll follows while conversations are being answered. */
const busyMs = 50

/** The loop of one process that answers in conversations. */
export interface AnsweringLoop {
  /** Stops claiming, and waits for the turns that are being taken. */
  stop(): Promise<void>
}

/**
 * Starts answering. Any number of processes can: each conversation is claimed by one of them. A last attempt has the
 * process for itself: a question that ends the process counts attempts of the others that it answers, too, and would
 * have them left to people.
 */
export function startAnswering(services: Services, assistants: Assistants = openAssistants(services)): AnsweringLoop {
  const running = new Set<Promise<void>>()
  let failure: unknown
  let isStopping = false
  let isLastAttempt = false

  /** Handles conversations until none is due. A model that one conversation waits for delays no other. */
  async function drain(): Promise<void> {
    while (!isStopping && !isLastAttempt && (await answerNext(services, assistants)));
  }

  function startDrain(): void {
    const drained = drain()
      .catch((error: unknown) => {
        failure = error
      })
      .finally(() => running.delete(drained))
    running.add(drained)
  }

  async function answerAlone(): Promise<void> {
    isLastAttempt = true
    try {
      await Promise.all(running)
      await answerNext(services, assistants, 'last-attempts')
    } finally {
      isLastAttempt = false
    }
  }

  async function poll(): Promise<boolean | number> {
    if (failure !== undefined) {
      const error = failure
      failure = undefined
      throw error
    }
    const next = await findNextDue(services.db)
    const idleMs = idleWaitMs(services.wake)
    if (!next) return idleMs
    const waitMs = next.at.getTime() - services.clock.now().getTime()
    if (waitMs > 0) return Math.min(waitMs, idleMs)
    if (next.isLast) await answerAlone()
    while (running.size < concurrency) startDrain()
    return busyMs
  }

  const loop: PollingLoop = startPollingLoop({ name: 'answering', log: services.log, poll, minIntervalMs: 20 })
  const unsubscribe = (['bots', 'clock'] as const).map((channel) => services.wake.on(channel, loop.wake))
  return {
    async stop() {
      isStopping = true
      for (const end of unsubscribe) end()
      await loop.stop()
      await Promise.all(running)
    },
  }
}
