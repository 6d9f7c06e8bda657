import type { Clock } from '#platform/db/clock.ts'

/** The files of received messages on a fake server: each is deleted some time after it was downloaded. */
export interface FakeFiles {
  /** Downloads the file of a message. */
  save(networkId: string): void
  has(networkId: string): boolean
}

/** Creates the files; `lifetimeSeconds` is 0 where they stay. */
export function fakeFiles(clock: Pick<Clock, 'now'>, lifetimeSeconds: number): FakeFiles {
  const savedAtMs = new Map<string, number>()
  return {
    save: (networkId) => void savedAtMs.set(networkId, clock.now().getTime()),
    has(networkId) {
      const atMs = savedAtMs.get(networkId)
      if (atMs === undefined) return false
      return lifetimeSeconds === 0 || clock.now().getTime() < atMs + lifetimeSeconds * 1000
    },
  }
}
