import { limits } from '@msgctl/contract'
import { deleteExpiredChallenges } from '#api/access/challenge-store.ts'
import { type AddressLimitName, byAddress, byEmail, byPerson, limitReached } from '#api/access/limit-key.ts'
import { deleteExpiredLinks } from '#api/access/link-store.ts'
import { deleteExpiredTokens } from '#api/access/token-store.ts'
import type { Db } from '#platform/db/db.ts'
import {
  decrementAttempts,
  deleteAttempts,
  deleteEndedWindows,
  findFullWindow,
  incrementAttempts,
} from './attempt-store.ts'

const { wrongPasswords, lockSeconds } = limits.signIn

/** The attempts of one network address in a window. */
export interface AddressLimit {
  readonly what: AddressLimitName
  readonly attempts: number
  readonly windowSeconds: number
}

/** Returns the limit of a public route: 20 calls in 15 minutes, which it shares with no other. */
export function publicLimit(what: AddressLimitName): AddressLimit {
  return { what, attempts: limits.signIn.attemptsPerIp, windowSeconds: limits.signIn.windowSeconds }
}

/** Counts an attempt of this address. Throws RATE_LIMIT past the limit. Refused attempts do not prolong the window. */
export async function limitAddress(db: Db, ip: string, { what, attempts, windowSeconds }: AddressLimit): Promise<void> {
  const key = byAddress(what, ip)
  const counted = await incrementAttempts(db, key, windowSeconds)
  if (counted.attempts <= attempts) return
  const { retryAfterSeconds } = counted
  throw limitReached(key, `Too many ${what} from this address. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

/**
 * Counts an attempt at the password of this e-mail and returns what `compare` returns. Counting comes first, so that
 * parallel guesses get ten in all. Throws TOO_MANY_LOGIN_ATTEMPTS while the e-mail is locked. Unknown addresses are
 * counted too, since a lock for known ones only would reveal which are known.
 */
export async function comparePassword<T>(db: Db, email: string, compare: () => Promise<T>): Promise<T> {
  const key = byEmail('wrong passwords', email)
  const { attempts, retryAfterSeconds } = await incrementAttempts(db, key, lockSeconds, wrongPasswords)
  if (attempts > wrongPasswords) {
    throw limitReached(key, `Too many wrong passwords. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
  }
  try {
    return await compare()
  } catch (error) {
    // Nothing was compared. A failure of the service must not lock out a person who knows the password.
    await decrementAttempts(db, key).catch(() => undefined)
    throw error
  }
}

/** Returns until when wrong passwords lock the sign-in with this e-mail; null while it is not locked. */
export async function findLock(db: Db, email: string): Promise<Date | null> {
  return findFullWindow(db, byEmail('wrong passwords', email), wrongPasswords)
}

/** Deletes the attempts at the password of this e-mail, after the right one was given or a new one set. */
export async function clearAttempts(db: Db, email: string): Promise<void> {
  await deleteAttempts(db, byEmail('wrong passwords', email))
}

/** Deletes up to `limit` expired tokens, and as many attempt windows and links. Returns how many there were. */
export async function deleteExpiredSignIns(db: Db, limit = 5000): Promise<number> {
  const counts = [
    await deleteExpiredTokens(db, limit),
    await deleteEndedWindows(db, limit),
    await deleteExpiredLinks(db, limit),
    await deleteExpiredChallenges(db, limit),
  ]
  return counts.reduce((sum, count) => sum + count)
}

/** Deletes the windows that name a person. */
export async function eraseAttempts(
  db: Db,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  for (const limit of ['wrong passwords', 'reset mails', 'verification mails'] as const) {
    await deleteAttempts(db, byEmail(limit, email))
  }
  await deleteAttempts(db, byPerson('wrong codes', id))
}
