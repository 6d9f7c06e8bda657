import { type Contract, limits } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { byOrganization, limitReached } from '#api/access/limit-key.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Request } from '#api/http/handler.ts'
import { newLinkToken } from '#people/auth/links.ts'
import { personOf } from '#people/auth/sessions.ts'
import { findMember } from '#people/organizations/member-store.ts'
import type { GivenRole } from '#people/organizations/members.ts'
import { lockOrganization } from '#people/organizations/store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError } from '#platform/errors.ts'
import { accountLink } from '#platform/mail/links.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Services } from '#services.ts'
import { alreadyMember, notOwner, teamFull } from './errors.ts'
import {
  cancelInvitationOf,
  findInvitation,
  type Invitation,
  insertInvitation,
  listInvitations,
  secondsToInvite,
} from './invitation-store.ts'
import { countTeam } from './store.ts'

const invitationDays = 7
/** Invitations that an organization may send: with a granted product, and without. */
const quotas = {
  granted: { attempts: 100, windowSeconds: 3600 },
  others: { attempts: 20, windowSeconds: 86_400 },
} as const

/** Throws RATE_LIMIT when an organization has sent too many invitations in the time before. Lock it first. */
async function limitInvitations(trx: Db, { organizationId, trial }: Caller): Promise<void> {
  const { attempts, windowSeconds } = quotas[trial ? 'others' : 'granted']
  const retryAfterSeconds = await secondsToInvite(trx, organizationId, attempts, windowSeconds)
  if (retryAfterSeconds === null) return
  const key = byOrganization('sent invitations', organizationId)
  throw limitReached(key, `Too many invitations. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
}

interface Wanted {
  readonly email: string
  readonly role: GivenRole
  readonly action: string
}

async function sendInvitation(trx: Db, services: Services, caller: Caller, { email, role, action }: Wanted) {
  const { organizationId } = caller
  if (role === 'admin' && caller.role !== 'owner') throw notOwner('invite an admin')
  await limitInvitations(trx, caller)
  await cancelInvitationOf(trx, organizationId, email)
  if ((await countTeam(trx, organizationId)).seats >= limits.team) throw teamFull()
  const token = newLinkToken()
  const tokenHash = hashCredential(token)
  await insertInvitation(trx, {
    id: newId(),
    organizationId,
    email,
    role,
    delivery: services.mailer.kind === 'none' ? 'shown' : 'mail',
    tokenHash,
    invitedBy: personOf(caller),
    days: invitationDays,
  })
  const made = await findInvitation(trx, tokenHash)
  // The role of the caller changed since it was read.
  if (!made) throw notOwner('invite now')
  const link = accountLink(services.config, 'join', token)
  const facts = { organization: made.organizationName, inviter: made.inviterName, role, link }
  const isMailed = await queueMail(trx, services, { to: email, kind: 'invite', facts, organizationId })
  const details = { email, role }
  await recordActivity(trx, { organizationId, actor: toActor(caller), action, subject: made.id, details })
  return { invitation: toInvitation(made), ...(!isMailed && { link }) }
}

/** Invites a person. Throws ALREADY_MEMBER, TEAM_FULL, NOT_OWNER and RATE_LIMIT. */
export async function invite({ caller, body }: Request<Contract['team']['invite']>, services: Services) {
  const invited = await transaction(services.db, async (trx) => {
    await lockOrganization(trx, caller.organizationId)
    if (await findMember(trx, caller.organizationId, body.email)) throw alreadyMember()
    const made = await sendInvitation(trx, services, caller, { ...body, action: 'invitation.created' })
    crashPoint('invite.before-commit')
    return made
  })
  crashPoint('invite.committed')
  return invited
}

/** Sends an invitation again with a new link. Throws NOT_FOUND, NOT_OWNER and RATE_LIMIT. */
export async function resendInvitation(
  { caller, params }: Request<Contract['team']['resendInvitation']>,
  services: Services,
) {
  return transaction(services.db, async (trx) => {
    const { email, role } = await requireInvitation(trx, caller.organizationId, params.invitationId)
    return sendInvitation(trx, services, caller, { email, role, action: 'invitation.resent' })
  })
}

/** Cancels an open invitation. Throws NOT_FOUND. */
export async function cancelInvitation(
  { caller, params }: Request<Contract['team']['cancelInvitation']>,
  { db }: Services,
) {
  const { organizationId } = caller
  return transaction(db, async (trx) => {
    const { id, email } = await requireInvitation(trx, organizationId, params.invitationId)
    await cancelInvitationOf(trx, organizationId, email)
    const details = { email }
    const action = 'invitation.cancelled'
    await recordActivity(trx, { organizationId, actor: toActor(caller), action, subject: id, details })
    return {}
  })
}

/** Locks the organization and returns one of its open invitations. */
async function requireInvitation(trx: Db, organizationId: string, id: string): Promise<Invitation> {
  await lockOrganization(trx, organizationId)
  const found = (await listInvitations(trx, organizationId)).find((one) => one.id === id)
  if (!found) throw apiError('NOT_FOUND', 'There is no such open invitation.')
  return found
}

/** Returns an invitation as the API shows it. */
export function toInvitation({ id, email, role, createdAt, expiresAt }: Invitation) {
  return { id, email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}
