import { type Db, rows } from '#platform/db/db.ts'
import type { DueCampaign } from './scheduled-store.ts'

/** Returns the campaigns that send, of all organizations. */
export async function findSending(db: Db): Promise<DueCampaign[]> {
  return rows(
    db,
    `select id, organization_id from campaigns where status = 'sending'
      order by organization_id, id`,
  )
}

/** Returns the campaigns whose start time is reached, of all organizations. */
export async function findStarting(db: Db): Promise<DueCampaign[]> {
  return rows(
    db,
    `select id, organization_id from campaigns
      where status = 'scheduled' and scheduled_at <= (select service_now()) order by organization_id, id`,
  )
}
