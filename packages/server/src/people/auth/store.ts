import type { Role } from '@msgctl/contract'
import { type Db, firstRow } from '#platform/db/db.ts'

/** A person with their password, and one of their organizations. */
export interface Credentials {
  readonly userId: string
  readonly name: string
  readonly email: string
  /** Null until the person sets a password by a link. */
  readonly passwordHash: string | null
  readonly organizationName: string
}

/** A person who may sign in, with the organization that they are signed in to. */
export interface SignInRow extends Credentials {
  readonly organizationId: string
  readonly role: Role
  readonly deactivated: boolean
  /** Whether two-step sign-in is on. */
  readonly twoFactor: boolean
}

const signInColumns = `
  u.id as user_id, u.name, u.email, u.password_hash, o.id as organization_id,
  o.name as organization_name, m.role, o.deactivated_at is not null as deactivated,
  exists (select from user_two_factor f where f.user_id = u.id and f.enabled_at is not null) as two_factor`

/**
 * Returns the person with this e-mail and the organization of their last session, else the one joined first; never a
 * deleted one, and a deactivated one only when there is no other. With `organizationId` it is this one, or undefined.
 */
export async function findForSignIn(
  db: Db,
  email: string,
  organizationId: string | null,
): Promise<SignInRow | undefined> {
  return firstRow<SignInRow>(
    db,
    `select ${signInColumns}
       from users u join members m on m.user_id = u.id join organizations o on o.id = m.organization_id
      where lower(u.email) = lower(:email) and o.deleted_at is null
        and (:organizationId::uuid is null or o.id = :organizationId)
      order by o.deactivated_at is not null, m.last_session_at desc nulls last, m.created_at, o.id limit 1`,
    { email, organizationId },
  )
}

/** Returns a member as a person who signs in; undefined when they have left or the organization was deleted. */
export async function findMemberForSignIn(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<SignInRow | undefined> {
  return firstRow<SignInRow>(
    db,
    `select ${signInColumns}
       from members m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
      where m.organization_id = :organizationId and m.user_id = :userId and o.deleted_at is null`,
    { organizationId, userId },
  )
}

/** Returns the password of a member, or undefined when the person has left the organization. */
export async function findCredentials(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<Credentials | undefined> {
  return firstRow<Credentials>(
    db,
    `select u.id as user_id, u.name, u.email, u.password_hash, o.name as organization_name
       from members m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
      where m.organization_id = :organizationId and m.user_id = :userId`,
    { organizationId, userId },
  )
}
