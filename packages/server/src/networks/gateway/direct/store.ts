import type { GatewaySession, SessionState } from '@msgctl/network/gateway'
import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** A number as it is stored: its state, and the host that owns it. */
export interface SessionRow {
  readonly status: SessionState['status']
  readonly reason: SessionState['reason'] | null
  /** The code of the network for the reason, where it says more. */
  readonly code: number | null
  readonly retry: string | null
  readonly me: SessionState['me']
  readonly sequence: number
  /** Null while no host owns the number. */
  readonly hostUrl: string | null
}

const columns = `s.status, s.reason, s.code, s.retry, s.me, s.sequence`
const owned = 's.container_id = :containerId and s.organization_id = :organizationId'

/**
 * Adds a number, without effect when it is there. Its states are counted from the time in milliseconds, so that a
 * number that was deleted and added again continues above its earlier states.
 */
export async function ensureSession(db: Db, { containerId, organizationId }: GatewaySession): Promise<void> {
  await rows(
    db,
    `insert into gateway_sessions (container_id, organization_id, sequence)
     values (:containerId, :organizationId, floor(extract(epoch from service_now()) * 1000)) on conflict do nothing`,
    { containerId, organizationId },
  )
}

/** Returns a number of an organization, or undefined. */
export async function readSession(
  db: Db,
  { containerId, organizationId }: GatewaySession,
): Promise<SessionRow | undefined> {
  const [found] = await rows<SessionRow>(
    db,
    `select ${columns}, h.url as host_url from gateway_sessions s
       left join gateway_hosts h on h.id = s.host_id and s.lease_until > gateway_clock() where ${owned}`,
    { containerId, organizationId },
  )
  return found
}

/** Returns where the host of a number is; null while no host owns it. */
export async function findHostUrl(db: Db, containerId: string): Promise<string | null> {
  const [found] = await rows<{ url: string }>(
    db,
    `select h.url from gateway_sessions s join gateway_hosts h on h.id = s.host_id
      where s.container_id = :containerId and s.lease_until > gateway_clock()`,
    { containerId },
  )
  return found?.url ?? null
}

/** What a session call changes in the row of a number, as SQL. */
export interface SessionChange {
  readonly set: string
  /** The numbers that it changes; others keep their state. */
  readonly when: string
}

/** Starts a number that is stopped or has failed. A host that still owns it may not have noticed the stop. */
export const startChange: SessionChange = {
  set: `wanted = 'running',
        request = case when s.host_id is null then s.request else coalesce(s.request, 'restart') end,
        status = 'STARTING', reason = 'started'`,
  when: `s.wanted = 'stopped' or s.status in ('STOPPED', 'FAILED')`,
}

/** Stops a number, and keeps its link. */
export const stopChange: SessionChange = {
  set: `wanted = 'stopped', status = 'STOPPED', reason = 'stopped'`,
  when: `s.wanted <> 'stopped' or s.status <> 'STOPPED'`,
}

/** Connects a number again, and keeps its link. */
export const restartChange: SessionChange = {
  set: `wanted = 'running', request = coalesce(s.request, 'restart'), status = 'STARTING', reason = 'reconnecting'`,
  when: 'true',
}

/** Ends the link of a number; the host deletes its keys. */
export const logoutChange: SessionChange = {
  set: `request = 'logout', me = null, linked_at = null, reason = 'logged_out',
        status = case when s.wanted = 'running' then 'STARTING' else 'STOPPED' end`,
  when: 's.me is not null or s.creds is not null and s.linked_at is not null',
}

/** Changes a number and reports its new state, in one statement. Returns the number after that. */
export async function changeSession(
  db: Db,
  session: GatewaySession,
  { set, when }: SessionChange,
): Promise<SessionRow | undefined> {
  const { containerId, organizationId } = session
  await rows(
    db,
    `with moved as (
       update gateway_sessions s set ${set}, code = null, retry = null, sequence = s.sequence + 1,
              state_at = gateway_clock()
        where ${owned} and (${when})
       returning *
     )
     insert into gateway_inbox (driver, host, event_id, container_id, organization_id, body)
     select 'direct', 'any', container_id || '/state/' || sequence, container_id, organization_id,
            convert_to(jsonb_build_object('kind', 'session.state', 'at', state_at, 'state',
              jsonb_build_object('status', status, 'reason', reason, 'sequence', sequence, 'me', me))::text, 'UTF8')
       from moved`,
    { containerId, organizationId },
  )
  afterCommit(db, 'gateway-hosts', 'inbox')
  return readSession(db, session)
}

/** Deletes a number with its keys. */
export async function deleteSession(db: Db, { containerId, organizationId }: GatewaySession): Promise<void> {
  await rows(
    db,
    'delete from gateway_sessions where container_id = :containerId and organization_id = :organizationId',
    { containerId, organizationId },
  )
  afterCommit(db, 'gateway-hosts')
}

/** Returns the numbers that should be connected and that no host owns. */
export async function findUnowned(db: Db, containerIds: readonly string[]): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select container_id as id from gateway_sessions
      where container_id = any(:containerIds::uuid[]) and wanted = 'running' and lease_until <= gateway_clock()`,
    { containerIds },
  )
  return found.map(({ id }) => id)
}

/** Whether a host has been seen lately, or none is needed. */
export async function hasHost(db: Db): Promise<boolean> {
  const [found] = await rows<{ alive: boolean }>(
    db,
    `select exists (select 1 from gateway_hosts where seen_at > gateway_clock() - interval '30 s')
            or not exists (select 1 from gateway_sessions where wanted = 'running') as alive`,
  )
  return found?.alive ?? false
}

/** Whether the hosts have room for another number; also while none is alive, because a start is made up for. */
export async function hasRoom(db: Db): Promise<boolean> {
  const [found] = await rows<{ hasRoom: boolean }>(
    db,
    `select count(*) = 0 or sum(capacity) > (select count(*) from gateway_sessions
         where wanted = 'running') as has_room
       from gateway_hosts where not draining and seen_at > gateway_clock() - interval '30 s'`,
  )
  return found?.hasRoom ?? true
}

/** Deletes up to `limit` sent messages and shared chats that are not needed any more. Returns how many. */
export async function deleteExpiredMessages(db: Db, limit = 5000): Promise<number> {
  const gone = await rows(
    db,
    `with old_messages as (
       delete from gateway_sent where ctid = any(array(
         select ctid from gateway_sent
          where created_at < gateway_clock() - interval '1 day'
            and (delivered_at < gateway_clock() - interval '1 day' and not is_poll
                 or created_at < gateway_clock() - interval '14 days' and not is_poll
                 or created_at < gateway_clock() - interval '90 days')
          limit :limit)) returning 1
     ), old_chats as (
       delete from gateway_history where ctid = any(array(
         select ctid from gateway_history where at < gateway_clock() - interval '30 days' limit :limit)) returning 1
     ), old_hosts as (
       delete from gateway_hosts where seen_at < gateway_clock() - interval '1 day' returning 1
     ) select 1 from old_messages union all select 1 from old_chats union all select 1 from old_hosts`,
    { limit },
  )
  return gone.length
}
