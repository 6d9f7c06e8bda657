/** Work of which at most one run is under way for each key. */
export interface SingleFlight<K> {
  /** Runs the work of `key`. Calls during a run share one more run after it, however many they are. */
  run(key: K): Promise<void>
  /** Starts no further run, and resolves when those under way have ended. */
  stop(): Promise<void>
}

/** Returns `work` as a single flight. `work` must not reject. */
export function singleFlight<K>(work: (key: K) => Promise<void>): SingleFlight<K> {
  const flights = new Map<K, { isWantedAgain: boolean; readonly done: Promise<void> }>()
  let isStopping = false

  async function repeatWhileWanted(key: K): Promise<void> {
    do {
      const flight = flights.get(key)
      if (flight) flight.isWantedAgain = false
      await work(key)
    } while (flights.get(key)?.isWantedAgain && !isStopping)
    flights.delete(key)
  }

  return {
    run(key) {
      const current = flights.get(key)
      if (current) {
        current.isWantedAgain = true
        return current.done
      }
      if (isStopping) return Promise.resolve()
      const done = Promise.resolve().then(() => repeatWhileWanted(key))
      flights.set(key, { isWantedAgain: false, done })
      return done
    },
    async stop() {
      isStopping = true
      await Promise.allSettled([...flights.values()].map(({ done }) => done))
    },
  }
}
