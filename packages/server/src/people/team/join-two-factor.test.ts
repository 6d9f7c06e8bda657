import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { putMember } from '#people/organizations/store.ts'
import { insertUser } from '#people/organizations/user-store.ts'
import { rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { turnOn } from '#testing/features/authenticator.ts'
import { activityOf, newEmail, type Person, password } from '#testing/features/person.ts'
import { teamsOn } from '#testing/features/team.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const { visitor, makeOwner, invite, verified } = teamsOn(server)

/** Invites a confirmed person who signs in with two steps. */
async function invitePerson() {
  const [owner, ada] = [await makeOwner(), await verified()]
  const { authenticator, recoveryCodes } = await turnOn(ada.client)
  const token = await invite(owner, ada.email)
  return { owner, ada, authenticator, recoveryCode: recoveryCodes[0] ?? '', token }
}

/** Gives the password at the link of an invitation. Returns the challenge. */
async function firstStep(token: string): Promise<string> {
  const answer = await visitor().auth.join({ token, password })
  if (!answer.twoFactorRequired) throw new Error('the invitation took one step')
  return answer.challenge
}

const memberIds = async (owner: Person) => (await owner.client.team.list()).members.map(({ id }) => id)
const joinedIn = async ({ organizationId }: Person) =>
  (await activityOf(server, organizationId)).filter(({ action }) => action === 'member.joined').length

describe('an invitation of a person with two-step sign-in', () => {
  it('makes a member and is used up only with the code', async () => {
    const { owner, ada, authenticator, token } = await invitePerson()
    const challenge = await firstStep(token)
    expect(await memberIds(owner)).toEqual([owner.userId])
    expect(await joinedIn(owner)).toBe(0)
    expect((await visitor().auth.invitation({ token })).registered).toBe(true)
    await expect(visitor().auth.secondStep({ challenge, code: '000000' })).rejects.toMatchObject({
      code: 'TWO_FACTOR_CODE_INVALID',
    })
    expect(await memberIds(owner)).toEqual([owner.userId])

    const session = await visitor().auth.secondStep({ challenge, code: authenticator.code() })
    expect(session.user).toMatchObject({
      id: ada.userId,
      memberRole: 'member',
      organization: { id: owner.organizationId },
    })
    expect(await memberIds(owner)).toEqual([owner.userId, ada.userId])
    expect(await joinedIn(owner)).toBe(1)
    await expect(visitor().auth.invitation({ token })).rejects.toMatchObject({ code: 'INVITE_INVALID' })
  })

  it('that was cancelled between the steps makes no member, and uses no code', async () => {
    const { owner, ada, authenticator, recoveryCode, token } = await invitePerson()
    const challenge = await firstStep(token)
    const [open] = (await owner.client.team.list()).invitations
    await owner.client.team.cancelInvitation({ invitationId: open?.id ?? '' })
    for (const given of [{ recoveryCode }, { code: authenticator.code() }]) {
      const completed = visitor().auth.secondStep({ challenge, ...given })
      await expect(completed).rejects.toMatchObject({ code: 'INVITE_INVALID', status: 400 })
    }
    expect(await memberIds(owner)).toEqual([owner.userId])
    expect((await ada.client.auth.twoFactor()).recoveryCodesLeft).toBe(10)
  })

  it('to a team that filled between the steps makes no member, and uses no code', async () => {
    const { owner, ada, recoveryCode, token } = await invitePerson()
    const challenge = await firstStep(token)
    for (let members = 1; members < limits.team; members += 1) {
      const id = newId()
      await insertUser(server.db, { id, name: 'Max', email: newEmail(), passwordHash: 'none' })
      await putMember(server.db, owner.organizationId, id, 'member')
    }
    const completed = visitor().auth.secondStep({ challenge, recoveryCode })
    await expect(completed).rejects.toMatchObject({ code: 'TEAM_FULL' })
    expect(await memberIds(owner)).toHaveLength(limits.team)
    expect((await ada.client.auth.twoFactor()).recoveryCodesLeft).toBe(10)
  })

  it('makes one member of two halves that are completed', async () => {
    const { owner, ada, authenticator, token } = await invitePerson()
    const challenges = [await firstStep(token), await firstStep(token)]
    const codes = [authenticator.code(), authenticator.code(1)]
    const [first, second] = challenges.map((challenge, n) => () => {
      return visitor().auth.secondStep({ challenge, code: codes[n] ?? '' })
    })
    await first?.()
    await expect(second?.()).rejects.toMatchObject({ code: 'INVITE_INVALID' })
    expect(await memberIds(owner)).toEqual([owner.userId, ada.userId])
  })

  it('leaves nothing behind when the invitation is deleted', async () => {
    const { owner, authenticator, token } = await invitePerson()
    const challenge = await firstStep(token)
    await rows(server.db, 'delete from invitations where organization_id = :id', { id: owner.organizationId })
    const completed = visitor().auth.secondStep({ challenge, code: authenticator.code() })
    await expect(completed).rejects.toMatchObject({ code: 'TWO_FACTOR_CHALLENGE_EXPIRED' })
  })
})
