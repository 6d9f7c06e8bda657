import type { CampaignStatus, ErrorCode } from '@msgctl/contract'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'

/** A campaign whose start time is reached. */
export interface DueCampaign {
  readonly id: string
  readonly organizationId: string
}

/**
 * Returns due campaigns of all tenants that were not tried since `untriedSince`. Untried ones come first, then those
 * tried longest ago, so that campaigns that cannot start do not delay the others.
 */
export async function findDue(db: Db, untriedSince: Date, limit: number): Promise<DueCampaign[]> {
  return rows<DueCampaign>(
    db,
    `select id, organization_id from campaigns
      where status = 'scheduled' and scheduled_at <= (select service_now())
        and (start_tried_at is null or start_tried_at < :untriedSince) and ${notMoving('organization_id')}
      order by start_tried_at nulls first, scheduled_at, id limit :limit`,
    { untriedSince, limit },
  )
}

/** Locks a campaign that is still due. Returns false when it is not, or when another worker holds it. */
export async function lockDue(trx: Db, { organizationId, id }: DueCampaign): Promise<boolean> {
  const found = await rows(
    trx,
    `select id from campaigns
      where organization_id = :organizationId and id = :id
        and status = 'scheduled' and scheduled_at <= (select service_now())
        for update skip locked`,
    { organizationId, id },
  )
  return found.length > 0
}

/** Records a failed start of a locked campaign. Returns for how many milliseconds its starts have failed. */
export async function noteFailedStart(trx: Db, { organizationId, id }: DueCampaign): Promise<number> {
  const [noted] = await rows<{ failingForMs: number }>(
    trx,
    `update campaigns
        set start_tried_at = (select service_now()),
            start_failing_since = coalesce(start_failing_since, (select service_now()))
      where organization_id = :organizationId and id = :id
     returning (extract(epoch from start_tried_at - start_failing_since) * 1000)::int8 as failing_for_ms`,
    { organizationId, id },
  )
  return noted?.failingForMs ?? 0
}

/**
 * Removes the start time of a locked campaign and stores why it did not start. Returns its name and the removed time.
 */
export async function putBack(
  trx: Db,
  { organizationId, id }: DueCampaign,
  { status, startError }: { readonly status: CampaignStatus; readonly startError: ErrorCode | null },
): Promise<{ readonly name: string; readonly scheduledAt: Date }> {
  const given = await firstRow<{ name: string; scheduledAt: Date }>(
    trx,
    `update campaigns c
        set status = :status, scheduled_at = null, start_error = :startError, start_failing_since = null,
            start_tried_at = null
       from (select id, scheduled_at from campaigns where organization_id = :organizationId and id = :id) before
      where c.organization_id = :organizationId and c.id = before.id
     returning c.name, before.scheduled_at`,
    { organizationId, id, status, startError },
  )
  if (!given) throw new Error('a locked campaign is gone')
  return given
}
