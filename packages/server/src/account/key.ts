import { randomBytes } from 'node:crypto'
import { type KeyOwner, keyPrefixes } from '@msgctl/contract'
import type { Db } from '../db/db.ts'
import { hashCredential } from '../http/credential.ts'
import { insertKey, replaceKey } from './key-store.ts'

/** A key as its owner sees it, once. */
export interface NewKey {
  readonly apiKey: string
  readonly apiKeyPreview: string
}

/** What to mind about a new key, for a person. */
export const keyWarning = 'Store this key now: it is kept hashed and cannot be shown again.'

const previewDigits = 6

function mint(owner: KeyOwner): NewKey {
  const apiKey = keyPrefixes[owner] + randomBytes(32).toString('hex')
  return { apiKey, apiKeyPreview: `${apiKey.slice(0, keyPrefixes[owner].length + previewDigits)}...` }
}

/** Makes the first key of the account, or of a number; null when it has one already. */
export async function firstKey(trx: Db, organizationId: string, containerId: string | null): Promise<NewKey | null> {
  const key = mint(containerId === null ? 'account' : 'number')
  const stored = await insertKey(trx, organizationId, containerId, hashCredential(key.apiKey), key.apiKeyPreview)
  return stored ? key : null
}

/** Makes a new key of the account, or of a number; the old one stops working when the transaction commits. */
export async function nextKey(trx: Db, organizationId: string, containerId: string | null): Promise<NewKey> {
  const key = mint(containerId === null ? 'account' : 'number')
  await replaceKey(trx, organizationId, containerId, hashCredential(key.apiKey), key.apiKeyPreview)
  return key
}
