import type { Db } from '../../packages/server/src/db/db.ts'
import { rows } from '../../packages/server/src/db/db.ts'
import type { Secrets } from '../../packages/server/src/secrets.ts'
import { unpack } from '../src/vault/key-kinds.ts'
import { unseal } from '../src/vault/sealing.ts'

/** What is shorter is no key, and may be in an output by chance. */
const leastBytes = 16

interface StoredNumber {
  readonly id: string
  readonly sealedKey: string
  readonly creds: Buffer
}

interface StoredKey {
  readonly kind: number
  readonly id: string
  readonly value: Buffer
}

/** Returns all byte strings in the credentials and keys of a number, private or not, as they are stored now. */
export async function readKeys(db: Db, secrets: Secrets, containerId: string): Promise<Buffer[]> {
  const [number] = await rows<StoredNumber>(
    db,
    'select container_id as id, sealed_key as "sealedKey", creds from gateway_sessions where container_id = :containerId',
    { containerId },
  )
  if (!number) throw new Error('the number is not stored')
  const dataKey = Buffer.from(secrets.decrypt(number.sealedKey, `gateway_sessions:sealed_key:${containerId}`), 'base64')
  const stored = await rows<StoredKey>(
    db,
    'select kind, id, value from gateway_keys where container_id = :containerId',
    { containerId },
  )
  const values = stored.map(({ kind, id, value }) =>
    unpack(kind, unseal(dataKey, `${containerId}/${kind}/${id}`, value)),
  )
  const creds = unpack(-1, unseal(dataKey, `${containerId}/creds`, number.creds))
  return [dataKey, ...[creds, ...values].flatMap(bytesIn)]
}

/** Returns the byte strings in a value, also those that libraries keep as base64. */
function bytesIn(value: unknown): Buffer[] {
  if (value instanceof Uint8Array)
    return value.length < leastBytes ? [] : [Buffer.from(value), ...nested(Buffer.from(value))]
  if (typeof value === 'string') {
    const bytes = /^[A-Za-z0-9+/]{22,}={0,2}$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0)
    return bytes.length < leastBytes ? [] : [bytes]
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(bytesIn) : []
}

/** Sessions are stored as JSON. */
function nested(bytes: Buffer): Buffer[] {
  if (bytes[0] !== 0x7b) return []
  try {
    return bytesIn(JSON.parse(bytes.toString()))
  } catch {
    return []
  }
}

/** Returns the ways in which programs write bytes: base64, hex and decimal. Bytes in a list have commas between them. */
function formsOf(bytes: Buffer): string[] {
  const part = bytes.subarray(0, leastBytes)
  const numbers = [...part]
  const hex = numbers.map((byte) => byte.toString(16).padStart(2, '0'))
  const whole = Math.floor(leastBytes / 3) * 3
  return [
    part.subarray(0, whole).toString('base64'),
    part.subarray(0, whole).toString('base64url'),
    hex.join(''),
    hex.join('').toUpperCase(),
    hex.join(' '),
    numbers.join(','),
  ]
}

/** Returns how many of these byte strings an output contains, in any form. The console breaks long lists into lines. */
export function countIn(output: string, keys: readonly Buffer[]): number {
  const joined = output.replaceAll(/,\s+/g, ',')
  return keys.filter((key) => formsOf(key).some((form) => joined.includes(form))).length
}
