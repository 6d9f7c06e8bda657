import type { Role } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'

/** A known person and the organization that a sign-in would be for, if any. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly organizationId: string | null
}

/** The person with this e-mail, locked: whoever adds the same person elsewhere waits until the transaction ends. */
export async function lockPerson(trx: Db, email: string): Promise<Person | undefined> {
  const [locked] = await rows<{ id: string; email: string }>(
    trx,
    'select id, email from users where lower(email) = lower(:email) for no key update',
    { email },
  )
  if (!locked) return undefined
  // A statement of its own, which sees what those who held the lock before have done.
  const [joined] = await rows<{ organizationId: string }>(
    trx,
    `select organization_id as "organizationId" from members where user_id = :id order by created_at, organization_id limit 1`,
    { id: locked.id },
  )
  return { ...locked, organizationId: joined?.organizationId ?? null }
}

/** A member as the operator sees one. */
export interface MemberRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
}

const memberColumns = 'u.id, u.name, u.email, m.role'

/** The members, owner first, then by when they joined. */
export async function listMembers(db: Db, organizationId: string): Promise<MemberRow[]> {
  return rows<MemberRow>(
    db,
    `select ${memberColumns} from members m join users u on u.id = m.user_id
      where m.organization_id = :organizationId order by m.role <> 'owner', m.created_at, u.id`,
    { organizationId },
  )
}

/** The member with this e-mail, if it is one. */
export async function findMember(db: Db, organizationId: string, email: string): Promise<MemberRow | undefined> {
  const [found] = await rows<MemberRow>(
    db,
    `select ${memberColumns} from members m join users u on u.id = m.user_id
      where m.organization_id = :organizationId and lower(u.email) = lower(:email)`,
    { organizationId, email },
  )
  return found
}

/** Takes a member out and ends the sign-ins to this organization. The person stays known. */
export async function deleteMember(trx: Db, organizationId: string, userId: string): Promise<void> {
  const who = { organizationId, userId }
  await rows(trx, 'delete from user_tokens where organization_id = :organizationId and user_id = :userId', who)
  await rows(trx, 'delete from members where organization_id = :organizationId and user_id = :userId', who)
}
