import { type Contract, products } from '@msgctl/contract'
import { byEmail } from '#api/access/limit-key.ts'
import { hashPassword } from '#api/access/password.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { foundOrganization } from '#people/organizations/create.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { incrementAttempts } from './attempt-store.ts'
import { limitAddress } from './attempts.ts'
import { mailVerification } from './links.ts'
import { requireUnguessable } from './password-rules.ts'
import { emailTaken, signUpAgain } from './sign-up-again.ts'
import { issueToken } from './token.ts'

type SignUp = Request<Contract['auth']['signUp']>
const hourSeconds = 3600

/**
 * Creates a person and an organization on trial. A known person without an organization founds one with their password.
 * Throws SIGNUP_DISABLED when it is closed by setting, RATE_LIMIT for too many from one address, CONFLICT for a known
 * e-mail.
 */
export async function signUp(request: SignUp, services: Services) {
  const { body, ip } = request
  const { db, config } = services
  if (config.signUp === 'closed')
    throw apiError('SIGNUP_DISABLED', 'Sign-up is closed. Ask the operator of the service.')
  // 0 means no limit.
  if (config.signUpPerHour > 0) {
    await limitAddress(db, ip, { what: 'sign-ups', attempts: config.signUpPerHour, windowSeconds: hourSeconds })
  }
  requireUnguessable('password', body.password, [body.email, body.name, body.organizationName])
  return (await signUpAgain(request, services)) ?? (await signUpNew(request, services))
}

async function signUpNew({ body, origin }: SignUp, services: Services) {
  const passwordHash = await hashPassword(body.password)
  return transaction(services.db, async (trx) => {
    const founded = await foundOrganization(trx, {
      organizationName: body.organizationName,
      products: body.products ?? products,
      granted: false,
      owner: { name: body.name, email: body.email, passwordHash },
    })
    if (!founded) throw emailTaken()
    const { organizationId, owner } = founded
    await recordActivity(trx, {
      organizationId,
      actor: toActor({ kind: 'user', userId: owner.id, containerId: null, origin }),
      action: 'organization.signed_up',
    })
    await incrementAttempts(trx, byEmail('verification mails', owner.email), hourSeconds)
    await mailVerification(trx, services, owner)
    return issueToken(trx, owner, { id: organizationId, name: body.organizationName }, 'owner', { origin })
  })
}
