import type { PossiblyExtendedCacheStore } from 'baileys'
import { deviceCacheKind } from '../../vault/key-kinds.ts'
import type { Vault } from '../../vault/vault.ts'

const lifeMs = 86_400_000

interface Entry {
  readonly devices: unknown
  readonly atMs: number
}

/**
 * Keeps the devices of people in the vault for a day. The library keeps them for five minutes in memory. After each
 * restart it would query the devices of every recipient again, and start a new session with each of them.
 */
export function deviceCache(vault: Vault, nowMs: () => number): PossiblyExtendedCacheStore {
  async function mget<T>(users: string[]): Promise<Record<string, T | undefined>> {
    const found = await vault.readValues(deviceCacheKind, users)
    const fresh = [...found].filter(([, entry]) => nowMs() - (entry as Entry).atMs < lifeMs)
    return Object.fromEntries(fresh.map(([user, entry]) => [user, (entry as Entry).devices as T]))
  }
  const set = (user: string, devices: unknown) =>
    vault.stageValue(deviceCacheKind, user, { devices, atMs: nowMs() } satisfies Entry)
  return {
    get: async <T>(user: string) => (await mget<T>([user]))[user] as T,
    mget,
    set: (user, devices) => set(user, devices),
    mset(entries) {
      for (const { key, value } of entries) set(key, value)
    },
    del: (user) => vault.stageValue(deviceCacheKind, user, null),
    // The library flushes its own caches when a connection ends. These entries outlive it.
    flushAll: () => undefined,
  }
}
