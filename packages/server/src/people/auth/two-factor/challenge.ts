import type { Contract } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { attemptChallenge, insertChallenge, takeChallenge } from '#api/access/challenge-store.ts'
import type { Request } from '#api/http/handler.ts'
import { limitAddress, publicLimit } from '#people/auth/attempts.ts'
import { newLinkToken } from '#people/auth/links.ts'
import { startSession } from '#people/auth/session.ts'
import { findMemberForSignIn, type SignInRow } from '#people/auth/store.ts'
import { enterInvited, requireEntry } from '#people/team/enter.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { checkSecondStep } from './second-step.ts'

const challengeMinutes = 5
const attemptsPerChallenge = 5

/**
 * Creates a challenge for the second step of a sign-in. Nothing of the person is revealed before that. With
 * `invitationId` the second step uses the invitation, which makes the person a member.
 */
export async function startChallenge(
  trx: Db,
  { userId, organizationId }: Pick<SignInRow, 'userId' | 'organizationId'>,
  invitationId: string | null = null,
) {
  const challenge = newLinkToken()
  const expiresAt = await insertChallenge(trx, {
    hash: hashCredential(challenge),
    userId,
    organizationId,
    invitationId,
    minutes: challengeMinutes,
  })
  return { twoFactorRequired: true as const, challenge, expiresAt: expiresAt.toISOString() }
}

/**
 * Completes a sign-in: a session is made only now, and an invitation is used only now. Throws
 * TWO_FACTOR_CODE_INVALID, TWO_FACTOR_CHALLENGE_EXPIRED, TOO_MANY_LOGIN_ATTEMPTS and RATE_LIMIT, and for an invitation
 * INVITE_INVALID, ALREADY_MEMBER and TEAM_FULL.
 */
export async function secondStep({ body, ip, origin }: Request<Contract['auth']['secondStep']>, services: Services) {
  const { db } = services
  await limitAddress(db, ip, publicLimit('codes'))
  const hash = hashCredential(body.challenge)
  const challenge = await attemptChallenge(db, hash, attemptsPerChallenge)
  if (!challenge) throw challengeExpired()
  const { userId, organizationId, invitationId, attempts } = challenge
  // A code works once: a join that cannot succeed uses none.
  if (invitationId !== null) await requireEntry(db, { organizationId, invitationId, userId })
  // Two steps were turned off since: the password alone signs in now.
  await checkSecondStep(services, userId, body, { left: attemptsPerChallenge - attempts, whenOff: challengeExpired })
  return transaction(db, async (trx) => {
    if (!(await takeChallenge(trx, hash))) throw challengeExpired()
    if (invitationId !== null) await enterInvited(trx, { organizationId, invitationId, userId }, origin)
    const person = await findMemberForSignIn(trx, organizationId, userId)
    if (!person) throw challengeExpired()
    if (person.deactivated) {
      throw apiError('ACCOUNT_DEACTIVATED', 'This organization is deactivated. Write to the operator of the service.')
    }
    return startSession(trx, services, person, { origin, twoFactor: true })
  })
}

function challengeExpired() {
  return apiError('TWO_FACTOR_CHALLENGE_EXPIRED', 'This sign-in has expired. Start again with your password.')
}
