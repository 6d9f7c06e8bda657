import type { GatewaySession } from '@msgctl/network/gateway'
import { type Db, rows, transaction } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'
import { changeSession, ensureSession, readSession, restartChange } from './store.ts'

/** A gateway host as operators see it. */
export interface GatewayHostView
  extends Pick<Row<'gateway_hosts'>, 'url' | 'version' | 'capacity' | 'draining' | 'startedAt' | 'seenAt'> {
  readonly numbers: number
  /** Whether it was seen within the last 30 s. */
  readonly isAlive: boolean
  /** The version of the network's own client that its settings name; null: the stored one. */
  readonly fixedWebVersion: string | null
}

/** Returns the gateway hosts, with the count of numbers that each one connects. */
export function listGatewayHosts(db: Db): Promise<GatewayHostView[]> {
  return rows<GatewayHostView>(
    db,
    `select h.url, h.version, h.capacity, h.draining, h.started_at, h.seen_at,
            h.seen_at > gateway_clock() - interval '30 s' as is_alive, h.web_version as fixed_web_version,
            (select count(*) from gateway_sessions s where s.host_id = h.id
                and s.lease_until > gateway_clock())::int as numbers
       from gateway_hosts h order by h.url`,
  )
}

/** The proxy of a number, encrypted. */
export interface NumberProxy {
  readonly containerId: string
  readonly sealedProxy: string
}

/** Returns the numbers that connect through a proxy. */
export function listProxies(db: Db): Promise<NumberProxy[]> {
  return rows<NumberProxy>(
    db,
    `select container_id, sealed_proxy from gateway_sessions
      where sealed_proxy is not null order by container_id`,
  )
}

/** Sets the proxy of a number; null: it connects without one. A number that runs is connected again. */
export async function writeProxy(db: Db, session: GatewaySession, sealedProxy: string | null): Promise<void> {
  const { containerId, organizationId } = session
  await transaction(db, async (trx) => {
    await ensureSession(trx, session)
    await rows(
      trx,
      `update gateway_sessions set sealed_proxy = :sealedProxy
        where container_id = :containerId and organization_id = :organizationId`,
      { containerId, organizationId, sealedProxy },
    )
    const found = await readSession(trx, session)
    if (found && found.status !== 'STOPPED') await changeSession(trx, session, restartChange)
  })
}

/**
 * Prepares the numbers of a restored backup: their ratchets are older than those of the phones, so their next host
 * deletes them before it connects. Hosts that were not stopped lose their leases. Returns the count of numbers.
 */
export async function prepareRestoredNumbers(db: Db): Promise<number> {
  const changed = await rows(
    db,
    `update gateway_sessions set host_id = null, lease_until = 'epoch', epoch = epoch + 1000000,
            request = case request when 'logout' then request else 'renew' end
      where creds is not null returning 1 as one`,
  )
  return changed.length
}
