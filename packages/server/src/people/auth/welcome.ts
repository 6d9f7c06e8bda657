import type { Contract } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { putLink, takeLink } from '#api/access/link-store.ts'
import { lockSession } from '#api/access/token-store.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Handlers } from '#api/http/handler.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { limitAddress, publicLimit } from './attempts.ts'
import { newLinkToken } from './links.ts'
import { invalidLink } from './reset-by-link.ts'
import { startSession } from './session.ts'
import { sessionEnded } from './session-ended.ts'
import { personOf } from './sessions.ts'
import { findMemberForSignIn } from './store.ts'
import { startChallenge } from './two-factor/challenge.ts'

const welcomeMinutes = 15

/** Creates a code that signs a person in to the console once, for 15 minutes. An earlier one stops working. */
export async function createConsoleCode(trx: Db, userId: string, organizationId: string) {
  const code = newLinkToken()
  const link = {
    userId,
    organizationId,
    kind: 'welcome',
    tokenHash: hashCredential(code),
    minutes: welcomeMinutes,
  } as const
  const expiresAt = await putLink(trx, link)
  return { code, expiresAt: expiresAt.toISOString() }
}

/** The handlers of the codes that open the console. */
export const welcomeHandlers: Pick<Handlers<Contract['auth']>, 'consoleCode' | 'welcome'> = {
  consoleCode({ caller }, { db }) {
    const { organizationId } = caller
    return transaction(db, async (trx) => {
      if (!(await lockSession(trx, caller.credentialHash))) throw sessionEnded()
      const made = await createConsoleCode(trx, personOf(caller), organizationId)
      await recordActivity(trx, { organizationId, actor: toActor(caller), action: 'session.code_created' })
      return made
    })
  },

  async welcome({ body, ip, origin }, services) {
    const { db } = services
    await limitAddress(db, ip, publicLimit('welcome codes'))
    return transaction(db, async (trx) => {
      const link = await takeLink(trx, 'welcome', hashCredential(body.code))
      const person = link?.organizationId && (await findMemberForSignIn(trx, link.organizationId, link.userId))
      if (!person) throw invalidLink()
      if (person.deactivated) {
        throw apiError('ACCOUNT_DEACTIVATED', 'This organization is deactivated. Write to the operator of the service.')
      }
      // The code replaces the password, not the second step.
      if (person.twoFactor) return startChallenge(trx, person)
      return startSession(trx, services, person, { origin, twoFactor: false })
    })
  },
}
