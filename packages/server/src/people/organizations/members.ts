import type { Role } from '@msgctl/contract'
import { operator } from '#api/activity/log.ts'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { changeOrganization } from './change.ts'
import { deleteMember, findMember, lockPerson, type MemberRow } from './member-store.ts'
import { newPassword } from './password.ts'
import { Refusal } from './refusal.ts'
import { putMember } from './store.ts'
import { insertUser } from './user-store.ts'

/** The roles that can be given. The owner of an organization cannot change. */
export type GivenRole = Exclude<Role, 'owner'>

/** A person who was added. */
export interface Joined {
  readonly userId: string
  readonly email: string
  readonly role: GivenRole
  /** The password of a new person, which is shown this once; null for a known one, and without a password. */
  readonly password: string | null
  readonly isNew: boolean
}

/** The person that the operator adds. */
export interface NewMember {
  readonly email: string
  /** Required for a new person. */
  readonly name: string | null
  readonly role: GivenRole
  /** True: a new person sets their password by a link. */
  readonly withoutPassword?: boolean
}

/** Adds a person to an organization. Throws {@link Refusal} for a member, and for a new person without a name. */
export async function addMember(db: Db, organizationId: string, wanted: NewMember): Promise<Joined> {
  // Outside of the transaction, because hashing is slow.
  const secret = wanted.withoutPassword ? { password: null, passwordHash: null } : await newPassword()
  return changeOrganization(db, organizationId, async (trx) => {
    const known = await lockPerson(trx, wanted.email)
    if (known && (await findMember(trx, organizationId, known.email))) {
      throw new Refusal(`${known.email} is a member already. Change the role with msgctl-server org member role.`)
    }
    const { role } = wanted
    const joined = known
      ? { userId: known.id, email: known.email, role, password: null, isNew: false }
      : await newcomer(trx, wanted, secret)
    await putMember(trx, organizationId, joined.userId, role)
    const details = { email: joined.email, role }
    return { action: 'member.added', subject: joined.userId, details, result: joined }
  })
}

async function newcomer(
  trx: Db,
  { email, name, role }: NewMember,
  { password, passwordHash }: { password: string | null; passwordHash: string | null },
): Promise<Joined> {
  if (name === null) throw new Refusal(`${email} is not known yet. Give a name with --name.`)
  const userId = newId()
  if (!(await insertUser(trx, { id: userId, name, email, passwordHash }))) {
    throw new Refusal(`${email} was added by another command just now. Try again.`)
  }
  return { userId, email, role, password, isNew: true }
}

/** Changes the role of a member. Throws {@link Refusal} for the owner and for a person who is not a member. */
export async function changeRole(db: Db, organizationId: string, email: string, role: Role): Promise<void> {
  if (role === 'owner') throw new Refusal('The owner of an organization cannot change. Give admin or member.')
  await changeOrganization(db, organizationId, async (trx) => {
    const member = await requireChangeable(trx, organizationId, email)
    await putMember(trx, organizationId, member.id, role)
    return { action: 'member.role_changed', subject: member.id, details: { email, role }, result: undefined }
  })
}

/**
 * Removes a member and ends their sessions. Throws {@link Refusal} for the owner and for a person who is not a member.
 */
export async function removeMember(db: Db, organizationId: string, email: string): Promise<void> {
  await changeOrganization(db, organizationId, async (trx) => {
    const member = await requireChangeable(trx, organizationId, email)
    await deleteMember(trx, organizationId, member.id, operator)
    return { action: 'member.removed', subject: member.id, details: { email }, result: undefined }
  })
}

/** Returns the member with this e-mail. Throws {@link Refusal} when there is none. */
export async function requireMember(trx: Db, organizationId: string, email: string): Promise<MemberRow> {
  const member = await findMember(trx, organizationId, email)
  if (!member) throw new Refusal(`${email} is not a member of this organization. See msgctl-server org show.`)
  return member
}

async function requireChangeable(trx: Db, organizationId: string, email: string): Promise<MemberRow> {
  const member = await requireMember(trx, organizationId, email)
  if (member.role === 'owner') {
    throw new Refusal(`${email} is the owner. The owner of an organization cannot change or be removed.`)
  }
  return member
}
