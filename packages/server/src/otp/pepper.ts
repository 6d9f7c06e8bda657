import { randomBytes } from 'node:crypto'
import type { Services } from '../services.ts'
import { findStoredPepper, storePepper } from './store.ts'

/** The secret under which codes are stored, and the name by which a request remembers which one it was. */
export interface Pepper {
  readonly name: string
  readonly key: Buffer
}

type Peppers = Pick<Services, 'db' | 'secrets'>

const purpose = 'msgctl one-time codes'
const derived = 'secrets:'
const stored = 'stored'

/** The name of the pepper that is derived from the key with this id. */
export function pepperName(keyId: string): string {
  return `${derived}${keyId}`
}

/** The pepper for new codes: from the first of SECRETS_KEYS, else one that the service made for itself. */
export async function currentPepper({ db, secrets }: Peppers): Promise<Pepper> {
  const own = secrets.derive(purpose)
  if (own) return { name: pepperName(own.keyId), key: own.key }
  const found = (await findStoredPepper(db)) ?? (await storePepper(db, randomBytes(32).toString('base64')))
  return { name: stored, key: Buffer.from(found, 'base64') }
}

/** The pepper of this name; null when its key was taken out of SECRETS_KEYS meanwhile. */
export async function pepperNamed({ db, secrets }: Peppers, name: string): Promise<Buffer | null> {
  if (name.startsWith(derived)) return secrets.derive(purpose, name.slice(derived.length))?.key ?? null
  const found = await findStoredPepper(db)
  return found === undefined ? null : Buffer.from(found, 'base64')
}
