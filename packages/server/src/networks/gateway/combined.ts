import { GatewayError } from '@msgctl/network/errors'
import type { Driver, FetchedFile, Gateway, GatewaySession, IngressHeaders } from '@msgctl/network/gateway'
import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { withGatewayTimeout } from './timeout.ts'

/** All drivers behind one interface: each number is served by the driver that it was created for. */
export interface CombinedGateway extends Gateway {
  /** Returns whether a request of a driver's host may be read, before any of its body is. */
  admits(driver: string, host: string, headers: IngressHeaders): Promise<boolean>
  /** Passes a request of a driver's host on. `refused`: also for a driver that takes none. */
  receive(driver: string, host: string, raw: Uint8Array, headers: IngressHeaders): Promise<'stored' | 'refused'>
  /** Returns the file that a host of any driver fetches from this process; null for an unknown token. */
  file(token: string): FetchedFile | null
}

/** Shorter than what the supervisor waits for all of them, so that a slow driver does not stand for the others. */
const silentHostsTimeoutMs = 8000
/** The drivers of so many numbers are remembered. They never change. */
const rememberedNumbers = 100_000

/**
 * Joins drivers. A call goes to the driver that the session names, else to the one that the row of the number names,
 * else to `usual`: for numbers without a row. Throws `unreachable` for a number whose driver is not among them.
 */
export function combineDrivers(db: Db, drivers: readonly Driver[], usual: string): CombinedGateway {
  const byName = new Map(drivers.map((driver) => [driver.name, driver]))
  const names = new Map<string, string>()

  function named(name: string): Driver {
    const driver = byName.get(name)
    if (driver) return driver
    throw new GatewayError('unreachable', `This service has no driver ${name}, which the number was created for.`)
  }

  function known({ gateway, containerId }: GatewaySession): string | undefined {
    return gateway ?? (byName.size === 1 ? usual : names.get(containerId))
  }

  async function find(session: GatewaySession): Promise<string> {
    const name = await readDriver(db, session)
    if (name === undefined) return usual
    const [oldest] = names.keys()
    if (names.size >= rememberedNumbers && oldest !== undefined) names.delete(oldest)
    names.set(session.containerId, name)
    return name
  }

  async function of(session: GatewaySession): Promise<Driver> {
    return named(known(session) ?? (await find(session)))
  }

  return {
    ensure: async (session) => (await of(session)).ensure(session),
    start: async (session) => (await of(session)).start(session),
    stop: async (session) => (await of(session)).stop(session),
    restart: async (session) => (await of(session)).restart(session),
    logout: async (session) => (await of(session)).logout(session),
    remove: async (session) => (await of(session)).remove(session),
    state: async (session) => (await of(session)).state(session),
    qr: async (session) => (await of(session)).qr(session),
    pairingCode: async (session, digits) => (await of(session)).pairingCode(session, digits),
    passkey: async (session, assertion) => (await of(session)).passkey(session, assertion),
    confirmLink: async (session) => (await of(session)).confirmLink(session),
    check: async (session, ...rest) => (await of(session)).check(session, ...rest),
    checkBatch(session) {
      const name = known(session)
      const asked = name === undefined ? drivers : [named(name)]
      return Math.min(...asked.map((driver) => driver.checkBatch(session)))
    },
    typing: async (session, ...rest) => (await of(session)).typing(session, ...rest),
    seen: async (session, ...rest) => (await of(session)).seen(session, ...rest),
    send: async (session, ...rest) => (await of(session)).send(session, ...rest),
    forward: async (session, ...rest) => (await of(session)).forward(session, ...rest),
    edit: async (session, ...rest) => (await of(session)).edit(session, ...rest),
    revoke: async (session, ...rest) => (await of(session)).revoke(session, ...rest),
    contacts: async (session) => (await of(session)).contacts(session),
    lids: async (session) => (await of(session)).lids(session),
    chats: async (session, limit) => (await of(session)).chats(session, limit),
    messages: async (session, ...rest) => (await of(session)).messages(session, ...rest),
    profile: async (session) => (await of(session)).profile(session),
    setProfile: async (session, change) => (await of(session)).setProfile(session, change),
    fetchMedia: async (session, message) => (await of(session)).fetchMedia(session, message),
    subscribe(handler) {
      const stops = drivers.map((driver) => driver.subscribe(handler))
      return async () => void (await Promise.all(stops.map((stop) => stop())))
    },
    async health(session) {
      if (session) return (await of(session)).health(session)
      const found = await Promise.all(drivers.map((driver) => driver.health()))
      const details = found.flatMap(({ ok, detail }) => (ok ? [] : [detail ?? 'A network does not respond.']))
      return details.length === 0 ? { ok: true } : { ok: false, detail: details.join(' ') }
    },
    async silentHosts(sessions) {
      const owners = await Promise.all(sessions.map(async (session) => known(session) ?? find(session)))
      const silent = await Promise.all(
        [...new Set(owners)].map((name) =>
          silentOf(
            byName.get(name),
            sessions.filter((_, n) => owners[n] === name),
          ),
        ),
      )
      return new Set(silent.flatMap((ids) => [...ids]))
    },
    // New numbers get the usual driver.
    hasRoom: async () => named(usual).hasRoom(),
    async close() {
      await Promise.all(drivers.map((driver) => driver.close()))
    },
    admits: async (name, host, headers) => (await byName.get(name)?.ingress?.admits(host, headers)) ?? false,
    async receive(name, host, raw, headers) {
      const ingress = byName.get(name)?.ingress
      return ingress ? ingress.receive(host, raw, headers) : 'refused'
    },
    file(token) {
      for (const { ingress } of drivers) {
        const file = ingress?.file?.(token)
        if (file) return file
      }
      return null
    },
  }
}

/** Returns the silent ones of one driver's numbers: all of them when it is not here, or does not respond in time. */
async function silentOf(driver: Driver | undefined, sessions: readonly GatewaySession[]): Promise<ReadonlySet<string>> {
  try {
    if (driver) return await withGatewayTimeout(silentHostsTimeoutMs, driver.silentHosts(sessions))
  } catch {
    // The supervisor treats its numbers as if their hosts were down.
  }
  return new Set(sessions.map(({ containerId }) => containerId))
}

/** Reads the drivers of numbers that are asked for at the same moment in one query. */
const readDriver = sharedBatcher(async (db: Db, sessions: readonly GatewaySession[]) => {
  const found = await rows<{ id: string; organizationId: string; gateway: string }>(
    db,
    `select n.id, n.organization_id, n.gateway
       from unnest(:organizations::uuid[], :ids::uuid[]) as s(organization_id, id)
       join numbers n on n.organization_id = s.organization_id and n.id = s.id`,
    {
      organizations: sessions.map(({ organizationId }) => organizationId),
      ids: sessions.map(({ containerId }) => containerId),
    },
  )
  const byId = new Map(found.map(({ id, gateway }) => [id, gateway]))
  return sessions.map(({ containerId }) => byId.get(containerId))
})
