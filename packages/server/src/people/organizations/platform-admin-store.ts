import { type Db, rows, serviceNow } from '#platform/db/db.ts'

/** Whether an organization is one of the platform's staff, or may become one. */
export interface PlatformState {
  readonly name: string
  readonly isPlatformAdmin: boolean
  readonly isDeleted: boolean
}

/** Returns the state of an organization that is there. Lock it first to change it. */
export async function findPlatformState(db: Db, organizationId: string): Promise<PlatformState> {
  const [found] = await rows<PlatformState>(
    db,
    `select name, platform_admin_at is not null as is_platform_admin, deleted_at is not null as is_deleted
       from organizations where id = :organizationId`,
    { organizationId },
  )
  if (!found) throw new Error(`organization ${organizationId} is not there`)
  return found
}

/** Writes whether an organization is one of the platform's staff. */
export async function writePlatformAdmin(trx: Db, organizationId: string, isAdmin: boolean): Promise<void> {
  await trx('organizations')
    .where({ id: organizationId })
    .update({ platformAdminAt: isAdmin ? serviceNow(trx) : null })
}

/** An organization of the platform's staff. */
export interface PlatformAdmin {
  readonly organizationId: string
  readonly name: string
  readonly since: Date
  /** Its owners and admins, who are the staff, and whether they have turned on two steps. */
  readonly staff: readonly { readonly email: string; readonly twoSteps: boolean }[]
}

/** Returns the organizations of the platform's staff, the first made first. */
export async function listPlatformAdmins(db: Db): Promise<PlatformAdmin[]> {
  return rows<PlatformAdmin>(
    db,
    `select o.id as organization_id, o.name, o.platform_admin_at as since,
            coalesce((select jsonb_agg(jsonb_build_object('email', u.email, 'twoSteps', t.enabled_at is not null)
                                       order by m.role <> 'owner', u.email)
               from members m join users u on u.id = m.user_id left join user_two_factor t on t.user_id = u.id
              where m.organization_id = o.id and m.role <> 'member'), '[]') as staff
       from organizations o where o.platform_admin_at is not null order by o.platform_admin_at, o.id`,
  )
}

/** Returns whether an organization holds products, and whether one of them was granted or paid, active or not. */
export async function holdsProducts(db: Db, organizationId: string): Promise<{ any: boolean; notOnTrial: boolean }> {
  const [found] = await rows<{ any: boolean; notOnTrial: boolean }>(
    db,
    `select count(*) > 0 as any, count(coalesce(granted_at, paid_at)) > 0 as not_on_trial
       from organization_products where organization_id = :organizationId`,
    { organizationId },
  )
  return found ?? { any: false, notOnTrial: false }
}

/** Moves the end of the trial. The mails about it are due again. */
export async function writeTrialEnd(trx: Db, organizationId: string, endsAt: Date): Promise<void> {
  await trx('organizations').where({ id: organizationId }).update({ trialEndsAt: endsAt, trialMail: null })
}

/** Writes the AI allowance of a month in US dollars; null for that of the service. */
export async function writeAiAllowance(trx: Db, organizationId: string, usd: number | null): Promise<void> {
  await trx('organizations').where({ id: organizationId }).update({ aiAllowanceUsd: usd })
}

/** Returns how many extra numbers the operator gave, and until when, also when that is over. */
export async function findGivenExtra(db: Db, organizationId: string): Promise<{ extra: number; until: Date | null }> {
  const found = await db('organizations').where({ id: organizationId }).first('extraNumbers', 'extraExpiresAt')
  return { extra: found?.extraNumbers ?? 0, until: found?.extraExpiresAt ?? null }
}
