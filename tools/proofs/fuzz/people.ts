import { hashPassword } from '../../../packages/server/src/api/access/password.ts'
import { rows } from '../../../packages/server/src/platform/db/db.ts'
import { linkTokenTo, makePerson, newEmail } from '../../../packages/server/src/testing/features/person.ts'
import type { TenantFixture } from '../../../packages/server/src/testing/matrix/other-tenant.ts'
import type { TestServer } from '../../../packages/server/src/testing/start-server.ts'
import type { KnownIds } from './known-ids.ts'
import { passwordOfAll } from './values.ts'

/** Gives the owner the password that requests name, and returns the owner's e-mail address. */
async function givePassword(server: TestServer, { ownerId }: TenantFixture): Promise<string> {
  const [owner] = await rows<{ email: string }>(
    server.db,
    'update users set password_hash = :hash where id = :ownerId returning email',
    { hash: await hashPassword(passwordOfAll), ownerId },
  )
  if (!owner) throw new Error('the organization has no owner')
  return owner.email
}

let addresses = 0

/** Returns the header of another client address, because what one address may begin is limited. */
export function ownAddress(): Readonly<Record<string, string>> {
  addresses += 1
  return { 'x-forwarded-for': `10.5.${addresses >> 8}.${addresses & 255}` }
}

/**
 * Prepares an organization for requests about people: the owner has a password and every link that is mailed, and a
 * second person, who has an organization of their own, has joined. Returns the token of that person, who may leave
 * again.
 */
export async function preparePeople(server: TestServer, tenant: TenantFixture, ids: KnownIds): Promise<string> {
  const email = await givePassword(server, tenant)
  const headers = ownAddress()
  const owner = server.client({ token: tenant.owner.authorization?.replace('Bearer ', '') ?? '', headers })
  ids.add('email', email)
  const guest = await makePerson(server, undefined, undefined, headers)
  await guest.client.team.invite({ email, role: 'member' })
  ids.add('own invitation', await linkTokenTo(server, email, 'join'))
  ids.add('organization', guest.organizationId)
  await owner.auth.forgotPassword({ email })
  ids.add('reset link', await linkTokenTo(server, email, 'reset'))
  await owner.auth.sendVerification()
  ids.add('verify link', await linkTokenTo(server, email, 'verify'))
  const stranger = newEmail()
  await owner.team.invite({ email: stranger, role: 'member' })
  ids.add('invitation link', await linkTokenTo(server, stranger, 'join'))
  await owner.team.invite({ email: guest.email, role: 'member' })
  await guest.client.team.acceptInvitation({ token: await linkTokenTo(server, guest.email, 'join') })
  return (await guest.client.auth.switchOrganization({ organizationId: tenant.organizationId })).token
}
