import type { Role } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'

/** A person with their password, and one of their organizations. */
interface Credentials {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly passwordHash: string
  readonly organizationName: string
}

/** A person who may sign in, with the organization that they are signed in to. */
export interface SignInRow extends Credentials {
  readonly organizationId: string
  readonly role: Role
  readonly deactivated: boolean
}

/**
 * Returns the person with this e-mail and the organization joined first. A deactivated organization is returned only
 * when there is no other.
 */
export async function findForSignIn(db: Db, email: string): Promise<SignInRow | undefined> {
  const [found] = await rows<SignInRow>(
    db,
    `select u.id as "userId", u.name, u.email, u.password_hash as "passwordHash", o.id as "organizationId",
            o.name as "organizationName", m.role, o.deactivated_at is not null as deactivated
       from users u join members m on m.user_id = u.id join organizations o on o.id = m.organization_id
      where lower(u.email) = lower(:email)
      order by o.deactivated_at is not null, m.created_at, o.id limit 1`,
    { email },
  )
  return found
}

/** Returns the password of a member, or undefined when the person has left the organization. */
export async function findCredentials(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<Credentials | undefined> {
  const [found] = await rows<Credentials>(
    db,
    `select u.id as "userId", u.name, u.email, u.password_hash as "passwordHash", o.name as "organizationName"
       from members m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
      where m.organization_id = :organizationId and m.user_id = :userId`,
    { organizationId, userId },
  )
  return found
}
