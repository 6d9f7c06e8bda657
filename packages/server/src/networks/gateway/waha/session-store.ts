import type { GatewaySession } from '@msgctl/network/session'
import { type Db, rows } from '#platform/db/db.ts'

/** What is known of the state of a session. */
export interface KnownState {
  /** WAHA's own status; null before the first report. */
  readonly status: string | null
  readonly sequence: number
}

const nothing: KnownState = { status: null, sequence: 0 }

/** Returns the latest state that is known of a session. */
export async function readKnown(db: Db, session: GatewaySession): Promise<KnownState> {
  const [known] = await rows<KnownState>(
    db,
    `select status, sequence from waha_sessions
      where container_id = :containerId and organization_id = :organizationId`,
    { containerId: session.containerId, organizationId: session.organizationId },
  )
  return known ? { ...known, sequence: Number(known.sequence) } : nothing
}

/** Records a state that was read, unless a later one is known. */
export async function writeRead(db: Db, session: GatewaySession, state: KnownState): Promise<void> {
  const { containerId, organizationId } = session
  await rows(
    db,
    `update waha_sessions set status = :status, sequence = :sequence
      where container_id = :containerId and organization_id = :organizationId and sequence < :sequence`,
    { containerId, organizationId, status: state.status, sequence: state.sequence },
  )
}

/** Records a state that is reported to the service. Returns false when a later one is known, and changes nothing. */
export async function writeReported(db: Db, session: GatewaySession, state: KnownState): Promise<boolean> {
  const { containerId, organizationId } = session
  const changed = await rows<{ containerId: string }>(
    db,
    `update waha_sessions set status = :status, reported_status = :status, sequence = :sequence
      where container_id = :containerId and organization_id = :organizationId and sequence <= :sequence
      returning container_id`,
    { containerId, organizationId, status: state.status, sequence: state.sequence },
  )
  return changed.length > 0
}

/** A session that is placed on a host, with the status that was reported to the service last. */
export interface PlacedSession extends GatewaySession {
  readonly reportedStatus: string | null
  readonly sequence: number
  /** The limits of its account that were reported last, as JSON. */
  readonly limits: string | null
}

/** Returns the sessions that are placed on a host, of all organizations: the host reports them together. */
export async function listPlaced(db: Db, hostId: string): Promise<PlacedSession[]> {
  const found = await rows<PlacedSession>(
    db,
    `select container_id, organization_id, reported_status, sequence, limits
       from waha_sessions where host_id = :hostId`,
    { hostId },
  )
  return found.map((one) => ({ ...one, sequence: Number(one.sequence) }))
}

/** Claims the hosts that were not polled for `everySeconds`, for this process. Returns their ids. */
export async function claimPolls(db: Db, everySeconds: number): Promise<string[]> {
  const claimed = await rows<{ id: string }>(
    db,
    `update waha_hosts set polled_at = (select service_now())
      where id in (select id from waha_hosts
                    where polled_at is null or polled_at <= (select service_now()) - :everySeconds * interval '1 second'
                      for update skip locked)
      returning id`,
    { everySeconds },
  )
  return claimed.map(({ id }) => id)
}

/** Records that a host responded. */
export async function writeHostSeen(db: Db, hostId: string): Promise<void> {
  await rows(db, 'update waha_hosts set seen_at = (select service_now()) where id = :hostId', { hostId })
}
