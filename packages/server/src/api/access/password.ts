import { channel } from 'node:diagnostics_channel'
import { SemaphoreFull, semaphore } from '@msgctl/network/semaphore'
import { hash, verify } from '@node-rs/argon2'
import { apiError } from '#platform/errors.ts'

const safeSettings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
let settings = safeSettings
/** Each hash takes a core and 19 MiB for a while; two at a time leave capacity for everything else. */
const permits = semaphore({ limit: 2, maxQueued: 100 })
const retryAfterSeconds = 5

/** Returns the argon2id hash of a password, as text with its settings. Throws SERVICE_BUSY when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  return withPermit(() => hash(password, settings))
}

let dummy: Promise<string> | undefined

/**
 * Returns whether the password is right. For an unknown person (`passwordHash` null) it takes the same time and is
 * false, so that a caller cannot learn which e-mail addresses are known. Throws SERVICE_BUSY when too many wait.
 */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  // Awaited for known people too: otherwise the first unknown one of a process would take twice as long.
  dummy ??= hash('a password of no account', settings)
  const dummyHash = await dummy
  const right = await withPermit(() => verify(passwordHash ?? dummyHash, password))
  return right && passwordHash !== null
}

/** Makes hashes that take a thousandth of the time, until the returned function is called. For tests. */
export function useQuickHashes(): () => void {
  settings = { memoryCost: 8, timeCost: 1, parallelism: 1 }
  dummy = undefined
  return () => {
    settings = safeSettings
    dummy = undefined
  }
}

/** Publishes each hash and comparison, which are the work of a sign-in. Tests compare how much work a request takes. */
export const passwordWork = channel('msgctl.password-work')

async function withPermit<T>(task: () => Promise<T>): Promise<T> {
  passwordWork.publish({})
  try {
    return await permits.run('', task)
  } catch (error) {
    if (!(error instanceof SemaphoreFull)) throw error
    throw apiError('SERVICE_BUSY', `Too many people sign in at this moment. Try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    })
  }
}
