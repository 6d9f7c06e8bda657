import { randomBytes } from 'node:crypto'
import type { Role } from '@msgctl/contract'
import { hashCredential } from '../access/credential.ts'
import { insertToken } from '../access/token-store.ts'
import type { Db } from '../db/db.ts'
import type { UserRow } from '../organizations/user-store.ts'

/** The longest life of a token. It also expires after 12 hours without use, which the HTTP layer checks. */
const tokenDays = 30

/** Issues a token, stored by its hash. Returns the response of a sign-in. */
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
