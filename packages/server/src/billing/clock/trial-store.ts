import { anyRow } from '#platform/db/any-row.ts'
import { type Db, rows } from '#platform/db/db.ts'

/** An organization whose trial ends soon, or ended, and whose owner got no mail about it. */
export interface TrialNotice {
  readonly organizationId: string
  readonly name: string
  readonly ownerEmail: string | null
  readonly endsAt: Date
  readonly mail: 'ending' | 'ended'
}

/** A trial that ended longer ago is not mailed about: the clock jumped over it, or payments were off. */
const isRecent = `trial_ends_at > (select service_now()) - interval '2 days'`
const isEnding = `trial_ends_at <= (select service_now()) + interval '2 days'`
const isUntold = `trial_mail is distinct from 'ended'
             and (trial_mail is null or trial_ends_at <= (select service_now()))`
const isNoticed = `${isUntold} and ${isEnding} and ${isRecent} and deleted_at is null and moving_at is null
             and exists (select from entitlements e where e.organization_id = organizations.id and e.trial)`

/** SQL condition: whether there are trials to mail about. */
export const hasTrialMails = anyRow(`organizations where ${isNoticed} order by trial_ends_at`)

/** Returns trials to mail about. */
export async function listTrialNotices(db: Db, limit: number): Promise<TrialNotice[]> {
  return rows<TrialNotice>(
    db,
    `select organizations.id as organization_id, organizations.name, u.email as owner_email,
            trial_ends_at as ends_at,
            case when trial_ends_at <= (select service_now()) then 'ended' else 'ending' end as mail
       from organizations
       left join members m on m.organization_id = organizations.id and m.role = 'owner'
       left join users u on u.id = m.user_id
      where ${isNoticed} order by trial_ends_at limit :limit`,
    { limit },
  )
}
