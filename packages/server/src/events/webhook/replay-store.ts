import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

const most = 10_000

/**
 * Plans the dropped deliveries of a period again, oldest first: each event once for each endpoint that is still there,
 * unless it was delivered since or is being delivered. Returns how many.
 */
export async function replayDropped(
  trx: Db,
  organizationId: string,
  period: { readonly from: string | null; readonly to: string | null },
): Promise<number> {
  const [planned] = await rows<{ count: number }>(
    trx,
    `with dropped as (
       select d.event_id, d.endpoint_id, min(d.created_at) as created_at
         from webhook_deliveries d
         join webhooks w on w.organization_id = :organizationId and w.id = d.endpoint_id and w.url is not null
         join events e on e.id = d.event_id and not e.sample
        where d.organization_id = :organizationId and d.status = 'dropped'
          and (:from::timestamptz is null or d.created_at >= :from) and (:to::timestamptz is null or d.created_at < :to)
          and not exists (
            select from webhook_deliveries later
             where later.event_id = d.event_id and later.endpoint_id = d.endpoint_id
               and later.status in ('pending', 'delivered'))
        group by d.event_id, d.endpoint_id order by 3, 1 limit ${most}
     ), planned as (
       insert into webhook_deliveries
         (id, event_id, organization_id, endpoint_id, status, replay, next_attempt_at, created_at)
       select gen_random_uuid(), event_id, :organizationId, endpoint_id, 'pending', true, (select service_now()),
              (select service_now())
         from dropped order by created_at, event_id
       returning id
     )
     select count(*) as count from planned`,
    { organizationId, ...period },
  )
  afterCommit(trx, 'deliveries')
  return planned?.count ?? 0
}
