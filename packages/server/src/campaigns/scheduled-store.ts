import { type Db, rows } from '../db/db.ts'

/** A campaign whose start time is reached. */
export interface DueCampaign {
  readonly id: string
  readonly organizationId: string
}

/** Scheduled campaigns whose time is reached, those that wait longest first. All tenants are looked at. */
export async function findDue(db: Db, limit: number): Promise<DueCampaign[]> {
  return rows<DueCampaign>(
    db,
    `select id, organization_id as "organizationId" from campaigns
      where status = 'scheduled' and scheduled_at <= (select service_now()) order by scheduled_at, id limit :limit`,
    { limit },
  )
}

/** Locks a campaign that is still due, unless somebody else has it in hand. */
export async function lockDue(trx: Db, { organizationId, id }: DueCampaign): Promise<boolean> {
  const found = await rows(
    trx,
    `select id from campaigns
      where organization_id = :organizationId and id = :id and status = 'scheduled'
        and scheduled_at <= (select service_now())
        for update skip locked`,
    { organizationId, id },
  )
  return found.length > 0
}

/** Makes a campaign that could not start for `forMs` a draft again, and says why. Answers whether it was that late. */
export async function giveUpStart(
  db: Db,
  { organizationId, id }: DueCampaign,
  { code, forMs }: { code: string; forMs: number },
): Promise<boolean> {
  const given = await rows(
    db,
    `update campaigns set status = 'draft', scheduled_at = null, start_error = :code
      where organization_id = :organizationId and id = :id and status = 'scheduled'
        and scheduled_at <= (select service_now()) - :forMs * interval '1 millisecond'
     returning id`,
    { organizationId, id, code, forMs },
  )
  return given.length > 0
}
