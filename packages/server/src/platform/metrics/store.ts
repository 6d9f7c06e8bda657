import { type Db, firstRow } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import type { ServiceSnapshot } from './metrics.ts'

const countedDeliveries = 100_000
const countedSessions = 100_000

/**
 * Reads the figures of the whole service. Messages come from stored counts, lanes and claims from the first entry of an
 * index, and deliveries from one index probe for each organization that waits.
 */
export async function readSnapshot(db: Db): Promise<ServiceSnapshot> {
  const found = await firstRow<ServiceSnapshot>(
    db,
    `with recursive waiting as (
       (select organization_id from webhook_deliveries where status = 'pending' order by organization_id limit 1)
       union all
       select (select organization_id from webhook_deliveries
                where status = 'pending' and organization_id > waiting.organization_id
                order by organization_id limit 1)
         from waiting where waiting.organization_id is not null
     ), counted as (
       select coalesce(sum(queued), 0)::int8 as queued, coalesce(sum(sending), 0)::int8 as sending,
              coalesce(sum(sent), 0)::int8 as sent,
              coalesce(sum(delivered), 0)::int8 as delivered, coalesce(sum(read), 0)::int8 as read,
              coalesce(sum(failed), 0)::int8 as failed
         from (select queued, sending, sent, delivered, read, failed from message_totals
               union all
               select queued, sending, sent, delivered, read, failed from message_count_changes) each_row
     )
     select (select to_jsonb(counted) from counted) as messages,
            coalesce((select jsonb_object_agg(status, count)
                        from (select status, count(*) from numbers group by status) by_status), '{}') as numbers,
            coalesce((select jsonb_object_agg(reason, count)
                        from (select coalesce(status_reason, 'unknown') as reason, count(*) from numbers
                               where status = 'FAILED' group by 1) by_reason), '{}') as numbers_failed,
            ${secondsSince(`(select next_claim_at from lanes where open and ${notMoving('organization_id')}
                  order by next_claim_at limit 1)`)}
              as queued_overdue_seconds,
            ${secondsSince(`(select lease_until from messages where status = 'sending' order by lease_until limit 1)`)}
              as sending_overdue_seconds,
            (select count(*) from (select from webhook_deliveries where status = 'pending'
                  limit :countedDeliveries) few)
              as deliveries_pending,
            ${secondsSince(`(
              select min(oldest.next_attempt_at) from waiting cross join lateral (
                select next_attempt_at from webhook_deliveries
                 where organization_id = waiting.organization_id and status = 'pending'
                 order by next_attempt_at limit 1) oldest
               where ${notMoving('waiting.organization_id')})`)} as deliveries_overdue_seconds,
            ${secondsSince('(select received_at from gateway_inbox where set_aside_at is null order by id limit 1)')}
              as reports_waiting_seconds,
            (select count(*) from gateway_inbox where set_aside_at is not null) as reports_set_aside,
            coalesce((select jsonb_object_agg(kind, count)
                        from (select kind, count(*) from suspects where set_aside_at is not null
                            group by kind) by_kind), '{}')
              as set_aside,
            (select count(*) from (select from user_tokens where expires_at > (select service_now())
                  limit :countedSessions) few)
              as sessions`,
    { countedDeliveries, countedSessions },
  )
  if (!found) throw new Error('the statement of the metrics returned no row')
  return found
}

/** SQL: the seconds since a moment; 0 for a moment in the future and for null. */
function secondsSince(moment: string): string {
  return `greatest(0, coalesce(extract(epoch from (select service_now()) - nullif(${moment}, 'infinity')), 0))::float8`
}
