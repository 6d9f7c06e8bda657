import type { Contract } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { byEmail, limitReached } from '#api/access/limit-key.ts'
import { takeLink } from '#api/access/link-store.ts'
import { recordForPerson } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { findUser, lockUser, writeEmailVerified } from '#people/organizations/user-store.ts'
import { transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { incrementAttempts } from './attempt-store.ts'
import { limitAddress, publicLimit } from './attempts.ts'
import { mailsPerHour } from './forgot-password.ts'
import { mailVerification } from './links.ts'
import { invalidLink } from './reset-by-link.ts'
import { sessionEnded } from './session-ended.ts'

const hourSeconds = 3600

/** Mails the signed-in person a link that confirms their address. Throws RATE_LIMIT past three mails an hour. */
export async function sendVerification({ caller }: Request<Contract['auth']['sendVerification']>, services: Services) {
  const { db } = services
  const person = caller.userId === null ? undefined : await findUser(db, caller.userId)
  if (!person) throw sessionEnded()
  const key = byEmail('verification mails', person.email)
  const { attempts, retryAfterSeconds } = await incrementAttempts(db, key, hourSeconds)
  if (attempts > mailsPerHour) {
    throw limitReached(key, `Too many mails to this address. Try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    })
  }
  await transaction(db, (trx) => mailVerification(trx, services, person))
  return {}
}

/** Confirms an address by the link of a mail. Throws INVALID_LINK. */
export async function verifyEmail({ body, ip, origin }: Request<Contract['auth']['verifyEmail']>, { db }: Services) {
  await limitAddress(db, ip, publicLimit('confirmations'))
  await transaction(db, async (trx) => {
    const link = await takeLink(trx, 'verify', hashCredential(body.token))
    const person = link && (await lockUser(trx, link.userId))
    if (!person) throw invalidLink()
    await writeEmailVerified(trx, person.id)
    await recordForPerson(trx, person.id, { origin, action: 'email.verified' })
  })
  return {}
}
