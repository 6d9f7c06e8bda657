import { type Db, rows } from '#platform/db/db.ts'
import { sessionOf } from '#testing/session-of.ts'
import type { TestServer } from '#testing/start-server.ts'
import { linkTokenTo, makePerson, newEmail, type Person, password } from './person.ts'

let addresses = 0

/** Stores that an organization has sent all invitations that it may now, by copies of one that it sent. */
export async function useInvitations(db: Db, organizationId: string): Promise<void> {
  await rows(
    db,
    `insert into invitations
     select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'email', n || i.email, 'token_hash',
             '\\x' || md5(i.id::text || n), 'cancelled_at', i.created_at))).*
       from invitations i, generate_series(1, 100) n where i.organization_id = :organizationId`,
    { organizationId },
  )
}

/** Returns the makers of teams on a server that trusts X-Forwarded-For. */
export function teamsOn(server: TestServer) {
  /** Returns a client at an address of its own, so that the limits of one test do not refuse another. */
  function visitor() {
    addresses += 1
    return server.client({ headers: { 'x-forwarded-for': `10.4.${addresses >> 8}.${addresses & 255}` } })
  }

  /** Grants the products of an organization, whose invitations then have the larger quota. */
  async function makeOwner(): Promise<Person> {
    const owner = await makePerson(server, 'Olga')
    await rows(server.db, 'update organization_products set granted_at = service_now() where organization_id = :id', {
      id: owner.organizationId,
    })
    return owner
  }

  /** Invites an address and returns the token of the mail. */
  async function invite(owner: Person, email = newEmail(), role: 'admin' | 'member' = 'member'): Promise<string> {
    await owner.client.team.invite({ email, role })
    return linkTokenTo(server, email, 'join')
  }

  /** Lets a new person join, and returns them with a session of the organization. */
  async function joined(owner: Person, role: 'admin' | 'member' = 'member'): Promise<Person> {
    const email = newEmail()
    const token = await invite(owner, email, role)
    const session = await sessionOf(visitor().auth.join({ token, name: 'Max', password }))
    const { organizationId } = owner
    const client = server.client({ token: session.token })
    return { email, name: 'Max', userId: session.user.id, organizationId, token: session.token, client }
  }

  /** Founds a second organization, as whose member a person may leave the first. */
  async function verified(): Promise<Person> {
    const person = await makePerson(server)
    await visitor().auth.verifyEmail({ token: await linkTokenTo(server, person.email, 'verify') })
    return person
  }

  return { visitor, makeOwner, invite, joined, verified }
}
