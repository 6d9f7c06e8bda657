import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '#services.ts'
import { type DeliveryOutcome, writeOutcomes } from './delivery-store.ts'

const maxBatch = 500
const retryMs = 500
/** A write costs the same for few outcomes as for many. No caller waits, but a crash repeats the unwritten attempts. */
const gatheringMs = 25

/** Collects outcomes and writes many at a time. */
export interface OutcomeWriter {
  /** Resolves when the outcome is stored, or abandoned after `stop`. */
  write(outcome: DeliveryOutcome): Promise<void>
  /** From now on, a failed write abandons all waiting outcomes. Another process repeats these attempts. */
  stop(): void
}

/** Starts the writer. Outcomes that arrive during a write form the next batch, so batches grow with the load. */
export function startOutcomeWriter({ db, log }: Pick<Services, 'db' | 'log'>): OutcomeWriter {
  let waiting: { outcome: DeliveryOutcome; done: () => void }[] = []
  let running = false
  let stopping = false

  async function run(): Promise<void> {
    running = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch)
      try {
        await writeOutcomes(
          db,
          batch.map(({ outcome }) => outcome),
        )
        for (const { done } of batch) done()
        if (waiting.length < maxBatch) await wait(gatheringMs, undefined, { ref: false })
      } catch (error) {
        if (stopping) return giveUp(batch)
        waiting = [...batch, ...waiting]
        log.warn(
          { event: 'delivery_outcomes_not_written', err: error, outcomes: waiting.length },
          'outcomes of deliveries could not be written yet',
        )
        await wait(retryMs, undefined, { ref: false })
      }
    }
    running = false
  }

  function giveUp(batch: typeof waiting): void {
    for (const { done } of [...batch, ...waiting.splice(0)]) done()
    running = false
  }

  return {
    write: (outcome) =>
      new Promise((done) => {
        waiting.push({ outcome, done })
        if (!running) void run()
      }),
    stop() {
      stopping = true
    },
  }
}
