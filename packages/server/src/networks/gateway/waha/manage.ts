import { randomBytes } from 'node:crypto'
import { GatewayError } from '@msgctl/network/errors'
import type { Secrets } from '@msgctl/network/secrets'
import * as z from 'zod'
import type { Db } from '#platform/db/db.ts'
import { wahaClient } from './client.ts'
import { type Engine, engines, findHostByUrl, listHostsWithNumbers, saveHost, setDraining } from './host-store.ts'
import { keyLocation } from './hosts.ts'

/** Why a WAHA server cannot be added or changed, in a sentence for the operator. */
export class WahaRefusal extends Error {}

/** Since this version WAHA takes the id of a message from us, without which a repeat would be a second message. */
const oldestVersion = [2026, 4, 3] as const
/** Since this version the engine GOWS links accounts that need a passkey. */
const passkeyVersion = [2026, 7, 1] as const

const environment = z.object({ version: z.string().max(40), engine: z.string().max(40) })

/** A WAHA server that an operator adds. */
export interface NewHost {
  readonly url: string
  readonly key: string
  readonly capacity: number
}

/** A WAHA server as operators see it. */
export interface HostView {
  readonly id: string
  readonly url: string
  readonly engine: string
  readonly version: string
  readonly capacity: number
  readonly numbers: number
  readonly draining: boolean
  readonly seenAt: Date | null
}

/** Who adds a host, and with what. */
export interface ManageContext {
  readonly db: Db
  readonly secrets: Secrets
}

/**
 * Adds a WAHA server, or replaces the key and the capacity of one that was added before. Throws {@link WahaRefusal} for
 * a server that does not respond, is too old or has another engine than GOWS or NOWEB. Returns what the operator should
 * know.
 */
export async function addHost(
  { db, secrets }: ManageContext,
  { url, key, capacity }: NewHost,
): Promise<{ readonly host: HostView; readonly advice: readonly string[] }> {
  if (!secrets.available) throw new WahaRefusal('SECRETS_KEYS is not set. The key of the server is stored encrypted.')
  const { version, engine } = await readEnvironment({ url, key })
  const known = await findHostByUrl(db, url)
  const id = known?.id ?? crypto.randomUUID()
  await saveHost(db, {
    id,
    url,
    sealedKey: secrets.encrypt(key, keyLocation(id, 'key')),
    sealedHookKey: known?.sealedHookKey ?? secrets.encrypt(newHookKey(), keyLocation(id, 'hook_key')),
    engine,
    version,
    capacity,
  })
  const host = (await listHostViews(db)).find((one) => one.id === id)
  if (!host) throw new WahaRefusal('The server was removed again at the same moment.')
  return { host, advice: adviceFor(version, engine) }
}

function newHookKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns every WAHA server. */
export async function listHostViews(db: Db): Promise<HostView[]> {
  const found = await listHostsWithNumbers(db)
  return found.map(({ id, url, engine, version, capacity, numbers, draining, seenAt }) => ({
    id,
    url,
    engine,
    version,
    capacity,
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

async function readEnvironment(address: { url: string; key: string }): Promise<{ version: string; engine: Engine }> {
  const client = wahaClient()
  try {
    // The version needs no key at some servers; the list of sessions always does.
    const { body } = await client.call(address, { method: 'GET', path: '/api/server/version' })
    await client.call(address, { method: 'GET', path: '/api/sessions?all=true' })
    return requireUsable(body)
  } catch (error) {
    throw error instanceof GatewayError ? new WahaRefusal(toSentence(error, address.url)) : error
  } finally {
    await client.close()
  }
}

function toSentence({ safeMessage }: GatewayError, url: string): string {
  if (safeMessage.includes('key')) return `The WAHA server at ${url} refuses this key. Use its WAHA_API_KEY.`
  return `No WAHA server responds at ${url}. Check the address, and that this machine reaches it.`
}

function requireUsable(body: unknown): { version: string; engine: Engine } {
  const parsed = environment.safeParse(body)
  if (!parsed.success) throw new WahaRefusal('The server does not respond as WAHA does. Check the address.')
  const { version, engine } = parsed.data
  const known = engines.find((one) => one === engine)
  const missing = [
    ...(isAtLeast(version, oldestVersion)
      ? []
      : [
          `version ${oldestVersion.join('.')} or newer (it has ${version}), which takes the ids of messages ` +
            'from the service',
        ]),
    ...(known ? [] : [`the engine GOWS or NOWEB (it has ${engine}): set WHATSAPP_DEFAULT_ENGINE=GOWS`]),
  ]
  if (!known || missing.length > 0) throw new WahaRefusal(`This WAHA server lacks ${missing.join(', and ')}.`)
  return { version, engine: known }
}

/** Returns whether a version like 2026.7.1 is at least this one. */
export function isAtLeast(version: string, oldest: readonly [number, number, number]): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (!parts) return false
  const differs = oldest.findIndex((part, n) => part !== parts[n])
  return differs < 0 || (parts[differs] ?? 0) > (oldest[differs] ?? 0)
}

function adviceFor(version: string, engine: Engine): string[] {
  return [
    ...(engine === 'NOWEB'
      ? ['The engine NOWEB reports a send before the network acknowledged it. GOWS is recommended.']
      : []),
    ...(engine === 'GOWS' && isAtLeast(version, passkeyVersion)
      ? []
      : [
          'Accounts that need a passkey cannot be linked: that takes GOWS of version ' +
            `${passkeyVersion.join('.')} or newer.`,
        ]),
  ]
}
