import type { GatewaySession } from '@msgctl/network/session'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** The engines that the driver knows. */
export const engines = ['GOWS', 'NOWEB'] as const
export type Engine = (typeof engines)[number]

/** A WAHA server as it is stored; both keys are encrypted. */
export interface HostRow extends Omit<Row<'waha_hosts'>, 'engine' | 'polledAt'> {
  readonly engine: Engine
  /** Whether its numbers report messages of groups. */
  readonly groups: boolean
}

const columns = `id, url, sealed_key, sealed_hook_key, engine, version, capacity, groups, draining, seen_at`

/** Returns every host. */
export function listHosts(db: Db): Promise<HostRow[]> {
  return rows<HostRow>(db, `select ${columns} from waha_hosts order by url`)
}

/** Returns every host with the count of numbers that are placed on it. */
export function listHostsWithNumbers(db: Db): Promise<(HostRow & { readonly numbers: number })[]> {
  return rows(
    db,
    `select ${columns}, (select count(*) from waha_sessions s where s.host_id = h.id)::int as numbers
       from waha_hosts h order by url`,
  )
}

/**
 * Adds a host, or replaces the keys and facts of the one with this address; its id and its numbers stay. Wakes the
 * service.
 */
export async function saveHost(db: Db, host: Omit<HostRow, 'draining' | 'seenAt'>): Promise<void> {
  await rows(
    db,
    `insert into waha_hosts (id, url, sealed_key, sealed_hook_key, engine, version, capacity, groups, seen_at)
     values (:id, :url, :sealedKey, :sealedHookKey, :engine, :version, :capacity, :groups, (select service_now()))
     on conflict (url) do update
        set sealed_key = excluded.sealed_key, sealed_hook_key = excluded.sealed_hook_key, engine = excluded.engine,
            version = excluded.version, capacity = excluded.capacity, groups = excluded.groups, draining = false,
            seen_at = excluded.seen_at`,
    { ...host },
  )
  await rows(db, `select pg_notify('msgctl_wake', 'operator gateway-hosts')`)
}

/** Returns the host with this address. */
export async function findHostByUrl(db: Db, url: string): Promise<HostRow | undefined> {
  return firstRow<HostRow>(db, `select ${columns} from waha_hosts where url = :url`, { url })
}

/** Sets whether new numbers may be placed on a host. Returns whether there is such a host. */
export async function setDraining(db: Db, url: string, draining: boolean): Promise<boolean> {
  const changed = await rows<{ id: string }>(
    db,
    'update waha_hosts set draining = :draining where url = :url returning id',
    { url, draining },
  )
  return changed.length > 0
}

/** Returns the host of a number; undefined for a number without one. */
export async function findHostId(db: Db, session: GatewaySession): Promise<string | undefined> {
  const [placed] = await rows<{ hostId: string }>(
    db,
    `select host_id from waha_sessions
      where container_id = :containerId and organization_id = :organizationId`,
    { containerId: session.containerId, organizationId: session.organizationId },
  )
  return placed?.hostId
}

/** Returns the hosts of numbers, by container id. */
export async function findHostIds(db: Db, sessions: readonly GatewaySession[]): Promise<Map<string, string>> {
  const found = await rows<{ containerId: string; hostId: string }>(
    db,
    `select container_id, host_id from waha_sessions
      where container_id = any(:ids::uuid[])`,
    { ids: sessions.map(({ containerId }) => containerId) },
  )
  return new Map(found.map(({ containerId, hostId }) => [containerId, hostId]))
}

/**
 * Places a number on the host with the most room, unless it has one already. Returns its host, or undefined when none
 * has room. The hosts are locked, so that numbers that are placed together do not overfill one; call it in a
 * transaction.
 */
export async function placeSession(trx: Db, session: GatewaySession): Promise<string | undefined> {
  await rows(trx, 'select id from waha_hosts order by id for update')
  await rows(
    trx,
    `insert into waha_sessions (container_id, organization_id, host_id)
     select :containerId, :organizationId, h.id from waha_hosts h
      where not draining and capacity > (select count(*) from waha_sessions s where s.host_id = h.id)
      order by capacity - (select count(*) from waha_sessions s where s.host_id = h.id) desc, h.id limit 1
     on conflict (container_id) do nothing`,
    { containerId: session.containerId, organizationId: session.organizationId },
  )
  return findHostId(trx, session)
}

/** Whether a host has room for another number; also while there is none, because one may be added later. */
export async function hasRoom(db: Db): Promise<boolean> {
  const [found] = await rows<{ hasRoom: boolean }>(
    db,
    `select not exists (select 1 from waha_hosts) or exists (
       select 1 from waha_hosts h where not draining
          and capacity > (select count(*) from waha_sessions s where s.host_id = h.id)) as has_room`,
  )
  return found?.hasRoom ?? true
}

/** Removes a number from its host. */
export async function removeSession(db: Db, session: GatewaySession): Promise<void> {
  await rows(db, 'delete from waha_sessions where container_id = :containerId and organization_id = :organizationId', {
    containerId: session.containerId,
    organizationId: session.organizationId,
  })
}
