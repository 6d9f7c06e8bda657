import { hash, verify } from '@node-rs/argon2'
import { semaphore } from '../concurrency/turns.ts'

const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each hash takes a core and 19 MiB for a while; two at a time leave room for everything else. */
const withPermit = semaphore({ limit: 2, maxQueued: 100, retryAfterSeconds: 5 })

/** The argon2id hash of a password, as text with its settings. Throws SERVICE_BUSY when too many wait for theirs. */
export async function hashPassword(password: string): Promise<string> {
  return withPermit(() => hash(password, settings))
}

let dummy: Promise<string> | undefined

/**
 * Whether the password is right. For an unknown person (`passwordHash` null) it takes the same time and is false, so
 * that nobody learns which e-mail addresses are known. Throws SERVICE_BUSY when too many wait.
 */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  // Awaited for known people too: otherwise the first unknown one of a process would take twice as long.
  dummy ??= hash('a password that nobody has', settings)
  const nobodys = await dummy
  const right = await withPermit(() => verify(passwordHash ?? nobodys, password))
  return right && passwordHash !== null
}
