import { randomBytes } from 'node:crypto'
import { type KeyOwner, keyPrefixes } from '@msgctl/contract'
import type { Db } from '#platform/db/db.ts'
import { hashCredential } from './authenticate.ts'
import { insertKey, replaceKey, type StoredKey } from './key-store.ts'

/** A key as its owner sees it, once. */
export interface NewKey {
  readonly apiKey: string
  readonly apiKeyPreview: string
}

/** What to mind about a new key, for a person. */
export const keyWarning = 'Store this key now: it is kept hashed and cannot be shown again.'

/** The same for a key that replaces another, if there was one. */
export const nextKeyWarning = `${keyWarning} Any earlier key no longer works.`

const previewDigits = 6

function mint(owner: KeyOwner): NewKey {
  const apiKey = keyPrefixes[owner] + randomBytes(32).toString('hex')
  return { apiKey, apiKeyPreview: `${apiKey.slice(0, keyPrefixes[owner].length + previewDigits)}...` }
}

/** Creates the first key of the account, or of a number; null when it has one already. */
export async function firstKey(trx: Db, organizationId: string, containerId: string | null): Promise<NewKey | null> {
  const key = mint(containerId === null ? 'account' : 'number')
  return (await insertKey(trx, stored(key, organizationId, containerId))) ? key : null
}

/**
 * Creates a new key of the account, or of a number; the old one stops working when the transaction commits. `onlyIf` is
 * the hash of the account key that requests its own successor: returns null when that key has been replaced since.
 */
export async function nextKey(
  trx: Db,
  organizationId: string,
  containerId: string | null,
  onlyIf: Buffer | null = null,
): Promise<NewKey | null> {
  const key = mint(containerId === null ? 'account' : 'number')
  return (await replaceKey(trx, stored(key, organizationId, containerId), onlyIf)) ? key : null
}

function stored({ apiKey, apiKeyPreview }: NewKey, organizationId: string, containerId: string | null): StoredKey {
  return { organizationId, containerId, keyHash: hashCredential(apiKey), preview: apiKeyPreview }
}
