import { type Contract, limits } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { endAccess } from '#api/access/end-access.ts'
import { deleteVerification } from '#api/access/link-store.ts'
import { hashPassword, isPassword } from '#api/access/password.ts'
import type { Origin, Request } from '#api/http/handler.ts'
import { clearAttempts, comparePassword, limitAddress, publicLimit } from '#people/auth/attempts.ts'
import { requireUnguessable } from '#people/auth/password-rules.ts'
import { startSession } from '#people/auth/session.ts'
import { findMemberForSignIn } from '#people/auth/store.ts'
import { startChallenge } from '#people/auth/two-factor/challenge.ts'
import { disable, findTwoFactor } from '#people/auth/two-factor/store.ts'
import { lockOrganization } from '#people/organizations/store.ts'
import {
  type Account,
  findAccountByEmail,
  insertUser,
  lockUser,
  writeEmailVerified,
  writeName,
  writePassword,
} from '#people/organizations/user-store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError, invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { enter, requireSeat } from './enter.ts'
import { inviteInvalid } from './errors.ts'
import { findInvitation, type Invitation } from './invitation-store.ts'

type Join = Request<Contract['auth']['join']>

/** Returns what an invitation is for. Throws INVITE_INVALID. */
export async function readInvitation({ body, ip }: Request<Contract['auth']['invitation']>, { db }: Services) {
  await limitAddress(db, ip, publicLimit('invitations'))
  const found = await findInvitation(db, hashCredential(body.token))
  if (!found) throw inviteInvalid()
  const account = await findAccountByEmail(db, found.email)
  return {
    organizationName: found.organizationName,
    email: found.email,
    role: found.role,
    invitedBy: found.inviterName,
    expiresAt: found.expiresAt.toISOString(),
    registered: account !== undefined && mustGivePassword(found, account),
  }
}

/**
 * Joins by an invitation. Only the link of a mail proves the mailbox: then the receiver takes over an account that
 * never did so, and every earlier session of it ends. Any other account gives its password. With two-step sign-in the
 * second step joins: until then the invitation stays open, and the person is no member.
 */
export async function join(request: Join, services: Services) {
  const { db } = services
  await limitAddress(db, request.ip, publicLimit('joins'))
  const invitation = await findInvitation(db, hashCredential(request.body.token))
  if (!invitation) throw inviteInvalid()
  const account = await findAccountByEmail(db, invitation.email)
  const joined =
    account && mustGivePassword(invitation, account)
      ? await joinWithPassword(request, services, invitation, account)
      : await joinByProof(request, services, invitation, account)
  crashPoint('join.committed')
  return joined
}

function mustGivePassword({ delivery }: Invitation, { emailVerified, passwordHash }: Account): boolean {
  return delivery === 'shown' || (emailVerified && passwordHash !== null)
}

async function joinWithPassword(
  { body, origin }: Join,
  services: Services,
  invitation: Invitation,
  { id, email, passwordHash }: Account,
) {
  const { db } = services
  if (!(await comparePassword(db, email, () => isPassword(passwordHash, body.password)))) {
    throw apiError('AUTH_ERROR', 'The password of this account is wrong.', { reason: 'invalid_credentials' })
  }
  await clearAttempts(db, email)
  return transaction(db, async (trx) => {
    const { organizationId, deactivated } = invitation
    if (deactivated) {
      throw apiError('ACCOUNT_DEACTIVATED', 'This organization is deactivated. Write to the operator of the service.')
    }
    if ((await findTwoFactor(trx, id))?.enabledAt) {
      await requireSeat(trx, organizationId, id)
      return startChallenge(trx, { userId: id, organizationId }, invitation.id)
    }
    await enter(trx, invitation, id, origin)
    const person = await findMemberForSignIn(trx, organizationId, id)
    if (!person) throw inviteInvalid()
    return startSession(trx, services, person, { origin, twoFactor: false })
  })
}

/** Sets name and password, removes two steps that were set before the proof, and ends every session of the address. */
async function joinByProof({ body, origin }: Join, services: Services, invitation: Invitation, account?: Account) {
  const name = body.name ?? account?.name
  if (name === undefined) throw invalidField('name', 'is required for a new account', 'required')
  if (body.password.length < limits.password.min) {
    throw invalidField('password', `must have at least ${limits.password.min} characters`)
  }
  requireUnguessable('password', body.password, [invitation.email, name, invitation.organizationName])
  const passwordHash = await hashPassword(body.password)
  return transaction(services.db, async (trx) => {
    const id = account?.id ?? newId()
    await lockOrganization(trx, invitation.organizationId)
    if (account) await takeOver(trx, id, { name, passwordHash, origin })
    else if (!(await insertUser(trx, { id, name, email: invitation.email, passwordHash }))) throw inviteInvalid()
    if (invitation.delivery === 'mail') await writeEmailVerified(trx, id)
    await enter(trx, invitation, id, origin)
    const person = await findMemberForSignIn(trx, invitation.organizationId, id)
    if (!person) throw inviteInvalid()
    const session = await startSession(trx, services, person, { origin, twoFactor: false })
    crashPoint('join.before-commit')
    return session
  })
}

async function takeOver(
  trx: Db,
  id: string,
  { name, passwordHash, origin }: { readonly name: string; readonly passwordHash: string; readonly origin: Origin },
): Promise<void> {
  await lockUser(trx, id)
  await writeName(trx, id, name)
  await writePassword(trx, id, passwordHash)
  await disable(trx, id)
  await endAccess(trx, { userId: id, organizationId: null, by: { kind: 'user', id, origin } })
  await deleteVerification(trx, id)
}
