import { password } from '#testing/features/person.ts'
import { addMember, fillTeam } from './joining.ts'
import { enrol, type PeopleWorld, type Situation } from './situation.ts'

/** Invites a confirmed person with two steps, who gives the password. Returns the call that completes the joining. */
async function halfJoined(world: PeopleWorld) {
  const [owner, person] = [await world.makeOwner(), await enrol(await world.verified())]
  const token = await world.invite(owner, person.email)
  const answer = await world.visitor().auth.join({ token, password })
  if (!answer.twoFactorRequired) throw new Error('the invitation took one step')
  const { challenge } = answer
  const complete = () => world.visitor().auth.secondStep({ challenge, code: person.authenticator.code() })
  return { owner, person, complete }
}

/** The second step of an invitation. */
export const completing = {
  INVITE_INVALID: [
    'the invitation was cancelled between the steps',
    async (world) => {
      const { owner, complete } = await halfJoined(world)
      for (const { id } of (await owner.client.team.list()).invitations) {
        await owner.client.team.cancelInvitation({ invitationId: id })
      }
      await complete()
    },
  ],
  ALREADY_MEMBER: [
    'the operator has added the person between the steps',
    async (world) => {
      const { owner, person, complete } = await halfJoined(world)
      await addMember(world, owner, person.userId)
      await complete()
    },
  ],
  TEAM_FULL: [
    'others filled the team between the steps',
    async (world) => {
      const { owner, complete } = await halfJoined(world)
      await fillTeam(world, owner)
      await complete()
    },
  ],
} satisfies Readonly<Record<string, Situation>>
