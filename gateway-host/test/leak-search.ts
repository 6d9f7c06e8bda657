import { openSecrets } from '@msgctl/network/secrets'
import { unpack } from '../src/vault/key-kinds.ts'
import { retiredKinds } from '../src/vault/retirement.ts'
import { unseal } from '../src/vault/sealing.ts'
import { bytesIn, createKeySearch } from './key-search.ts'

/** A value of the vault as it was stored. */
interface StoredValue {
  readonly containerId: string
  /** -2: the key of the number, encrypted with SECRETS_KEYS; -1: its credentials; from 0 on: its keys. */
  readonly kind: number
  readonly id: string
  readonly value: string
}

/** What a host must not write: the values of its vault, and the texts of its network. */
export interface Evidence {
  readonly secretsKeys: string
  readonly keys: readonly StoredValue[]
  readonly texts: readonly string[]
}

const numberKeyKind = -2
/** Shorter texts can be in an output by chance. */
const leastCharacters = 5

/** Returns what an output contains of keys, in any form, and of texts, and for how many of each it was searched. */
export function findLeaks(output: string, { secretsKeys, keys, texts }: Evidence) {
  const byteStrings = decrypt(secretsKeys, keys)
  const isWritten = createKeySearch(output)
  const words = output.toLowerCase()
  const searched = texts.map((text) => text.trim()).filter((text) => text.length >= leastCharacters)
  const leaked = searched.filter((text) => words.includes(text.toLowerCase()))
  return {
    keys: byteStrings.length,
    texts: searched.length,
    leaks: [
      ...byteStrings.filter(isWritten).map((bytes) => `a key of ${bytes.length} bytes`),
      ...leaked.map((text) => `the text ${JSON.stringify(text)}`),
    ],
  }
}

/** Returns all byte strings in stored values, with the keys that they are encrypted with. */
function decrypt(secretsKeys: string, stored: readonly StoredValue[]): Buffer[] {
  const secrets = openSecrets(secretsKeys)
  const numbers = new Map<string, Buffer>()
  for (const { containerId, kind, value } of stored) {
    if (kind !== numberKeyKind) continue
    const sealed = Buffer.from(value, 'base64').toString()
    const key = secrets.decrypt(sealed, `gateway_sessions:sealed_key:${containerId}`)
    numbers.set(containerId, Buffer.from(key, 'base64'))
  }
  const found = new Map<string, Buffer>()
  for (const bytes of [...numbers.values(), ...stored.flatMap((one) => opened(numbers, one))]) {
    found.set(bytes.toString('latin1'), bytes)
  }
  return [...found.values()]
}

function opened(numbers: ReadonlyMap<string, Buffer>, { containerId, kind, id, value }: StoredValue): Buffer[] {
  const key = numbers.get(containerId)
  if (kind === numberKeyKind || !key) return []
  // The keys of a retired link are encrypted as before.
  const living = kind >= retiredKinds ? kind - retiredKinds : kind
  const place = kind === -1 ? `${containerId}/creds` : `${containerId}/${living}/${id}`
  return bytesIn(unpack(living, unseal(key, place, Buffer.from(value, 'base64'))))
}
