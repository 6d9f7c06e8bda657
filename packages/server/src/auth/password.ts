import { hash, verify } from '@node-rs/argon2'

const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each hash takes a core and 19 MiB for a while; two at a time leave room for everything else. */
const atOnce = 2

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    // The place goes to who waits longest; it is free only when nobody does.
    if (next) next()
    else running -= 1
  }
}

/** The argon2id hash of a password, as text with its settings. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, settings))
}

let dummy: Promise<string> | undefined

/**
 * Whether the password is right. For an unknown person (`passwordHash` null) it takes the same time and is false, so
 * that nobody learns which e-mail addresses are known.
 */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  dummy ??= hashPassword('a password that nobody has')
  const against = passwordHash ?? (await dummy)
  const right = await inTurn(() => verify(against, password))
  return right && passwordHash !== null
}
