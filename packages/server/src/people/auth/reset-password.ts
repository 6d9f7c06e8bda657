import { endAccess } from '#api/access/end-access.ts'
import { operator } from '#api/activity/log.ts'
import { changeOrganization } from '#people/organizations/change.ts'
import { requireMember } from '#people/organizations/members.ts'
import { newPassword } from '#people/organizations/password.ts'
import { writePassword } from '#people/organizations/user-store.ts'
import type { Db } from '#platform/db/db.ts'
import { clearAttempts } from './attempts.ts'

/** The new password of a member, which is shown once. */
export interface NewPassword {
  readonly email: string
  readonly password: string
  /** Sessions of the person that ended, in all organizations. */
  readonly ended: number
}

/**
 * Sets a generated password for a member, also for the owner, ends all access of the person and lifts the lock after
 * wrong passwords. Throws Refusal when there is no such member.
 */
export async function resetPassword(db: Db, organizationId: string, email: string): Promise<NewPassword> {
  const { password, passwordHash } = await newPassword()
  return changeOrganization(db, organizationId, async (trx) => {
    const member = await requireMember(trx, organizationId, email)
    await writePassword(trx, member.id, passwordHash)
    const { sessions: ended } = await endAccess(trx, { userId: member.id, organizationId: null, by: operator })
    await clearAttempts(trx, email)
    return {
      action: 'member.password_reset',
      subject: member.id,
      details: { email, ended },
      result: { email, password, ended },
    }
  })
}
