import { linkTokenTo, newEmail, password } from '#testing/features/person.ts'
import type { PeopleWorld } from './situation.ts'

/** The reasons for which an invitation does not work, each with what makes one and returns its token. */
export const deadInvitations: readonly (readonly [words: string, token: (world: PeopleWorld) => Promise<string>])[] = [
  [
    'cancelled',
    async ({ makeOwner, invite }) => {
      const owner = await makeOwner()
      const token = await invite(owner)
      const [open] = (await owner.client.team.list()).invitations
      await owner.client.team.cancelInvitation({ invitationId: open?.id ?? '' })
      return token
    },
  ],
  [
    'sent again, by its old link',
    async ({ makeOwner, invite }) => {
      const owner = await makeOwner()
      const token = await invite(owner)
      const [open] = (await owner.client.team.list()).invitations
      await owner.client.team.resendInvitation({ invitationId: open?.id ?? '' })
      return token
    },
  ],
  [
    'replaced by a second one',
    async ({ makeOwner, invite }) => {
      const [owner, email] = [await makeOwner(), newEmail()]
      const token = await invite(owner, email)
      await invite(owner, email, 'admin')
      return token
    },
  ],
  [
    'used',
    async ({ makeOwner, invite, visitor }) => {
      const token = await invite(await makeOwner())
      await visitor().auth.join({ token, password, name: 'Max' })
      return token
    },
  ],
  [
    'of an inviter who may not invite any more',
    async ({ makeOwner, joined, invite }) => {
      const owner = await makeOwner()
      const admin = await joined(owner, 'admin')
      const token = await invite(admin)
      await owner.client.team.changeRole({ userId: admin.userId, role: 'member' })
      return token
    },
  ],
  [
    'of an inviter who was removed',
    async ({ makeOwner, joined, invite }) => {
      const owner = await makeOwner()
      const admin = await joined(owner, 'admin')
      const token = await invite(admin)
      await owner.client.team.remove({ userId: admin.userId })
      return token
    },
  ],
  [
    'older than seven days',
    async ({ server, makeOwner, invite }) => {
      const email = newEmail()
      await invite(await makeOwner(), email)
      await server.advance(7 * 86_400 + 1)
      return linkTokenTo(server, email, 'join')
    },
  ],
]
