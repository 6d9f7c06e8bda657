import { limits } from '@msgctl/contract'
import { rows } from '#platform/db/db.ts'
import { newEmail, type Person, password } from '#testing/features/person.ts'
import { useInvitations } from '#testing/features/team.ts'
import { callBeyondLimit, deactivate, type PeopleWorld, type SituationsOf, usePasswordTries } from './situation.ts'

const unknownId = '0190b1a1-0c2d-7b3e-8f44-5a6b7c8da001'

/** Makes a team that is full of members, with one invitation that was sent before. Returns its token. */
async function lastInvitation(world: PeopleWorld, email?: string) {
  const owner = await world.makeOwner()
  const token = await world.invite(owner, email)
  await fillTeam(world, owner)
  return { owner, token }
}

/** Fills the team of an owner with members. */
export async function fillTeam({ server }: PeopleWorld, { organizationId }: Person): Promise<void> {
  await rows(
    server.db,
    `with people as (
       insert into users (id, name, email, created_at)
       select gen_random_uuid(), 'Member', gen_random_uuid() || '@example.com', service_now()
         from generate_series(2, :limit::int) returning id)
     insert into members (organization_id, user_id, role, created_at)
     select :organizationId, id, 'member', service_now() from people`,
    { organizationId, limit: limits.team },
  )
}

/** Adds a person to the organization of an owner behind the back of an open invitation. */
export async function addMember({ server }: PeopleWorld, { organizationId }: Person, userId: string): Promise<void> {
  await rows(
    server.db,
    `insert into members (organization_id, user_id, role, created_at)
     values (:organizationId, :userId, 'member', service_now())`,
    { organizationId, userId },
  )
}

async function openInvitation(owner: Person): Promise<string> {
  const { invitation } = await owner.client.team.invite({ email: newEmail(), role: 'member' })
  return invitation.id
}

/** Invitations as their receiver uses them. */
export const receiving: SituationsOf<'auth', 'invitation' | 'join'> = {
  invitation: {
    INVITE_INVALID: ['the token is made up', ({ visitor }) => visitor().auth.invitation({ token: 'made-up' })],
    RATE_LIMIT: [
      'an address reads too many',
      (world) => {
        const visitor = world.visitor()
        return callBeyondLimit(world, () => visitor.auth.invitation({ token: 'made-up' }))
      },
    ],
  },
  join: {
    INVITE_INVALID: [
      'the token is made up',
      ({ visitor }) => visitor().auth.join({ token: 'made-up', password, name: 'Max' }),
    ],
    TEAM_FULL: [
      'others filled the team first',
      async (world) => {
        const { token } = await lastInvitation(world)
        await world.visitor().auth.join({ token, password, name: 'Max' })
      },
    ],
    ALREADY_MEMBER: [
      'the operator has added the person since',
      async (world) => {
        const [owner, ada] = [await world.makeOwner(), await world.verified()]
        const token = await world.invite(owner, ada.email)
        await addMember(world, owner, ada.userId)
        await world.visitor().auth.join({ token, password })
      },
    ],
    AUTH_ERROR: [
      'the password of a confirmed account is wrong',
      async ({ makeOwner, verified, invite, visitor }) => {
        const { email } = await verified()
        const token = await invite(await makeOwner(), email)
        await visitor().auth.join({ token, password: 'a wrong password' })
      },
    ],
    ACCOUNT_DEACTIVATED: [
      'the organization is deactivated',
      async (world) => {
        const [owner, { email }] = [await world.makeOwner(), await world.verified()]
        const token = await world.invite(owner, email)
        await deactivate(world, owner.organizationId)
        await world.visitor().auth.join({ token, password })
      },
    ],
    RATE_LIMIT: [
      'an address joins too often',
      (world) => {
        const visitor = world.visitor()
        return callBeyondLimit(world, () => visitor.auth.join({ token: 'made-up', password, name: 'Max' }))
      },
    ],
    TOO_MANY_LOGIN_ATTEMPTS: [
      'ten wrong passwords of a confirmed account',
      async (world) => {
        const { email } = await world.verified()
        const token = await world.invite(await world.makeOwner(), email)
        await usePasswordTries(world, email)
        await world.visitor().auth.join({ token, password })
      },
    ],
  },
}

/** The team. */
export const team: SituationsOf<
  'team',
  'list' | 'invite' | 'resendInvitation' | 'cancelInvitation' | 'acceptInvitation' | 'changeRole' | 'remove' | 'leave'
> = {
  list: {},
  invite: {
    ALREADY_MEMBER: [
      'a member is invited',
      async ({ makeOwner, joined }) => {
        const owner = await makeOwner()
        const { email } = await joined(owner)
        await owner.client.team.invite({ email, role: 'member' })
      },
    ],
    TEAM_FULL: [
      'members and open invitations are 50',
      async (world) => {
        const { owner } = await lastInvitation(world)
        await owner.client.team.invite({ email: newEmail(), role: 'member' })
      },
    ],
    NOT_OWNER: [
      'an admin invites an admin',
      async ({ makeOwner, joined }) => {
        const admin = await joined(await makeOwner(), 'admin')
        await admin.client.team.invite({ email: newEmail(), role: 'admin' })
      },
    ],
    RATE_LIMIT: [
      'the organization has sent all that it may',
      async (world) => {
        const owner = await world.makeOwner()
        await openInvitation(owner)
        await useInvitations(world.server.db, owner.organizationId)
        await openInvitation(owner)
      },
    ],
  },
  resendInvitation: {
    NOT_FOUND: [
      'there is none',
      async ({ makeOwner }) => (await makeOwner()).client.team.resendInvitation({ invitationId: unknownId }),
    ],
    NOT_OWNER: [
      'an admin resends the invitation of an admin',
      async ({ makeOwner, joined }) => {
        const owner = await makeOwner()
        const admin = await joined(owner, 'admin')
        const { invitation } = await owner.client.team.invite({ email: newEmail(), role: 'admin' })
        await admin.client.team.resendInvitation({ invitationId: invitation.id })
      },
    ],
    RATE_LIMIT: [
      'the organization has sent all that it may',
      async (world) => {
        const owner = await world.makeOwner()
        const invitationId = await openInvitation(owner)
        await useInvitations(world.server.db, owner.organizationId)
        await owner.client.team.resendInvitation({ invitationId })
      },
    ],
  },
  cancelInvitation: {
    NOT_FOUND: [
      'it was cancelled already',
      async ({ makeOwner }) => {
        const owner = await makeOwner()
        const invitationId = await openInvitation(owner)
        await owner.client.team.cancelInvitation({ invitationId })
        await owner.client.team.cancelInvitation({ invitationId })
      },
    ],
  },
  acceptInvitation: {
    INVITE_INVALID: [
      'the token is made up',
      async ({ makePerson }) => (await makePerson()).client.team.acceptInvitation({ token: 'made-up' }),
    ],
    INVITE_EMAIL_MISMATCH: [
      'it is for another address',
      async ({ makeOwner, makePerson, invite }) => {
        const token = await invite(await makeOwner())
        await (await makePerson('Eve')).client.team.acceptInvitation({ token })
      },
    ],
    ALREADY_MEMBER: [
      'the operator has added the person since',
      async (world) => {
        const [owner, ada] = [await world.makeOwner(), await world.makePerson()]
        const token = await world.invite(owner, ada.email)
        await addMember(world, owner, ada.userId)
        await ada.client.team.acceptInvitation({ token })
      },
    ],
    TEAM_FULL: [
      'others filled the team first',
      async (world) => {
        const ada = await world.makePerson()
        const { token } = await lastInvitation(world, ada.email)
        await ada.client.team.acceptInvitation({ token })
      },
    ],
  },
  changeRole: {
    OWNER_ROLE_FIXED: [
      'it is the role of the owner',
      async ({ makeOwner }) => {
        const { client, userId } = await makeOwner()
        await client.team.changeRole({ userId, role: 'member' })
      },
    ],
    NOT_FOUND: [
      'the person is no member',
      async ({ makeOwner }) => (await makeOwner()).client.team.changeRole({ userId: unknownId, role: 'admin' }),
    ],
  },
  remove: {
    USE_LEAVE: [
      'one removes oneself, be it the owner',
      async ({ makeOwner }) => {
        const { client, userId } = await makeOwner()
        await client.team.remove({ userId })
      },
    ],
    CANNOT_REMOVE_OWNER: [
      'an admin removes the owner',
      async ({ makeOwner, joined }) => {
        const owner = await makeOwner()
        await (await joined(owner, 'admin')).client.team.remove({ userId: owner.userId })
      },
    ],
    NOT_OWNER: [
      'an admin removes an admin',
      async ({ makeOwner, joined }) => {
        const owner = await makeOwner()
        const other = await joined(owner, 'admin')
        await (await joined(owner, 'admin')).client.team.remove({ userId: other.userId })
      },
    ],
    NOT_FOUND: [
      'the person is no member',
      async ({ makeOwner }) => (await makeOwner()).client.team.remove({ userId: unknownId }),
    ],
  },
  leave: {
    OWNER_CANNOT_LEAVE: ['the owner leaves', async ({ makeOwner }) => (await makeOwner()).client.team.leave()],
    LAST_ORGANIZATION: [
      'a member leaves the only organization',
      async ({ makeOwner, joined }) => (await joined(await makeOwner())).client.team.leave(),
    ],
  },
}
