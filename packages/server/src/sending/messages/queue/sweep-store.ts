import { messageErrorCodes } from '@msgctl/contract'
import { type EventSubject, eventSubjectColumns } from '#events/message-event.ts'
import { anyRow } from '#platform/db/any-row.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'
import { mostLost } from '#platform/set-aside/suspicion.ts'
import type { WorkItem } from '#platform/set-aside/work-store.ts'
import { standingGate } from './lane-gate.ts'

const lostProcess = 'The process that was sending it was lost.'

const isExpired = `status = 'sending' and lease_until < (select service_now())`
/** SQL condition: whether there are messages whose claim, or whose time with an unknown outcome, has ended. */
export const hasExpiredClaims = anyRow(`messages where ${isExpired} order by lease_until`)

/** What became of the claims of lost processes. */
interface Reclaimed {
  /** How many messages were queued again. */
  readonly again: number
  /** Messages that were lost with too many processes. */
  readonly setAside: readonly WorkItem[]
}

/**
 * Ends claims of messages whose process is gone. A message is queued again with the same network id, unless too many
 * processes were lost with it: then its outcome is unknown and a receipt may settle it. The outcome of direct sends
 * always is: only their own request passes them to the network.
 */
export async function reclaimExpired(
  trx: Db,
  options: { maxLostClaims: number; unknownForMs: number; limit: number },
): Promise<Reclaimed> {
  const [found] = await rows<Reclaimed>(
    trx,
    `with expired as (
       select id, not direct and lost_claims < :maxLostClaims and lost_processes + 1 < :mostLost as again from messages
        where ${isExpired} and lease_token is not null
        order by lease_until limit :limit for update skip locked
     ), back as (
       update messages m
          set status = case when again then 'queued' else 'sending' end,
              due_at = case when again then (select service_now()) else due_at end,
              lost_claims = lost_claims + 1, lost_processes = lost_processes + 1, lease_token = null,
              attempt_log = coalesce(attempt_log, '[]') || jsonb_build_array(jsonb_build_object(
                'at', (select service_now()), 'error', :lostProcess::text,
                'nextAt', case when again then (select service_now()) end)),
              lease_until = case when again then null
                                 else (select service_now()) + :unknownForMs * interval '1 millisecond' end,
              -- A campaign message whose send was never started certainly did not go out.
              outcome_unknown_since = case when campaign_id is not null
                                            and send_started_token is distinct from lease_token
                                           then outcome_unknown_since
                                           else coalesce(outcome_unknown_since, (select service_now())) end
         from expired where m.id = expired.id
       returning m.id, m.organization_id, m.container_id, m.direct, m.lost_processes, again
     ), lane as (
       select l.container_id from lanes l
        where l.container_id in (select container_id from back where again) order by 1 for update
     ), due as (
       update lanes set next_claim_at = least(next_claim_at, (select service_now()))
         from lane where lanes.container_id = lane.container_id
     )
     select count(*) filter (where again) as again,
            coalesce(jsonb_agg(jsonb_build_object('id', id, 'organizationId', organization_id))
              filter (where not direct and lost_processes >= :mostLost), '[]') as set_aside
       from back`,
    { ...options, mostLost, lostProcess },
  )
  if (found && found.again > 0) afterCommit(trx, 'lanes')
  return found ?? { again: 0, setAside: [] }
}

/** Fails messages whose outcome stayed unknown until their time ended. */
export async function failUnknown(trx: Db, limit: number): Promise<EventSubject[]> {
  return failWhere(trx, {
    where: `${isExpired} and lease_token is null`,
    order: 'lease_until',
    code: 'UPSTREAM_TIMEOUT',
    limit,
  })
}

/** Fails queued messages that could not be sent for 24 hours after they were due, because their number was down. */
export async function failStale(trx: Db, limit: number): Promise<EventSubject[]> {
  return failWhere(trx, {
    // High ones, the others and those of campaigns each have an index, which needs its condition spelt out.
    where: `status = 'queued'
      and (priority = 'high' or priority <> 'high' and campaign_id is null or campaign_id is not null)
      and due_at < (select service_now()) - interval '24 hours' and container_id in (
      select l.container_id from lanes l
       where not l.open and l.next_claim_at < (select service_now()) - interval '24 hours')`,
    order: 'due_at',
    code: 'MESSAGE_EXPIRED',
    limit,
  })
}

interface Failing {
  readonly where: string
  readonly order: string
  readonly code: keyof typeof messageErrorCodes
  readonly limit: number
}

function failWhere(trx: Db, failing: Failing): Promise<EventSubject[]> {
  return rows<EventSubject>(
    trx,
    `with picked as (
       select id from messages where ${failing.where} order by ${failing.order} limit :limit for update skip locked
     ), failed as (
       update messages t set status = 'failed', error = :error, error_code = :code,
              failed_at = (select service_now()), lease_until = null
         from picked where t.id = picked.id
       returning t.*
     )
     select ${eventSubjectColumns} from failed m left join numbers n on n.id = m.container_id`,
    { limit: failing.limit, code: failing.code, error: messageErrorCodes[failing.code] },
  )
}

/** SQL of the true state of each lane: whether its number can send, and when its queue must be polled. */
const expectedLanes = `
  select l.container_id, l.open as is_open, l.next_claim_at, n.status = 'WORKING' and n.queue_held_at is null as open,
         least(
         (select greatest(min(due_at), ${standingGate('l.next_send_at')}) from (
            select due_at from messages m
             where m.container_id = l.container_id and m.status = 'queued' and m.priority <> 'high'
               and m.campaign_id is null
             order by queue_at, id limit 20) q having count(*) > 0),
         (select greatest(min(due_at), ${standingGate('l.next_campaign_send_at')}, ${standingGate('g.next_send_at')})
             from (
            select due_at from messages m
             where m.container_id = l.container_id and m.status = 'queued' and m.campaign_id is not null
               and m.due_at < 'infinity'
             order by queue_at, id limit 20) q having count(*) > 0)) as claim_at
    from lanes l join numbers n on n.id = l.container_id
    left join campaign_pacing g on g.organization_id = l.organization_id`
const isInconsistent = '(truth.is_open <> truth.open or truth.next_claim_at > truth.claim_at)'

/**
 * Returns inconsistent lanes for {@link repairLanes}. Nothing is locked, so that no sender waits: reading 20,000 lanes
 * takes 0.1 s. Covers all organizations.
 */
export async function findInconsistentLanes(db: Db): Promise<string[]> {
  const found = await rows<{ containerId: string }>(
    db,
    `select truth.container_id from (${expectedLanes}) truth where ${isInconsistent} order by 1`,
  )
  return found.map(({ containerId }) => containerId)
}

/**
 * Repairs those of these lanes that are inconsistent: a lane is open exactly while its number can send, and due when a
 * queued message is. Every change does this itself; the sweep is for unforeseen cases. Returns how many it repaired. A
 * lane that is locked is left to the next sweep. Lanes are locked before they are compared, so that they cannot change.
 * Works in a transaction.
 */
export async function repairLanes(trx: Db, containerIds: readonly string[]): Promise<number> {
  const locked = await rows<{ containerId: string }>(
    trx,
    `select container_id from lanes where container_id = any(:containerIds::uuid[])
      order by container_id for update skip locked`,
    { containerIds },
  )
  const repaired = await rows(
    trx,
    `with truth as materialized (${expectedLanes} where l.container_id = any(:locked::uuid[]))
     update lanes l set open = truth.open, next_claim_at = least(l.next_claim_at, truth.claim_at)
       from truth where truth.container_id = l.container_id and ${isInconsistent}
     returning l.container_id`,
    { locked: locked.map(({ containerId }) => containerId) },
  )
  if (repaired.length > 0) afterCommit(trx, 'lanes')
  return repaired.length
}
