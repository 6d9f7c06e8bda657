import type { Role } from '@msgctl/contract'
import { endAccess } from '#api/access/end-access.ts'
import type { Actor } from '#api/activity/log.ts'
import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import type { UserRow } from './user-store.ts'

/** Locks and returns the person with this e-mail, or undefined. */
export async function lockPerson(trx: Db, email: string): Promise<UserRow | undefined> {
  return firstRow<UserRow>(
    trx,
    'select id, name, email from users where lower(email) = lower(:email) for no key update',
    { email },
  )
}

/** A member as the operator sees them. */
export interface MemberRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
}

const memberColumns = 'u.id, u.name, u.email, m.role'

/** Returns the members, owner first, then in the order in which they joined. */
export async function listMembers(db: Db, organizationId: string): Promise<MemberRow[]> {
  return rows<MemberRow>(
    db,
    `select ${memberColumns} from members m join users u on u.id = m.user_id
      where m.organization_id = :organizationId order by m.role <> 'owner', m.created_at, u.id`,
    { organizationId },
  )
}

/** Returns the member with this e-mail, or undefined. */
export async function findMember(db: Db, organizationId: string, email: string): Promise<MemberRow | undefined> {
  return firstRow<MemberRow>(
    db,
    `select ${memberColumns} from members m join users u on u.id = m.user_id
      where m.organization_id = :organizationId and lower(u.email) = lower(:email)`,
    { organizationId, email },
  )
}

/** Returns whether a person is in any organization that is not deleted. */
export async function hasOrganization(db: Db, userId: string): Promise<boolean> {
  const found = await rows(
    db,
    `select 1 as found from members m join organizations o on o.id = m.organization_id
      where m.user_id = :userId and o.deleted_at is null limit 1`,
    { userId },
  )
  return found.length > 0
}

/** Notes that a member starts a session of the organization. */
export async function writeLastSession(trx: Db, organizationId: string, userId: string): Promise<void> {
  await trx('members')
    .where({ organizationId, userId })
    .update({ lastSessionAt: serviceNow(trx) })
}

/** Removes a member and ends their access to this organization. The person stays known. */
export async function deleteMember(trx: Db, organizationId: string, userId: string, by: Actor): Promise<void> {
  await endAccess(trx, { organizationId, userId, by })
  await trx('members').where({ organizationId, userId }).delete()
}
