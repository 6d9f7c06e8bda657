import { randomBytes } from 'node:crypto'
import { mailResetLinks } from '#people/auth/forgot-password.ts'
import { rows } from '#platform/db/db.ts'
import { sendDueMails } from '#platform/mail/send.ts'
import { sim } from '#testing/sim.ts'
import type { TestClient, TestServer } from '#testing/start-server.ts'

/** The password of the people of a test. */
export const password = 'a long password'

/** A person who signed up, with their own organization. */
export interface Person {
  readonly email: string
  readonly name: string
  readonly userId: string
  readonly organizationId: string
  readonly token: string
  readonly client: TestClient
}

/** Returns an e-mail address that no other test uses. */
export function newEmail(): string {
  return `${randomBytes(6).toString('hex')}@example.com`
}

/** Signs a person up, who founds an organization on trial. `headers` may name another client address. */
export async function makePerson(
  server: TestServer,
  name = 'Ada',
  email = newEmail(),
  headers: Readonly<Record<string, string>> = {},
): Promise<Person> {
  const visitor = server.client({ headers })
  const { token, user } = await visitor.auth.signUp({ name, email, password, organizationName: `${name} Engines` })
  const { id: userId, organization } = user
  return { email, name, userId, organizationId: organization.id, token, client: server.client({ token }) }
}

/** A mail of the local outbox. */
export interface OutboxMail {
  readonly to: string
  readonly kind: string
  readonly subject: string
  readonly text: string
}

/** Lets the mails leave that are due, and returns those to an address, newest first. */
export async function mailsTo(server: TestServer, to: string): Promise<OutboxMail[]> {
  await mailResetLinks(server.services)
  await sendDueMails(server.services)
  return (await sim<{ mails: OutboxMail[] }>(server, `GET mail?to=${encodeURIComponent(to)}&limit=100`)).mails
}

/** Returns the token of the newest link of a kind that was mailed to an address. */
export async function linkTokenTo(
  server: TestServer,
  to: string,
  purpose: 'join' | 'reset' | 'verify',
): Promise<string> {
  const pattern = new RegExp(`#${purpose}=([\\w-]+)`)
  const found = (await mailsTo(server, to))
    .map(({ text }) => pattern.exec(text)?.[1])
    .find((token) => token !== undefined)
  if (found === undefined) throw new Error(`no ${purpose} link was mailed to ${to}`)
  return found
}

/** Returns the entries of the activity log of an organization, oldest first. */
export function activityOf(server: TestServer, organizationId: string) {
  return rows<{ action: string; actor: string; actorId: string | null; details: Record<string, unknown> }>(
    server.db,
    `select action, actor_kind as actor, actor_id, details from activity_log
      where organization_id = :organizationId order by id`,
    { organizationId },
  )
}
