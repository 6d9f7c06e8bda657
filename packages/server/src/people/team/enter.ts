import { limits } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Origin } from '#api/http/handler.ts'
import { lockOrganization, putMember } from '#people/organizations/store.ts'
import type { Db } from '#platform/db/db.ts'
import { alreadyMember, inviteInvalid, teamFull } from './errors.ts'
import { findOpenInvitation, type Invitation, takeInvitation } from './invitation-store.ts'
import { countTeam, findTeamMember } from './store.ts'

/** Makes a person a member by an invitation. Throws INVITE_INVALID, ALREADY_MEMBER and TEAM_FULL. */
export async function enter(
  trx: Db,
  { id, organizationId, role }: Invitation,
  userId: string,
  origin: Origin | undefined,
): Promise<void> {
  await lockOrganization(trx, organizationId)
  if (!(await takeInvitation(trx, organizationId, id))) throw inviteInvalid()
  await requireSeat(trx, organizationId, userId)
  await putMember(trx, organizationId, userId, role)
  await recordActivity(trx, {
    organizationId,
    actor: toActor({ kind: 'user', userId, containerId: null, ...(origin && { origin }) }),
    action: 'member.joined',
    subject: userId,
    details: { role },
  })
}

/** A person and the invitation of an earlier step. */
interface Invited {
  readonly organizationId: string
  readonly invitationId: string
  readonly userId: string
}

/** Makes a person a member by an invitation of an earlier step. Throws like {@link enter}. */
export async function enterInvited(trx: Db, invited: Invited, origin: Origin): Promise<void> {
  await enter(trx, await requireOpen(trx, invited), invited.userId, origin)
}

/** Throws like {@link enterInvited} when a person could not enter now. */
export async function requireEntry(db: Db, invited: Invited): Promise<void> {
  await requireOpen(db, invited)
  await requireSeat(db, invited.organizationId, invited.userId)
}

async function requireOpen(db: Db, { organizationId, invitationId }: Invited): Promise<Invitation> {
  const invitation = await findOpenInvitation(db, organizationId, invitationId)
  if (!invitation) throw inviteInvalid()
  return invitation
}

/** Throws ALREADY_MEMBER or TEAM_FULL when a person cannot become a member. */
export async function requireSeat(trx: Db, organizationId: string, userId: string): Promise<void> {
  if (await findTeamMember(trx, organizationId, userId)) throw alreadyMember()
  if ((await countTeam(trx, organizationId)).members >= limits.team) throw teamFull()
}
