import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { turnOn } from '../testing/features/authenticator.ts'
import { makePerson, newEmail, password } from '../testing/features/person.ts'
import { teamsOn } from '../testing/features/team.ts'
import { sessionOf } from '../testing/session-of.ts'
import { startTestServer } from '../testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const { visitor, makeOwner, invite, joined, verified } = teamsOn(server)

/** The one situation of each code of this group. */
const situations: [code: string, situation: string, call: () => Promise<unknown>][] = [
  [
    'ALREADY_MEMBER',
    'a member is invited',
    async () => {
      const owner = await makeOwner()
      const { email } = await joined(owner)
      await owner.client.team.invite({ email, role: 'member' })
    },
  ],
  [
    'NOT_OWNER',
    'an admin invites an admin',
    async () => (await joined(await makeOwner(), 'admin')).client.team.invite({ email: newEmail(), role: 'admin' }),
  ],
  [
    'ROLE_FORBIDDEN',
    'a member invites',
    async () => (await joined(await makeOwner())).client.team.invite({ email: newEmail(), role: 'member' }),
  ],
  ['INVITE_INVALID', 'an unknown invitation', () => visitor().auth.invitation({ token: 'made-up' })],
  [
    'INVITE_INVALID',
    'a cancelled invitation',
    async () => {
      const owner = await makeOwner()
      const token = await invite(owner)
      const [open] = (await owner.client.team.list()).invitations
      await owner.client.team.cancelInvitation({ invitationId: open?.id ?? '' })
      await visitor().auth.join({ token, password, name: 'Max' })
    },
  ],
  [
    'INVITE_INVALID',
    'the old link of one that was sent again',
    async () => {
      const owner = await makeOwner()
      const token = await invite(owner)
      const [open] = (await owner.client.team.list()).invitations
      await owner.client.team.resendInvitation({ invitationId: open?.id ?? '' })
      await visitor().auth.invitation({ token })
    },
  ],
  [
    'INVITE_INVALID',
    'after seven days',
    async () => {
      const token = await invite(await makeOwner())
      await server.advance(7 * 86_400 + 1)
      await visitor().auth.invitation({ token })
    },
  ],
  [
    'INVITE_INVALID',
    'the inviter may not invite any more',
    async () => {
      const owner = await makeOwner()
      const admin = await joined(owner, 'admin')
      const token = await invite(admin)
      await owner.client.team.changeRole({ userId: admin.userId, role: 'member' })
      await visitor().auth.invitation({ token })
    },
  ],
  [
    'OWNER_ROLE_FIXED',
    'the role of the owner is changed',
    async () => {
      const owner = await makeOwner()
      await owner.client.team.changeRole({ userId: owner.userId, role: 'member' })
    },
  ],
  [
    'NOT_OWNER',
    'an admin changes a role',
    async () => {
      const owner = await makeOwner()
      const admin = await joined(owner, 'admin')
      await admin.client.team.changeRole({ userId: admin.userId, role: 'member' })
    },
  ],
  [
    'USE_LEAVE',
    'one removes oneself',
    async () => {
      const owner = await makeOwner()
      await owner.client.team.remove({ userId: owner.userId })
    },
  ],
  [
    'CANNOT_REMOVE_OWNER',
    'an admin removes the owner',
    async () => {
      const owner = await makeOwner()
      await (await joined(owner, 'admin')).client.team.remove({ userId: owner.userId })
    },
  ],
  [
    'NOT_OWNER',
    'an admin removes an admin',
    async () => {
      const owner = await makeOwner()
      const other = await joined(owner, 'admin')
      await (await joined(owner, 'admin')).client.team.remove({ userId: other.userId })
    },
  ],
  [
    'AUTH_ERROR',
    'a removed member calls',
    async () => {
      const owner = await makeOwner()
      const member = await joined(owner)
      await owner.client.team.remove({ userId: member.userId })
      await member.client.account.me()
    },
  ],
  ['OWNER_CANNOT_LEAVE', 'the owner leaves', async () => (await makeOwner()).client.team.leave()],
  [
    'LAST_ORGANIZATION',
    'a member leaves the only organization',
    async () => (await joined(await makeOwner())).client.team.leave(),
  ],
  [
    'ALREADY_OWNER',
    'the owner transfers to themselves',
    async () => {
      const owner = await makeOwner()
      await owner.client.organization.transfer({ userId: owner.userId, password })
    },
  ],
  [
    'WRONG_PASSWORD',
    'a transfer with a wrong password',
    async () => {
      const owner = await makeOwner()
      await owner.client.organization.transfer({ userId: (await joined(owner)).userId, password: 'wrong' })
    },
  ],
  [
    'TWO_FACTOR_CODE_INVALID',
    'a transfer without the code',
    async () => {
      const owner = await makeOwner()
      await turnOn(owner.client)
      await owner.client.organization.transfer({ userId: (await joined(owner)).userId, password })
    },
  ],
  [
    'TWO_FACTOR_OWNER_FIRST',
    'two steps are required before the owner has them',
    async () => (await makeOwner()).client.organization.update({ requireTwoFactor: true }),
  ],
  [
    'NOT_OWNER',
    'an admin requires two steps',
    async () => (await joined(await makeOwner(), 'admin')).client.organization.update({ requireTwoFactor: true }),
  ],
  [
    'TWO_FACTOR_OWNER_FIRST',
    'the next owner lacks the two steps that are required',
    async () => {
      const owner = await makeOwner()
      const heir = await joined(owner)
      const { authenticator } = await turnOn(owner.client)
      await owner.client.organization.update({ requireTwoFactor: true })
      await owner.client.organization.transfer({ userId: heir.userId, password, code: authenticator.code() })
    },
  ],
  [
    'TOO_MANY_ORGANIZATIONS',
    'an eleventh organization is founded',
    async () => {
      const { client } = await makePerson(server)
      for (let n = 1; n < limits.ownedOrganizations; n += 1) await client.organization.create({ name: `No ${n}` })
      await client.organization.create({ name: 'One more' })
    },
  ],
  [
    'NOT_FOUND',
    'a switch to an organization of others',
    async () => {
      const { organizationId } = await makeOwner()
      await (await makePerson(server)).client.auth.switchOrganization({ organizationId })
    },
  ],
  [
    'AUTH_ERROR',
    'a sign-in to an organization of others',
    async () => {
      const { organizationId } = await makeOwner()
      const { email } = await makePerson(server)
      await visitor().auth.signIn({ email, password, organizationId })
    },
  ],
]

describe('each code of the team has its one situation', () => {
  it.each(situations)('%s: %s', async (code, _situation, call) => {
    await expect(call()).rejects.toMatchObject({ code })
  })

  it('and a person with two organizations leaves one', async () => {
    const [owner, ada] = [await makeOwner(), await verified()]
    await ada.client.team.acceptInvitation({ token: await invite(owner, ada.email) })
    const session = await sessionOf(ada.client.auth.switchOrganization({ organizationId: owner.organizationId }))
    await server.client({ token: session.token }).team.leave()
    expect((await owner.client.team.list()).members).toHaveLength(1)
  })
})
