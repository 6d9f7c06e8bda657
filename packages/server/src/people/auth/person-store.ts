import type { Role } from '@msgctl/contract'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** A person as the operator sees them. */
export interface PersonDetails extends Pick<Row<'users'>, 'id' | 'name' | 'email' | 'emailVerifiedAt' | 'createdAt'> {
  readonly hasPassword: boolean
  readonly twoFactorSince: Date | null
  readonly recoveryCodesLeft: number
  readonly sessions: number
}

/** Returns the person with this e-mail, or undefined. */
export async function findPerson(db: Db, email: string): Promise<PersonDetails | undefined> {
  return firstRow<PersonDetails>(
    db,
    `select u.id, u.name, u.email, u.email_verified_at,
            u.password_hash is not null as has_password, f.enabled_at as two_factor_since, u.created_at,
            (select count(*) from recovery_codes c where c.user_id = u.id and c.used_at is null) as recovery_codes_left,
            (select count(*) from user_tokens t
              where t.user_id = u.id and t.expires_at > (select service_now())
                and t.last_used_at > (select service_now()) - interval '12 h') as sessions
       from users u left join user_two_factor f on f.user_id = u.id
      where lower(u.email) = lower(:email)`,
    { email },
  )
}

/** An organization of a person, deleted ones too. */
export interface Membership {
  readonly organizationId: string
  readonly name: string
  readonly role: Role
  readonly isDeleted: boolean
}

/** Returns all organizations of a person, in the order in which they joined. */
export async function listMemberships(db: Db, userId: string): Promise<Membership[]> {
  return rows<Membership>(
    db,
    `select o.id as organization_id, o.name, m.role, o.deleted_at is not null as is_deleted
       from members m join organizations o on o.id = m.organization_id
      where m.user_id = :userId order by m.created_at, o.id`,
    { userId },
  )
}
