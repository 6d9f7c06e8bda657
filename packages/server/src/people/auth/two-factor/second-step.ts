import { limits } from '@msgctl/contract'
import { SecretsKeyMissing } from '@msgctl/network/secrets'
import { byPerson, limitReached } from '#api/access/limit-key.ts'
import { deleteAttempts, findFullWindow, incrementAttempts } from '#people/auth/attempt-store.ts'
import type { Db } from '#platform/db/db.ts'
import { type ApiError, apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { machineNowMs } from './machine-clock.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { findTwoFactor, takeRecoveryCode, takeStep } from './store.ts'
import { findStep } from './totp.ts'

const { wrongPasswords: wrongCodes, lockSeconds } = limits.signIn

/** A code of the authenticator, or a recovery code. */
export interface GivenCode {
  readonly code?: string | undefined
  readonly recoveryCode?: string | undefined
}

/** Returns where the secret of a person is stored, for its encryption. */
export function toSecretPlace(userId: string) {
  return `user_two_factor:secret:${userId}` as const
}

/** Decrypts the secret of a person. Throws SECRETS_KEY_MISSING when its key is gone. */
export function openSecret({ secrets }: Pick<Services, 'secrets'>, userId: string, sealed: string): Buffer {
  try {
    return Buffer.from(secrets.decrypt(sealed, toSecretPlace(userId)), 'base64')
  } catch (error) {
    if (!(error instanceof SecretsKeyMissing)) throw error
    throw apiError('SECRETS_KEY_MISSING', 'The secret of your authenticator cannot be read. Write to the operator.')
  }
}

/**
 * Runs `compare` as an attempt at the second step of a person. Attempts are counted before the comparison and across
 * requests: 10 wrong ones lock it for 15 minutes. Throws TOO_MANY_LOGIN_ATTEMPTS or TWO_FACTOR_CODE_INVALID with the
 * smaller of what is left for the person and `left`.
 */
export async function attemptSecondStep(
  { db }: Pick<Services, 'db'>,
  userId: string,
  compare: () => Promise<boolean>,
  left: number = wrongCodes,
): Promise<void> {
  const key = byPerson('wrong codes', userId)
  const { attempts, retryAfterSeconds } = await incrementAttempts(db, key, lockSeconds, wrongCodes)
  if (attempts > wrongCodes) {
    throw limitReached(key, `Too many wrong codes. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
  }
  if (await compare()) return deleteAttempts(db, key)
  throw apiError('TWO_FACTOR_CODE_INVALID', 'The code is wrong, or was used already. Enter the next one.', {
    reason: 'wrong',
    attemptsRemaining: Math.max(0, Math.min(wrongCodes - attempts, left)),
  })
}

/** Returns until when wrong codes lock the second step of a person; null while it is not locked. */
export async function findCodeLock(db: Db, userId: string): Promise<Date | null> {
  return findFullWindow(db, byPerson('wrong codes', userId), wrongCodes)
}

/** Deletes the attempts at the second step of a person. */
export async function clearCodeAttempts(db: Db, userId: string): Promise<void> {
  await deleteAttempts(db, byPerson('wrong codes', userId))
}

/**
 * Checks the second step of a person. Each code works once: the update that stores its time step decides between
 * requests. Throws like {@link attemptSecondStep}, and `whenOff` (default: TWO_FACTOR_NOT_ENABLED) when two steps are
 * off.
 */
export async function checkSecondStep(
  services: Pick<Services, 'db' | 'secrets'>,
  userId: string,
  { code, recoveryCode }: GivenCode,
  { left, whenOff = notEnabled }: { readonly left?: number; readonly whenOff?: () => ApiError } = {},
): Promise<void> {
  const { db } = services
  const sealed = (await findTwoFactor(db, userId))?.sealedSecret ?? null
  if (sealed === null) throw whenOff()
  if (code === undefined && recoveryCode === undefined) {
    throw apiError('TWO_FACTOR_CODE_INVALID', 'Two-step sign-in is on: give the code of your authenticator.', {
      reason: 'required',
    })
  }
  async function compare(): Promise<boolean> {
    if (recoveryCode !== undefined) return takeRecoveryCode(db, userId, hashRecoveryCode(recoveryCode))
    const step = findStep(openSecret(services, userId, sealed ?? ''), code ?? '', machineNowMs())
    return step !== null && (await takeStep(db, userId, step))
  }
  await attemptSecondStep(services, userId, compare, left)
}

/** Returns the error for an account without two-step sign-in. */
export function notEnabled() {
  return apiError('TWO_FACTOR_NOT_ENABLED', 'Two-step sign-in is off.')
}
