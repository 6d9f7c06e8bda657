import type { EventKind } from '@msgctl/contract'
import { type Db, preparedRows } from '../../db/db.ts'
import type { ClaimQuota } from './concurrency-limiter.ts'

/** A delivery whose next attempt is this process's until the lease ends. */
export interface ClaimedDelivery {
  readonly id: string
  readonly eventId: string
  readonly organizationId: string
  readonly event: EventKind
  readonly data: object
  readonly happenedAt: Date
  readonly replay: boolean
  /** Made by POST /me/webhook/test. */
  readonly sample: boolean
  /** Attempts made before. */
  readonly attempts: number
  /** The address as it is now; null when it was removed. */
  readonly url: string | null
  /** The sealed secrets that sign now; the previous one only while they overlap. */
  readonly secret: string | null
  readonly previousSecret: string | null
  readonly leaseToken: string
}

/** Longer than an attempt, its write and a pause of the process; then another process makes the attempt again. */
const leaseSeconds = 30

/**
 * Claims deliveries that are due, as much as `offer` has room for. It hops over the organizations that wait, one index
 * probe each, and takes a few rows of each: neither the number of rows that one has waiting nor another process's locks
 * hold up the rest. `leaseToken` is the process's own and the same at each claim: after a move of the clock it may claim what
 * it holds already, and the outcome of that is still its own.
 * What was picked reaches the update as an array: how many a join would meet is not known to the planner, which then reads
 * both tables whole.
 */
export async function claimDeliveries(db: Db, offer: ClaimQuota, leaseToken: string): Promise<ClaimedDelivery[]> {
  return preparedRows<ClaimedDelivery>(
    db,
    `with recursive waiting as (
       (select organization_id from webhook_deliveries where status = 'pending' order by organization_id limit 1)
       union all
       select (select organization_id from webhook_deliveries
               where status = 'pending' and organization_id > waiting.organization_id
               order by organization_id limit 1)
       from waiting where waiting.organization_id is not null
     ), due as (
       select organization_id, oldest.next_attempt_at,
              coalesce((:room::jsonb ->> organization_id::text)::int, :newcomerRoom::int) as room
       from waiting cross join lateral (
         select next_attempt_at from webhook_deliveries
         where organization_id = waiting.organization_id and ${isDue} order by next_attempt_at limit 1
       ) oldest
       where (organization_id = any(:slow::uuid[])) = :fromSlow
     ), chosen as (
       select organization_id, greatest(1, least(room, :slots::int / count(*) over ())) as share
       from due where room > 0 order by next_attempt_at limit :slots
     ), picked as (
       select delivery.id from chosen cross join lateral (
         select id from webhook_deliveries
         where organization_id = chosen.organization_id and ${isDue}
         order by next_attempt_at limit chosen.share for update skip locked
       ) delivery
     )
     update webhook_deliveries delivery
     set lease_token = :leaseToken, lease_until = (select service_now()) + :leaseSeconds * interval '1 s'
     from events
     left join webhooks on webhooks.organization_id = events.organization_id
     where delivery.id = any(array(select id from picked)) and events.id = delivery.event_id
     returning delivery.id, event_id as "eventId", delivery.organization_id as "organizationId", events.event,
               events.data, events.created_at as "happenedAt", events.sample, replay, attempts, webhooks.url, webhooks.secret,
               case when webhooks.previous_until > (select service_now()) then webhooks.previous_secret end
                 as "previousSecret",
               lease_token as "leaseToken"`,
    {
      slots: offer.limit,
      fromSlow: offer.fromSlow,
      slow: offer.slow,
      room: JSON.stringify(offer.quotas),
      newcomerRoom: offer.initialQuota,
      leaseToken,
      leaseSeconds,
    },
  )
}

const isDue = `status = 'pending' and next_attempt_at <= (select service_now())
           and (lease_until is null or lease_until <= (select service_now()))`

/** What became of one claimed delivery. */
export interface DeliveryOutcome {
  readonly id: string
  readonly organizationId: string
  readonly leaseToken: string
  readonly status: 'pending' | 'delivered' | 'dropped'
  /** With `pending`: when it is tried again. */
  readonly nextAttemptAt: Date | null
  readonly finishedAt: Date | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** The entry for the log; null when no attempt was made. */
  readonly attempt: AttemptEntry | null
}

/** One attempt, as the delivery's log keeps it. */
interface AttemptEntry {
  readonly at: string
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
}

/** Writes outcomes, many in one statement. One whose lease was taken over by another process is left to that one. */
export async function writeOutcomes(db: Db, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  await preparedRows(
    db,
    `with outcome as (
       select * from jsonb_to_recordset(:outcomes::jsonb) as given
         (id uuid, "organizationId" uuid, "leaseToken" uuid, status text, "nextAttemptAt" timestamptz,
          "finishedAt" timestamptz, "lastStatus" int, "lastError" text, attempt jsonb)
     )
     update webhook_deliveries delivery
     set status = outcome.status,
         attempts = attempts + case when attempt is null then 0 else 1 end,
         attempt_log = attempt_log || coalesce(attempt, '[]'),
         next_attempt_at = coalesce("nextAttemptAt", next_attempt_at),
         finished_at = "finishedAt",
         last_status = case when outcome.status = 'pending' and attempt is null then last_status else "lastStatus" end,
         last_error = case when outcome.status = 'pending' and attempt is null then last_error else "lastError" end,
         lease_token = null,
         lease_until = null
     from outcome
     where delivery.id = any(array(select id from outcome)) and delivery.id = outcome.id
       and delivery.organization_id = "organizationId" and lease_token = "leaseToken"`,
    { outcomes: JSON.stringify(outcomes) },
  )
}
