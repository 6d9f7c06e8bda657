import type { SignalKeyStore, SignalKeyStoreWithTransaction } from 'baileys'

/**
 * Returns keys for the Signal repository: every read sees the latest write, and work on one address runs one after the
 * other. The library's own transactions hold one lock for all sends of an account, and keep separate copies for sending
 * and receiving, so that one can overwrite the ratchet of the other.
 */
export function withAddressLocks(keys: SignalKeyStore): SignalKeyStoreWithTransaction {
  const last = new Map<string, Promise<unknown>>()
  return {
    get: keys.get,
    set: keys.set,
    isInTransaction: () => false,
    transaction<T>(work: () => Promise<T>, address: string): Promise<T> {
      const result = (last.get(address) ?? Promise.resolve()).then(work, work)
      const settled = result.then(
        () => undefined,
        () => undefined,
      )
      last.set(address, settled)
      void settled.then(() => {
        if (last.get(address) === settled) last.delete(address)
      })
      return result
    },
  }
}
