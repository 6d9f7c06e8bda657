import { jidDecode, type PossiblyExtendedCacheStore } from 'baileys'
import { deviceCacheKind } from '../../../vault/key-kinds.ts'
import type { Vault } from '../../../vault/vault.ts'

/** How long a list counts: of people, who link devices without a word while a number is not connected, and our own. */
const [lifeMs, ownLifeMs] = [3_600_000, 86_400_000]

/** What of a vault the lists need. */
type DeviceVault = Pick<Vault, 'creds' | 'readValues' | 'stageValue'>

interface Entry {
  readonly devices: unknown
  readonly atMs: number
}

/**
 * Keeps the devices of people in the vault for an hour, and those of the account for a day. The library keeps them in
 * memory: after each restart it would query the devices of every recipient again, and start a new session with each.
 */
export function deviceCache(vault: DeviceVault, nowMs: () => number): PossiblyExtendedCacheStore {
  async function mget<T>(users: string[]): Promise<Record<string, T | undefined>> {
    const found = await vault.readValues(deviceCacheKind, users)
    const { id, lid } = vault.creds.me ?? {}
    const own = [id, lid].map((jid) => jidDecode(jid)?.user)
    const lifeOf = (user: string) => (own.includes(user) ? ownLifeMs : lifeMs)
    const fresh = [...found].filter(([user, entry]) => nowMs() - (entry as Entry).atMs < lifeOf(user))
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
