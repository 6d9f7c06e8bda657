import type { MessageErrorCode } from '@msgctl/contract'
import { type Db, rows } from '#platform/db/db.ts'

/** What became of the messages that a campaign sent in one minute. */
export interface Minute {
  readonly at: Date
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
}

/** Returns the latest minutes of a campaign in which something was sent or failed, the oldest first. */
export async function listMinutes(
  db: Db,
  organizationId: string,
  campaignId: string,
  limit: number,
): Promise<Minute[]> {
  const latest = await rows<Minute>(
    db,
    `select date_bin('1 minute', coalesce(m.failed_at, m.sent_at), timestamptz 'epoch') as at,
            count(*) filter (where m.status in ('sent', 'delivered', 'read')) as sent,
            count(*) filter (where m.status in ('delivered', 'read')) as delivered,
            count(*) filter (where m.status = 'read') as read,
            count(*) filter (where m.status = 'failed') as failed
       from messages m
      where m.organization_id = :organizationId and m.campaign_id = :campaignId
        and coalesce(m.failed_at, m.sent_at) is not null
      group by 1 order by 1 desc limit :limit`,
    { organizationId, campaignId, limit },
  )
  return latest.reverse()
}

/** Returns how many messages of a campaign failed for each reason, the most frequent first. */
export async function countReasons(
  db: Db,
  organizationId: string,
  campaignId: string,
): Promise<{ errorCode: MessageErrorCode; count: number }[]> {
  return rows(
    db,
    `select m.error_code, count(*) as count
       from messages m
      where m.organization_id = :organizationId and m.campaign_id = :campaignId and m.status = 'failed'
        and m.error_code is not null
      group by 1 order by 2 desc, 1`,
    { organizationId, campaignId },
  )
}
