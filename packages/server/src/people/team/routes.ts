import { type Contract, limits } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Handlers } from '#api/http/handler.ts'
import { personOf } from '#people/auth/sessions.ts'
import { deleteMember } from '#people/organizations/member-store.ts'
import { lockOrganization, putMember } from '#people/organizations/store.ts'
import { findUser, lockUser, writeEmailVerified } from '#people/organizations/user-store.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { enter } from './enter.ts'
import { inviteInvalid, lastOrganization, noSuchMember, notOwner } from './errors.ts'
import { findInvitation, listInvitations } from './invitation-store.ts'
import { cancelInvitation, invite, resendInvitation, toInvitation } from './invite.ts'
import { findTeamMember, listOwn, listTeam, type TeamMember } from './store.ts'

export const teamHandlers = {
  async list({ caller }, { db }) {
    const [members, invitations] = await Promise.all([
      listTeam(db, caller.organizationId),
      caller.role === 'member' ? [] : listInvitations(db, caller.organizationId),
    ])
    return { members: members.map(toMember), invitations: invitations.map(toInvitation), limit: limits.team }
  },

  invite,
  resendInvitation,
  cancelInvitation,

  async acceptInvitation({ caller, body }, { db }) {
    const userId = personOf(caller)
    const invitation = await findInvitation(db, hashCredential(body.token))
    if (!invitation) throw inviteInvalid()
    const person = await findUser(db, userId)
    if (person?.email.toLowerCase() !== invitation.email.toLowerCase()) {
      throw apiError('INVITE_EMAIL_MISMATCH', 'This invitation is for another e-mail address. Sign in with that one.')
    }
    await transaction(db, async (trx) => {
      await enter(trx, invitation, userId, caller.origin)
      if (invitation.delivery === 'mail') await writeEmailVerified(trx, userId)
    })
    const { organizationId: id, organizationName: name, role } = invitation
    return { organization: { id, name }, role }
  },

  async changeRole({ caller, params, body }, { db }) {
    const { organizationId } = caller
    const { role } = body
    return transaction(db, async (trx) => {
      await lockOrganization(trx, organizationId)
      if ((await findTeamMember(trx, organizationId, personOf(caller)))?.role !== 'owner')
        throw notOwner('change roles')
      const before = await findTeamMember(trx, organizationId, params.userId)
      if (!before) throw noSuchMember()
      if (before.role === 'owner') {
        throw apiError('OWNER_ROLE_FIXED', 'The owner stays owner. Transfer the organization instead.')
      }
      await putMember(trx, organizationId, before.id, role)
      const details = { from: before.role, to: role }
      const action = 'member.role_changed'
      await recordActivity(trx, { organizationId, actor: toActor(caller), action, subject: before.id, details })
      return { member: toMember({ ...before, role }) }
    })
  },

  async remove({ caller, params }, { db }) {
    const { organizationId } = caller
    if (params.userId === caller.userId) {
      throw apiError('USE_LEAVE', 'To remove yourself, leave the organization: POST /team/leave.')
    }
    return transaction(db, async (trx) => {
      await lockOrganization(trx, organizationId)
      const member = await findTeamMember(trx, organizationId, params.userId)
      if (!member) throw noSuchMember()
      if (member.role === 'owner') throw apiError('CANNOT_REMOVE_OWNER', 'The owner cannot be removed.')
      const own = await findTeamMember(trx, organizationId, personOf(caller))
      if (member.role === 'admin' && own?.role !== 'owner') throw notOwner('remove an admin')
      await deleteMember(trx, organizationId, member.id, toActor(caller))
      const details = { email: member.email, role: member.role }
      const action = 'member.removed'
      await recordActivity(trx, { organizationId, actor: toActor(caller), action, subject: member.id, details })
      return {}
    })
  },

  async leave({ caller }, { db }) {
    const { organizationId } = caller
    const userId = personOf(caller)
    return transaction(db, async (trx) => {
      await lockOrganization(trx, organizationId)
      await lockUser(trx, userId)
      if ((await findTeamMember(trx, organizationId, userId))?.role === 'owner') {
        throw apiError('OWNER_CANNOT_LEAVE', 'The owner cannot leave. Transfer the organization first.')
      }
      if ((await listOwn(trx, userId)).length < 2) {
        throw lastOrganization('Join or found another one first.')
      }
      await deleteMember(trx, organizationId, userId, toActor(caller))
      await recordActivity(trx, { organizationId, actor: toActor(caller), action: 'member.left', subject: userId })
      return {}
    })
  },
} satisfies Handlers<Contract['team']>

function toMember({ joinedAt, lastSeenAt, ...member }: TeamMember) {
  return { ...member, joinedAt: joinedAt.toISOString(), lastSeenAt: lastSeenAt?.toISOString() ?? null }
}
