import type { AuthenticationCreds } from 'baileys'
import { pack, unpack } from './key-kinds.ts'
import { seal, unseal } from './sealing.ts'

/** The number that credentials belong to, and its key. */
interface CredsOwner {
  readonly containerId: string
  readonly dataKey: Buffer
}

const credsKind = -1

/** Encrypts the credentials of a number. */
export function sealCreds({ containerId, dataKey }: CredsOwner, creds: object): Buffer {
  return seal(dataKey, `${containerId}/creds`, pack(creds))
}

/** Decrypts the credentials of a number. Throws an Error when they were changed, or belong to another number. */
export function openCreds({ containerId, dataKey }: CredsOwner, sealed: Buffer): AuthenticationCreds {
  return unpack(credsKind, unseal(dataKey, `${containerId}/creds`, sealed)) as AuthenticationCreds
}
