import type { Role } from '@msgctl/contract'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** A member as the team sees them. */
export interface TeamMember {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly joinedAt: Date
  readonly lastSeenAt: Date | null
  readonly twoFactorEnabled: boolean
}

const teamMembers = `
  select u.id, u.name, u.email, m.role, m.created_at as joined_at,
         greatest(m.last_session_at,
           (select max(t.last_used_at) from user_tokens t
             where t.organization_id = m.organization_id and t.user_id = m.user_id)) as last_seen_at,
         exists (select from user_two_factor f where f.user_id = u.id
             and f.enabled_at is not null) as two_factor_enabled
    from members m join users u on u.id = m.user_id
   where m.organization_id = :organizationId`

/** Returns the members, owner first, then in the order in which they joined. */
export async function listTeam(db: Db, organizationId: string): Promise<TeamMember[]> {
  return rows<TeamMember>(db, `${teamMembers} order by m.role <> 'owner', m.created_at, u.id`, { organizationId })
}

/** Returns a member, or undefined. */
export async function findTeamMember(db: Db, organizationId: string, userId: string): Promise<TeamMember | undefined> {
  return firstRow<TeamMember>(db, `${teamMembers} and m.user_id = :userId`, { organizationId, userId })
}

/**
 * Counts the members, and the members with the open invitations. One whose inviter may not make it any more holds no
 * seat, since it cannot be used or cancelled. Lock the organization first.
 */
export async function countTeam(trx: Db, organizationId: string): Promise<{ members: number; seats: number }> {
  const [counted] = await rows<{ members: number; seats: number }>(
    trx,
    `select members, members + invited as seats from (
       select (select count(*) from members where organization_id = :organizationId) as members,
              (select count(*) from invitations i
                 join members m on m.organization_id = i.organization_id and m.user_id = i.invited_by
                  and (m.role = 'owner' or m.role = 'admin' and i.role = 'member')
                where i.organization_id = :organizationId and i.accepted_at is null and i.cancelled_at is null
                  and i.expires_at > (select service_now())) as invited) counts`,
    { organizationId },
  )
  return counted ?? { members: 0, seats: 0 }
}

/** An organization of a person. */
export interface OwnOrganization {
  readonly id: string
  readonly name: string
  readonly memberRole: Role
  readonly requireTwoFactor: boolean
}

/** Returns the organizations of a person, in the order in which they joined; deleted ones are left out. */
export async function listOwn(db: Db, userId: string): Promise<OwnOrganization[]> {
  return rows<OwnOrganization>(
    db,
    `select o.id, o.name, m.role as member_role, o.require_two_factor
       from members m join organizations o on o.id = m.organization_id
      where m.user_id = :userId and o.deleted_at is null order by m.created_at, o.id`,
    { userId },
  )
}

/** An organization with its owner. */
export interface OrganizationRecord
  extends Pick<Row<'organizations'>, 'id' | 'name' | 'createdAt' | 'requireTwoFactor' | 'trialEndsAt' | 'country'> {
  /** Whether the first payment fixed the country. */
  readonly countryLocked: boolean
  readonly ownerId: string
  readonly ownerName: string
  readonly ownerEmail: string
}

/** Returns an organization with its owner. */
export async function findOrganization(db: Db, organizationId: string): Promise<OrganizationRecord | undefined> {
  return firstRow<OrganizationRecord>(
    db,
    `select o.id, o.name, o.created_at, u.id as owner_id, u.name as owner_name, u.email as owner_email,
            o.require_two_factor, o.trial_ends_at, o.country, o.country_locked_at is not null as country_locked
       from organizations o join members m on m.organization_id = o.id and m.role = 'owner'
       join users u on u.id = m.user_id
      where o.id = :organizationId`,
    { organizationId },
  )
}
