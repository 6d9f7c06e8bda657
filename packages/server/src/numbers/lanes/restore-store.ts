import { type Db, rows } from '#platform/db/db.ts'

const lostInRestore = 'The database was restored while the message was being sent.'

/**
 * Queues every message again that the backup holds as claimed, of all organizations: the process that had claimed it is
 * gone, and it belongs to what waits. It may have left, so its outcome counts as unknown, except for a campaign message
 * whose send was never started. Direct sends are left alone: only their own request passes them to the network.
 */
export async function requeueClaimed(trx: Db): Promise<void> {
  await rows(
    trx,
    `with back as (
       update messages
          set status = 'queued', due_at = (select service_now()), lost_claims = lost_claims + 1, lease_token = null,
              lease_until = null,
              outcome_unknown_since = case when campaign_id is not null
                                            and send_started_token is distinct from lease_token
                                           then outcome_unknown_since
                                           else coalesce(outcome_unknown_since, (select service_now())) end,
              attempt_log = coalesce(attempt_log, '[]') || jsonb_build_array(jsonb_build_object(
                'at', (select service_now()), 'error', :lostInRestore::text, 'nextAt', (select service_now())))
        where status = 'sending' and lease_token is not null and not direct
       returning container_id
     ), lane as (
       select container_id from lanes where container_id in (select container_id from back) order by 1 for update
     )
     update lanes set next_claim_at = least(next_claim_at, (select service_now()))
       from lane where lanes.container_id = lane.container_id`,
    { lostInRestore },
  )
}

/**
 * Binds every message that waits to its number, of all organizations, so that none leaves through a number whose queue
 * is not held.
 */
export async function pinWaiting(trx: Db): Promise<void> {
  await rows(trx, `update messages set pinned = true where status = 'queued'`)
}

/** Closes the lanes of all numbers whose queue is held. */
export async function closeHeldLanes(trx: Db): Promise<void> {
  await rows(
    trx,
    `update lanes l set open = false from numbers n
      where n.organization_id = l.organization_id and n.id = l.container_id and n.queue_held_at is not null and l.open`,
  )
}
