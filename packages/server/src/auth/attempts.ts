import { limits } from '@msgctl/contract'
import type { Db } from '../db/db.ts'
import { apiError } from '../errors.ts'
import { networkOf } from '../http/client-ip.ts'
import { decrementAttempts, deleteAttempts, incrementAttempts } from './attempt-store.ts'

const { wrongPasswords, lockSeconds } = limits.signIn

/** How many attempts one address has in a window, and what they are called in the message. */
export interface AddressLimit {
  readonly what: 'sign-ins' | 'sign-ups'
  readonly attempts: number
  readonly windowSeconds: number
}

/** Counts an attempt of this address. Throws RATE_LIMIT past the limit; refused attempts do not prolong the window. */
export async function limitAddress(db: Db, ip: string, { what, attempts, windowSeconds }: AddressLimit): Promise<void> {
  const counted = await incrementAttempts(db, `${what} from ${networkOf(ip)}`, windowSeconds)
  if (counted.attempts <= attempts) return
  const { retryAfterSeconds } = counted
  throw apiError('RATE_LIMIT', `Too many ${what} from this address. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

/**
 * Counts a try at the password of this e-mail before the comparison, so that parallel guesses get ten in all. Throws
 * TOO_MANY_LOGIN_ATTEMPTS while it is locked. Unknown addresses are counted too: a lock that only known ones get would
 * tell which are known.
 */
export async function countAttempt(db: Db, email: string): Promise<void> {
  const { attempts, retryAfterSeconds } = await incrementAttempts(db, triesAt(email), lockSeconds, wrongPasswords)
  if (attempts <= wrongPasswords) return
  throw apiError('TOO_MANY_LOGIN_ATTEMPTS', `Too many wrong passwords. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

/** Takes back a try that came to no comparison. */
export async function refundAttempt(db: Db, email: string): Promise<void> {
  await decrementAttempts(db, triesAt(email))
}

/** Forgets the tries at the password of this e-mail: the right one was given. */
export async function clearAttempts(db: Db, email: string): Promise<void> {
  await deleteAttempts(db, triesAt(email))
}

function triesAt(email: string): string {
  return `wrong passwords of ${email}`
}
