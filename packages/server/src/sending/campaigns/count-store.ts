import { type Db, rows } from '#platform/db/db.ts'

/** SQL condition: whether there are changes to roll up. */
export const hasCampaignChanges = 'exists (select from campaign_count_changes)'

/**
 * Rolls up appended changes into the counts of their campaigns and drops those of deleted campaigns. Returns how many
 * there were. Workers may do this concurrently: they lock different changes, and lock campaigns and counts in the order
 * of their ids.
 */
export async function rollUpCampaignCounts(db: Db, limit: number): Promise<number> {
  const [result] = await rows<{ count: number }>(
    db,
    `with changes as (
       delete from campaign_count_changes
        where ctid = any(array(select ctid from campaign_count_changes limit :limit for update skip locked))
       returning *
     ), present as materialized (
       select id from campaigns where id in (select campaign_id from changes) order by id for key share
     ), written as (
       insert into campaign_counts as c (campaign_id, organization_id, sent, delivered, failed, read)
       select t.campaign_id, t.organization_id, sum(t.sent), sum(t.delivered), sum(t.failed), sum(t.read)
         from changes t join present p on p.id = t.campaign_id group by 1, 2 order by 1
       on conflict (campaign_id) do update
          set sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered,
              failed = c.failed + excluded.failed, read = c.read + excluded.read
     )
     select count(*) as count from changes`,
    { limit },
  )
  return result?.count ?? 0
}
