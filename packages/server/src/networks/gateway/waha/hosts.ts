import { createHmac, timingSafeEqual } from 'node:crypto'
import { GatewayError } from '@msgctl/network/errors'
import type { SecretLocation, Secrets } from '@msgctl/network/secrets'
import type { GatewaySession } from '@msgctl/network/session'
import { type Db, transaction } from '#platform/db/db.ts'
import type { WahaAddress } from './client.ts'
import {
  type Engine,
  findHostId,
  findHostIds,
  type HostRow,
  listHosts,
  placeSession,
  removeSession,
} from './host-store.ts'

/** A WAHA server with its keys. */
export interface Host extends WahaAddress {
  readonly id: string
  readonly engine: Engine
  /** Whether its numbers report messages of groups. */
  readonly groups: boolean
  /** Signs its webhooks. */
  readonly hookKey: string
}

/** The hosts of the service, and which number is on which. */
export interface Hosts {
  /** Returns every host whose keys can be decrypted. */
  all(): Promise<readonly Host[]>
  /** Returns a host by its id; undefined for an unknown one. */
  get(id: string): Promise<Host | undefined>
  /** Returns the host of a number; undefined for one that was never placed. Throws `unreachable` without its keys. */
  find(session: GatewaySession): Promise<Host | undefined>
  /** Returns the hosts of numbers, by container id. */
  findMany(sessions: readonly GatewaySession[]): Promise<ReadonlyMap<string, Host>>
  /** Returns the host of a number, which is placed when it has none. Throws `unreachable` when no host has room. */
  place(session: GatewaySession): Promise<Host>
  /** Ends the placement of a number. */
  release(session: GatewaySession): Promise<void>
}

/** Where the keys of a host are stored. */
export function keyLocation(hostId: string, column: 'key' | 'hook_key'): SecretLocation {
  return `waha_hosts:${column}:${hostId}`
}

/** Hosts change rarely; a host that an operator adds or changes is known to every process after this time. */
const keptMs = 5000
/** A host that is not known here may have been added just now. */
const unknownKeptMs = 1000
const maxPlacements = 100_000

/** Reads hosts and placements, and keeps them for a while. A placement never changes while a number exists. */
export function openHosts(db: Db, secrets: Secrets): Hosts {
  let kept: { readonly hosts: Promise<ReadonlyMap<string, Host>>; readonly atMs: number } | undefined
  const placements = new Map<string, string>()

  function hosts(): Promise<ReadonlyMap<string, Host>> {
    if (!kept || performance.now() - kept.atMs > keptMs) {
      const read = readHosts()
      kept = { hosts: read, atMs: performance.now() }
      read.catch(() => {
        kept = undefined
      })
    }
    return kept.hosts
  }

  async function readHosts(): Promise<ReadonlyMap<string, Host>> {
    const found = await listHosts(db)
    return new Map(found.flatMap((row) => open(secrets, row)))
  }

  async function get(id: string): Promise<Host | undefined> {
    const known = (await hosts()).get(id)
    if (known || !kept || performance.now() - kept.atMs < unknownKeptMs) return known
    kept = undefined
    return (await hosts()).get(id)
  }

  async function require(id: string): Promise<Host> {
    const host = await get(id)
    if (host) return host
    throw new GatewayError('unreachable', 'The keys of the number’s host cannot be read. Ask the operator.')
  }

  function keep(session: GatewaySession, hostId: string): void {
    if (placements.size >= maxPlacements) placements.clear()
    placements.set(nameOf(session), hostId)
  }

  async function find(session: GatewaySession): Promise<Host | undefined> {
    const id = placements.get(nameOf(session)) ?? (await findHostId(db, session))
    if (id === undefined) return undefined
    keep(session, id)
    return require(id)
  }

  return {
    all: async () => [...(await hosts()).values()],
    get,
    find,
    async findMany(sessions) {
      const ids = await findHostIds(db, sessions)
      const known = await hosts()
      return new Map(
        [...ids].flatMap(([containerId, id]) => {
          const host = known.get(id)
          return host ? [[containerId, host] as const] : []
        }),
      )
    },
    async place(session) {
      const placed = await find(session)
      if (placed) return placed
      const id = await transaction(db, (trx) => placeSession(trx, session))
      if (id === undefined) {
        throw new GatewayError('unreachable', 'No host has room for another number. Ask the operator to add one.')
      }
      keep(session, id)
      return require(id)
    },
    async release(session) {
      placements.delete(nameOf(session))
      await removeSession(db, session)
    },
  }
}

function nameOf({ organizationId, containerId }: GatewaySession): string {
  return `${organizationId} ${containerId}`
}

/** A host whose keys cannot be decrypted is left out: the others still work. */
function open(secrets: Secrets, { id, url, engine, groups, sealedKey, sealedHookKey }: HostRow): [string, Host][] {
  try {
    const key = secrets.decrypt(sealedKey, keyLocation(id, 'key'))
    const hookKey = secrets.decrypt(sealedHookKey, keyLocation(id, 'hook_key'))
    return [[id, { id, url, engine, groups, key, hookKey }]]
  } catch {
    return []
  }
}

/** Returns whether a header has the form of a signature: SHA-512 in hexadecimal. */
export function isSignature(signature: unknown): signature is string {
  return typeof signature === 'string' && /^[0-9a-f]{128}$/i.test(signature)
}

/** Returns whether a webhook was signed by this host: HMAC with SHA-512 over the raw body, in hexadecimal. */
export function isSignedBy({ hookKey }: Pick<Host, 'hookKey'>, raw: Uint8Array, signature: unknown): boolean {
  if (!isSignature(signature)) return false
  const given = Buffer.from(signature, 'hex')
  const right = createHmac('sha512', hookKey).update(raw).digest()
  return timingSafeEqual(given, right)
}
