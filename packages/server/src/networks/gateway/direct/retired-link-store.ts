import type { GatewaySession } from '@msgctl/network/gateway'
import { type Db, rows, transaction } from '#platform/db/db.ts'
import { changeSession, type SessionChange } from './store.ts'

/** What the kinds of keys of an ended link are raised by. Both sides of the database know it. */
const retiredKinds = 1000

const isExpired = `retired_at < (select service_now()) - interval '30 days'`

/** A link that the network ended, and whose credentials are kept. */
export interface RetiredLink extends GatewaySession {
  readonly retiredAt: Date
  /** Whether the number has been linked again since. */
  readonly isLinked: boolean
}

/** Returns the links that can be restored: of one number, or of all. */
export async function listRetiredLinks(db: Db, containerId: string | null = null): Promise<RetiredLink[]> {
  return rows<RetiredLink>(
    db,
    `select container_id, organization_id, retired_at,
            me is not null as is_linked
       from gateway_sessions
      where retired_at is not null and retired_creds is not null
        and (:containerId::uuid is null or container_id = :containerId)
      order by retired_at desc, container_id`,
    { containerId },
  )
}

/** The host that has the number loses its lease: it has other credentials in memory. */
const restoreChange: SessionChange = {
  set: `creds = s.retired_creds, retired_creds = null, retired_at = null, host_id = null, lease_until = 'epoch',
        epoch = s.epoch + 1, status = case when s.wanted = 'running' then 'STARTING' else 'STOPPED' end,
        reason = case when s.wanted = 'running' then 'reconnecting' else 'stopped' end`,
  when: 's.retired_creds is not null and s.me is null',
}

/**
 * Restores the link of a number that is not linked. Returns whether there was one. A number that runs is connected with
 * it.
 */
export async function restoreLink(db: Db, session: GatewaySession): Promise<boolean> {
  return transaction(db, async (trx) => {
    const { containerId, organizationId } = session
    const [found] = await rows(
      trx,
      `select 1 as one from gateway_sessions where container_id = :containerId and organization_id = :organizationId
          and retired_creds is not null and me is null for update`,
      { containerId, organizationId },
    )
    if (!found) return false
    await changeSession(trx, session, restoreChange)
    await rows(trx, 'delete from gateway_keys where container_id = :containerId and kind < :retiredKinds', {
      containerId,
      retiredKinds,
    })
    await rows(trx, 'update gateway_keys set kind = kind - :retiredKinds::int where container_id = :containerId', {
      containerId,
      retiredKinds,
    })
    return true
  })
}

/**
 * Deletes a link that the network ended more than 30 days ago: first its credentials, so that it cannot be restored
 * any more, then its keys, a batch in each call. Returns 1, or 0 when there was no such link. Only short statements
 * lock the row of the number: its host renews the leases of all its numbers in one.
 */
export async function deleteRetiredLinks(db: Db, batchSize = 5000): Promise<number> {
  const [link] = await rows<{ containerId: string }>(
    db,
    `select container_id from gateway_sessions where ${isExpired} order by retired_at limit 1`,
  )
  if (!link) return 0
  const given = { containerId: link.containerId, retiredKinds, batchSize }
  await rows(
    db,
    `update gateway_sessions set retired_creds = null
      where container_id = :containerId and retired_creds is not null and ${isExpired}`,
    given,
  )
  const deleted = await rows(
    db,
    `delete from gateway_keys where ctid = any(array(
       select ctid from gateway_keys where container_id = :containerId and kind >= :retiredKinds limit :batchSize))
      and exists (select from gateway_sessions where container_id = :containerId and ${isExpired})
     returning 1 as one`,
    given,
  )
  if (deleted.length < batchSize) {
    await rows(
      db,
      `update gateway_sessions set retired_at = null where container_id = :containerId and ${isExpired}`,
      given,
    )
  }
  return 1
}
