import type { Role } from '@msgctl/contract'
import { deleteTokensOfMember } from '../access/token-store.ts'
import { type Db, rows, serviceNow } from '../db/db.ts'

/** A known person and the organization that they sign in to, if any. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly organizationId: string | null
}

/** Locks and returns the person with this e-mail, so that adding one person to two organizations is serialized. */
export async function lockPerson(trx: Db, email: string): Promise<Person | undefined> {
  const [locked] = await rows<{ id: string; email: string }>(
    trx,
    'select id, email from users where lower(email) = lower(:email) for no key update',
    { email },
  )
  if (!locked) return undefined
  // A separate statement sees what the previous holders of the lock committed.
  const joined = await trx('members')
    .where({ user_id: locked.id })
    .orderBy(['created_at', 'organization_id'])
    .first('organization_id')
  return { ...locked, organizationId: joined?.organization_id ?? null }
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
  const [found] = await rows<MemberRow>(
    db,
    `select ${memberColumns} from members m join users u on u.id = m.user_id
      where m.organization_id = :organizationId and lower(u.email) = lower(:email)`,
    { organizationId, email },
  )
  return found
}

/** Notes that a member starts a session of the organization. */
export async function writeLastSession(trx: Db, organizationId: string, userId: string): Promise<void> {
  await trx('members')
    .where({ organization_id: organizationId, user_id: userId })
    .update({ last_session_at: serviceNow(trx) })
}

/** Removes a member and ends their sessions of this organization. The person stays known. */
export async function deleteMember(trx: Db, organizationId: string, userId: string): Promise<void> {
  await deleteTokensOfMember(trx, organizationId, userId)
  await trx('members').where({ organization_id: organizationId, user_id: userId }).delete()
}
