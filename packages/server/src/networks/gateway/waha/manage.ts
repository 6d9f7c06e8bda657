import { randomBytes } from 'node:crypto'
import type { Secrets } from '@msgctl/network/secrets'
import type { Db } from '#platform/db/db.ts'
import { wahaClient } from './client.ts'
import { findHostByUrl, type HostRow, listHosts, listHostsWithNumbers, saveHost, setDraining } from './host-store.ts'
import { keyLocation } from './hosts.ts'
import { type Inspection, inspectServer, WahaRefusal } from './servers/inspect.ts'
import { type HeardOfHost, readHeardByHost } from './watch/watch-store.ts'

export { WahaRefusal } from './servers/inspect.ts'

/** A WAHA server that an operator adds. What is left out stays as it is; a new server gets the default. */
export interface NewHost {
  readonly url: string
  readonly key: string
  /** How many numbers it may have; 50 by default. */
  readonly capacity?: number | undefined
  /** Whether its numbers report messages of groups; true by default. */
  readonly groups?: boolean | undefined
}

const defaults = { capacity: 50, groups: true } as const

/** A WAHA server as operators see it. */
export interface HostView extends Omit<HostRow, 'engine' | 'sealedKey' | 'sealedHookKey'> {
  readonly engine: string
  readonly numbers: number
}

/** Who adds a host, and with what. */
export interface ManageContext {
  readonly db: Db
  readonly secrets: Secrets
}

/**
 * Adds a WAHA server, or replaces the key and the settings of one that was added before. Throws {@link WahaRefusal} as
 * {@link inspectServer} does. Returns what the operator should know.
 */
export async function addHost(
  { db, secrets }: ManageContext,
  { url, key, capacity, groups }: NewHost,
): Promise<{ readonly host: HostView; readonly advice: readonly string[] }> {
  if (!secrets.available) throw new WahaRefusal('SECRETS_KEYS is not set. The key of the server is stored encrypted.')
  const known = await findHostByUrl(db, url)
  const { version, engine, advice } = await inspect({ url, key }, known !== undefined)
  const id = known?.id ?? crypto.randomUUID()
  await saveHost(db, {
    id,
    url,
    sealedKey: secrets.encrypt(key, keyLocation(id, 'key')),
    sealedHookKey: known?.sealedHookKey ?? secrets.encrypt(newHookKey(), keyLocation(id, 'hook_key')),
    engine,
    version,
    capacity: capacity ?? known?.capacity ?? defaults.capacity,
    groups: groups ?? known?.groups ?? defaults.groups,
  })
  const host = (await listHostViews(db)).find((one) => one.id === id)
  if (!host) throw new WahaRefusal('The server was removed again at the same moment.')
  return { host, advice }
}

async function inspect(address: { readonly url: string; readonly key: string }, isKnown: boolean): Promise<Inspection> {
  const client = wahaClient()
  try {
    return await inspectServer(client, address, { isKnown })
  } finally {
    await client.close()
  }
}

/** What a WAHA server is now, and when its numbers last reported something. */
export interface InspectedHost extends HeardOfHost {
  readonly url: string
  /** How long it took to inspect it. */
  readonly tookMs: number
  /** A text says why it cannot be used. */
  readonly found: Inspection | string
}

/** Inspects every WAHA server of the installation as it is now, one after the other. Each makes a test session. */
export async function inspectHosts({ db, secrets }: ManageContext): Promise<InspectedHost[]> {
  const heard = await readHeardByHost(db)
  const inspected: InspectedHost[] = []
  for (const { id, url, sealedKey } of await listHosts(db)) {
    const startedMs = performance.now()
    const found = await findNow({ url, readKey: () => secrets.decrypt(sealedKey, keyLocation(id, 'key')) })
    const tookMs = Math.round(performance.now() - startedMs)
    inspected.push({ url, found, tookMs, ...(heard.get(id) ?? { working: 0, heardSecondsAgo: null }) })
  }
  return inspected
}

async function findNow({ url, readKey }: { url: string; readKey: () => string }): Promise<Inspection | string> {
  let key: string
  try {
    key = readKey()
  } catch {
    return 'The key of this server cannot be decrypted: SECRETS_KEYS lacks one. Add it, or run msgctl-server waha add.'
  }
  try {
    return await inspect({ url, key }, true)
  } catch (error) {
    if (error instanceof WahaRefusal) return error.message
    throw error
  }
}

function newHookKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns every WAHA server. */
export async function listHostViews(db: Db): Promise<HostView[]> {
  const found = await listHostsWithNumbers(db)
  return found.map(({ id, url, engine, version, capacity, groups, numbers, draining, seenAt }) => ({
    id,
    url,
    engine,
    version,
    capacity,
    groups,
    numbers,
    draining,
    seenAt,
  }))
}

/** Stops placing numbers on a WAHA server; those that it has stay. Throws {@link WahaRefusal} for an unknown one. */
export async function drainHost(db: Db, url: string): Promise<HostView> {
  if (!(await setDraining(db, url, true))) {
    throw new WahaRefusal(`There is no WAHA server ${url}. msgctl-server waha list shows them.`)
  }
  const host = (await listHostViews(db)).find((one) => one.url === url)
  if (!host) throw new WahaRefusal('The server was removed at the same moment.')
  return host
}
