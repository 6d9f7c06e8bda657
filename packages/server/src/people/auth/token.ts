import { randomBytes } from 'node:crypto'
import { limits, type Role } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { deleteOldestTokens, insertToken } from '#api/access/token-store.ts'
import type { Origin } from '#api/http/handler.ts'
import { writeLastSession } from '#people/organizations/member-store.ts'
import type { UserRow } from '#people/organizations/user-store.ts'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'

/** The longest life of a token. It also expires after 12 hours without use, which the HTTP layer checks. */
const tokenDays = 30

/** How a session began. */
export interface SessionStart {
  readonly origin?: Origin
  /** The recovery codes that are left, when the second step was made. */
  readonly recoveryCodesLeft?: number | null
}

/** Issues a token, stored by its hash; the oldest beyond 50 end. Returns the response of a sign-in. */
export async function issueToken(
  trx: Db,
  user: UserRow,
  organization: { readonly id: string; readonly name: string },
  memberRole: Role,
  { origin, recoveryCodesLeft = null }: SessionStart = {},
) {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = await insertToken(trx, {
    id: newId(),
    hash: hashCredential(token),
    userId: user.id,
    organizationId: organization.id,
    days: tokenDays,
    ip: origin?.ip ?? null,
    userAgent: origin?.userAgent ?? null,
    twoFactor: recoveryCodesLeft !== null,
    carrier: origin?.carrier ?? 'bearer',
  })
  await deleteOldestTokens(trx, user.id, limits.sessionsPerPerson)
  await writeLastSession(trx, organization.id, user.id)
  return {
    twoFactorRequired: false as const,
    token,
    expiresAt: expiresAt.toISOString(),
    recoveryCodesLeft,
    user: { id: user.id, name: user.name, email: user.email, memberRole, organization },
  }
}
