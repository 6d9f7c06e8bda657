import { randomBytes } from 'node:crypto'
import type { Role } from '@msgctl/contract'
import { hashCredential } from '../access/credential.ts'
import type { Db } from '../db/db.ts'
import type { UserRow } from '../organizations/store.ts'
import { insertToken } from './store.ts'

/** A token lives 30 days at most; the edge ends it after 12 hours without use. */
const tokenDays = 30

/** Signs a person in: stores a token by its hash, and answers what the person gets. */
export async function issueToken(
  trx: Db,
  user: UserRow,
  organization: { readonly id: string; readonly name: string },
  memberRole: Role,
) {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = await insertToken(trx, {
    hash: hashCredential(token),
    userId: user.id,
    organizationId: organization.id,
    days: tokenDays,
  })
  return {
    token,
    expiresAt: expiresAt.toISOString(),
    user: { id: user.id, name: user.name, email: user.email, memberRole, organization },
  }
}
