import { randomBytes } from 'node:crypto'
import { hashCredential } from '#api/access/authenticate.ts'
import { type LinkKind, putLink } from '#api/access/link-store.ts'
import type { UserRow } from '#people/organizations/user-store.ts'
import type { Db } from '#platform/db/db.ts'
import { accountLink } from '#platform/mail/links.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Services } from '#services.ts'

const minutes = { reset: 60, verify: 24 * 60 } as const satisfies Partial<Record<LinkKind, number>>

/** Returns a new token for a link or an invitation: 256 random bits. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Creates a link of a person, which replaces their earlier one, and returns its address. */
export async function makeLink(
  trx: Db,
  { config }: Pick<Services, 'config'>,
  userId: string,
  kind: keyof typeof minutes,
  validMinutes: number = minutes[kind],
): Promise<string> {
  const token = newLinkToken()
  await putLink(trx, { userId, kind, tokenHash: hashCredential(token), minutes: validMinutes })
  return accountLink(config, kind, token)
}

/** Mails a link that confirms the address of a person. */
export async function mailVerification(trx: Db, services: Services, user: UserRow): Promise<void> {
  if (services.mailer.kind === 'none') return
  const link = await makeLink(trx, services, user.id, 'verify')
  await queueMail(trx, services, { to: user.email, kind: 'verify', facts: { name: user.name, link } })
}
