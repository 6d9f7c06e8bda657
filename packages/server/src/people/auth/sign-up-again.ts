import { type Contract, products } from '@msgctl/contract'
import { isPassword } from '#api/access/password.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { foundFor } from '#people/organizations/create.ts'
import { hasOrganization } from '#people/organizations/member-store.ts'
import { type Account, findAccountByEmail, lockUser } from '#people/organizations/user-store.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { clearAttempts, comparePassword } from './attempts.ts'
import { startSession } from './session.ts'
import { findMemberForSignIn } from './store.ts'
import { checkSecondStep } from './two-factor/second-step.ts'
import { findTwoFactor } from './two-factor/store.ts'

type SignUp = Request<Contract['auth']['signUp']>

/**
 * Founds an organization for a known person who is in none any more and gives the right password, and the code while
 * two steps are on. Wrong passwords count like those of a sign-in. Returns null for an unknown address. Throws CONFLICT
 * for a person with an organization and for a wrong password.
 */
export async function signUpAgain({ body, origin }: SignUp, services: Services) {
  const { db } = services
  const account = await findAccountByEmail(db, body.email)
  if (!account) return null
  if (await hasOrganization(db, account.id)) throw emailTaken()
  const twoFactor = await requireOwner(services, account, body)
  return transaction(db, async (trx) => {
    if (!(await lockUser(trx, account.id)) || (await hasOrganization(trx, account.id))) throw emailTaken()
    const organizationId = await foundFor(trx, account.id, {
      organizationName: body.organizationName,
      products: body.products ?? products,
      granted: false,
    })
    const person = await findMemberForSignIn(trx, organizationId, account.id)
    if (!person) throw new Error('a founded organization has no owner')
    await recordActivity(trx, {
      organizationId,
      actor: toActor({ kind: 'user', userId: account.id, containerId: null, origin }),
      action: 'organization.signed_up',
    })
    return startSession(trx, services, person, { origin, twoFactor })
  })
}

/** Requires password and second step of an account. Returns whether there was a second step. */
async function requireOwner(
  services: Services,
  { id, email, passwordHash }: Account,
  { password, code }: SignUp['body'],
): Promise<boolean> {
  const { db } = services
  if (!(await comparePassword(db, email, () => isPassword(passwordHash, password)))) throw emailTaken()
  await clearAttempts(db, email)
  if (!(await findTwoFactor(db, id))?.enabledAt) return false
  await checkSecondStep(services, id, { code })
  return true
}

/** Returns the error for an address that is known. */
export function emailTaken() {
  return apiError('CONFLICT', 'This e-mail address is known already. Sign in.', { reason: 'email_taken' })
}
