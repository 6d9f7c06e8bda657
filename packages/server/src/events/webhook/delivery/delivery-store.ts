import type { EventKind } from '@msgctl/contract'
import { type Db, preparedRows } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import type { Row } from '#platform/db/tables.ts'
import { admittedOfPicked, type InWork, noSuspects, suspectBindings } from '#platform/set-aside/suspicion.ts'
import type { ClaimQuota } from './concurrency-limiter.ts'

/** A delivery whose next attempt belongs to this process until the lease expires. */
export interface ClaimedDelivery
  extends Pick<Row<'webhook_deliveries'>, 'id' | 'eventId' | 'organizationId' | 'replay'> {
  readonly endpointId: string
  readonly event: EventKind
  /** JSON, as the database has it: it is posted without being parsed. */
  readonly data: string
  readonly happenedAt: Date
  /** Made by POST /me/webhook/test. */
  readonly sample: boolean
  /** Earlier attempts. */
  readonly attempts: number
  readonly leaseToken: string
  /** Processes in a row that were lost with it. */
  readonly lostProcesses: number
}

/** Longer than an attempt, its write and a pause of the process. After it, another process repeats the attempt. */
const leaseSeconds = 30

/**
 * Claims due deliveries within `quota`. It visits the waiting endpoints with one index probe each and takes a few rows
 * of each, so that neither a long queue of one endpoint nor the locks of another process delay the rest. Of those that
 * were lost with a process it takes few, beside `inWork`.
 *
 * `leaseToken` identifies the process and is the same at each claim. After a move of the clock, the process can claim a
 * delivery that it already holds, and still owns its outcome. The chosen ids reach the update as an array: the planner
 * cannot estimate a join here, and would scan both tables.
 */
export async function claimDeliveries(
  db: Db,
  quota: ClaimQuota,
  leaseToken: string,
  inWork: InWork = noSuspects,
): Promise<ClaimedDelivery[]> {
  return preparedRows<ClaimedDelivery>(
    db,
    `with recursive waiting as (
       (select endpoint_id from webhook_deliveries where status = 'pending' order by endpoint_id limit 1)
       union all
       select (select endpoint_id from webhook_deliveries
               where status = 'pending' and endpoint_id > waiting.endpoint_id
               order by endpoint_id limit 1)
       from waiting where waiting.endpoint_id is not null
     ), due as (
       select endpoint_id, oldest.next_attempt_at,
              coalesce((:quotas::jsonb ->> endpoint_id::text)::int, :initialQuota::int) as quota
       from waiting cross join lateral (
         select next_attempt_at from webhook_deliveries
         where endpoint_id = waiting.endpoint_id and ${isDue} order by next_attempt_at limit 1
       ) oldest
       where (endpoint_id = any(:slow::uuid[])) = :fromSlow
     ), chosen as (
       select endpoint_id, greatest(1, least(quota, :slots::int / count(*) over ())) as share
       from due where quota > 0 order by next_attempt_at limit :slots
     ), picked as (
       select delivery.id, delivery.lost_processes from chosen cross join lateral (
         -- A lease that expired was that of a process that was lost.
         select id, lost_processes + (lease_until is not null)::int as lost_processes from webhook_deliveries
         where endpoint_id = chosen.endpoint_id and ${isDue}
         order by next_attempt_at limit chosen.share for update skip locked
       ) delivery
     ), ${admittedOfPicked}, claimed as (
       update webhook_deliveries
          set lost_processes = lost_processes + (lease_until is not null)::int,
              lease_token = :leaseToken, lease_until = (select service_now()) + :leaseSeconds * interval '1 s'
        where id = any(array(select id from admitted))
       returning id, event_id, organization_id, endpoint_id, replay, attempts, lease_token, lost_processes
     )
     select claimed.id, event_id, claimed.organization_id, endpoint_id,
            events.event, events.data::text as data, events.created_at as happened_at, events.sample, replay, attempts,
            lease_token, lost_processes
     from claimed join events on events.id = event_id`,
    {
      slots: quota.limit,
      fromSlow: quota.fromSlow,
      slow: quota.slow,
      quotas: JSON.stringify(quota.quotas),
      initialQuota: quota.initialQuota,
      leaseToken,
      leaseSeconds,
      ...suspectBindings(inWork),
    },
  )
}

const isDue = `status = 'pending' and next_attempt_at <= (select service_now()) and ${notMoving('organization_id')}
           and (lease_until is null or lease_until <= (select service_now()))`

/** The outcome of one claimed delivery. */
export interface DeliveryOutcome {
  readonly id: string
  readonly organizationId: string
  readonly leaseToken: string
  readonly status: 'pending' | 'delivered' | 'dropped'
  /** With `pending`: the time of the next attempt. */
  readonly nextAttemptAt: Date | null
  readonly finishedAt: Date | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** The entry for the log; null if no attempt was made. */
  readonly attempt: AttemptEntry | null
}

/** One attempt in the log of a delivery. */
interface AttemptEntry {
  readonly at: string
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  /** The beginning of the body of a refusal; absent without one. */
  readonly response?: string
}

/** Writes many outcomes in one statement. An outcome whose lease belongs to another process by now is ignored. */
export async function writeOutcomes(db: Db, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  await preparedRows(
    db,
    `with outcome as (
       select * from unnest(:ids::uuid[], :organizationIds::uuid[], :leaseTokens::uuid[], :statuses::text[],
                            :nextAttemptAts::timestamptz[], :finishedAts::timestamptz[], :lastStatuses::int[],
                            :lastErrors::text[], :attempts::jsonb[])
         as given (id, organization_id, lease_token, status, next_attempt_at, finished_at, last_status, last_error,
             attempt)
     )
     update webhook_deliveries delivery
     set status = outcome.status,
         attempts = attempts + case when attempt is null then 0 else 1 end,
         attempt_log = attempt_log || coalesce(attempt, '[]'),
         next_attempt_at = coalesce(outcome.next_attempt_at, delivery.next_attempt_at),
         finished_at = outcome.finished_at,
         last_status = case when outcome.status = 'pending' and attempt is null
                         then delivery.last_status else outcome.last_status end,
         last_error = case when outcome.status = 'pending' and attempt is null
                        then delivery.last_error else outcome.last_error end,
         lost_processes = 0,
         lease_token = null,
         lease_until = null
     from outcome
     where delivery.id = any(array(select unnest(:ids::uuid[]))) and delivery.id = outcome.id
       and delivery.organization_id = outcome.organization_id and delivery.lease_token = outcome.lease_token`,
    {
      ids: outcomes.map((one) => one.id),
      organizationIds: outcomes.map((one) => one.organizationId),
      leaseTokens: outcomes.map((one) => one.leaseToken),
      statuses: outcomes.map((one) => one.status),
      nextAttemptAts: outcomes.map((one) => one.nextAttemptAt),
      finishedAts: outcomes.map((one) => one.finishedAt),
      lastStatuses: outcomes.map((one) => one.lastStatus),
      lastErrors: outcomes.map((one) => one.lastError),
      attempts: outcomes.map((one) => one.attempt && JSON.stringify(one.attempt)),
    },
  )
}
