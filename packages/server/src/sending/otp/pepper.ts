import { randomBytes } from 'node:crypto'
import type { Services } from '#services.ts'
import { findStoredPepper, storePepper } from './store.ts'

/** The secret key of the stored codes, and the name under which a request refers to it. */
export interface Pepper {
  readonly name: string
  readonly key: Buffer
}

type Peppers = Pick<Services, 'db' | 'secrets'>

const purpose = 'msgctl one-time codes'
const derived = 'secrets:'
const stored = 'stored'

/** Returns the name of the pepper that is derived from the key with this id. */
export function pepperName(keyId: string): string {
  return `${derived}${keyId}`
}

/** Returns the pepper for new codes: derived from the first of SECRETS_KEYS, else one that the service generated. */
export async function currentPepper({ db, secrets }: Peppers): Promise<Pepper> {
  const own = secrets.derive(purpose)
  if (own) return { name: pepperName(own.keyId), key: own.key }
  const found = (await findStoredPepper(db)) ?? (await storePepper(db, randomBytes(32).toString('base64')))
  return { name: stored, key: Buffer.from(found, 'base64') }
}

/** Returns the pepper of this name, or null when its key is no longer in SECRETS_KEYS. */
export async function pepperNamed({ db, secrets }: Peppers, name: string): Promise<Buffer | null> {
  if (name.startsWith(derived)) return secrets.derive(purpose, name.slice(derived.length))?.key ?? null
  const found = await findStoredPepper(db)
  return found === undefined ? null : Buffer.from(found, 'base64')
}
