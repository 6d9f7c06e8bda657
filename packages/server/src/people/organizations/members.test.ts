import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeOrganization } from '#testing/make.ts'
import { sessionOf } from '#testing/session-of.ts'
import { startTestServer } from '#testing/start-server.ts'
import { addMember, changeRole, removeMember } from './members.ts'
import { showOrganization } from './read.ts'

const server = await startTestServer({ worker: false })
const { db } = server
const newEmail = () => `${randomBytes(6).toString('hex')}@example.com`

async function ground() {
  const { organizationId } = await makeOrganization(server)
  const members = async () => (await showOrganization(db, organizationId)).members
  const owner = (await members())[0]?.email ?? ''
  return { organizationId, members, owner }
}

/** What the log names as the client of a session. */
const ownClient = expect.stringMatching(/^msgctl-client\//)

describe('adding a member', () => {
  it('gives a new person a password that signs in with the given role', async () => {
    const { organizationId } = await ground()
    const email = newEmail()
    const joined = await addMember(db, organizationId, { email, name: 'Bob', role: 'admin' })
    expect(joined).toEqual({
      userId: expect.any(String),
      email,
      role: 'admin',
      password: expect.any(String),
      isNew: true,
    })
    const { user } = await sessionOf(server.client({}).auth.signIn({ email, password: joined.password ?? '' }))
    expect(user).toMatchObject({ name: 'Bob', memberRole: 'admin', organization: { id: organizationId } })
    const log = await rows(
      db,
      'select actor_kind, action, subject, details from activity_log where organization_id = :organizationId',
      { organizationId },
    )
    expect(log).toEqual([
      { actorKind: 'operator', action: 'member.added', subject: joined.userId, details: { email, role: 'admin' } },
      {
        actorKind: 'user',
        action: 'session.started',
        subject: null,
        details: { client: ownClient, twoFactor: false },
      },
    ])
  })

  it('keeps the password of a person who was a member before', async () => {
    const { organizationId } = await ground()
    const email = newEmail()
    const first = await addMember(db, organizationId, { email, name: 'Bob', role: 'member' })
    await removeMember(db, organizationId, email)
    const again = await addMember(db, organizationId, { email, name: null, role: 'admin' })
    expect(again).toMatchObject({ userId: first.userId, password: null })
    const { user } = await sessionOf(server.client({}).auth.signIn({ email, password: first.password ?? '' }))
    expect(user.memberRole).toBe('admin')
  })

  it('needs a name for a new person', async () => {
    const { organizationId, members } = await ground()
    const adding = addMember(db, organizationId, { email: newEmail(), name: null, role: 'member' })
    await expect(adding).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('--name') })
    expect(await members()).toHaveLength(1)
  })

  it('refuses a member and the owner, and adds a member of another organization with their password', async () => {
    const [own, other] = [await ground(), await ground()]
    const add = (email: string) => addMember(db, own.organizationId, { email, name: 'X', role: 'member' })
    const email = newEmail()
    await add(email)
    await expect(add(email)).rejects.toThrow(`${email} is a member already.`)
    await expect(add(own.owner)).rejects.toThrow('is a member already.')
    expect(await add(other.owner)).toMatchObject({ isNew: false, password: null })
    expect((await own.members()).map(({ role }) => role)).toEqual(['owner', 'member', 'member'])
    expect(await other.members()).toHaveLength(1)
  })

  it('adds a person once when that is done twice at the same moment', async () => {
    const [one, two] = [await ground(), await ground()]
    const email = newEmail()
    const tries = await Promise.allSettled(
      [one, two, one].map(({ organizationId }) => addMember(db, organizationId, { email, name: 'B', role: 'member' })),
    )
    const added = tries.filter(({ status }) => status === 'fulfilled').length
    const members = [...(await one.members()), ...(await two.members())].filter((member) => member.email === email)
    expect([added, new Set(members.map(({ id }) => id)).size]).toEqual([members.length, 1])
  })
})

describe('changing and removing a member', () => {
  it('changes the role', async () => {
    const { organizationId, members } = await ground()
    const email = newEmail()
    await addMember(db, organizationId, { email, name: 'Bob', role: 'member' })
    await changeRole(db, organizationId, email.toUpperCase(), 'admin')
    expect(await members()).toMatchObject([{ role: 'owner' }, { email, role: 'admin' }])
  })

  it('removes a member, and the person cannot sign in', async () => {
    const { organizationId, members } = await ground()
    const email = newEmail()
    const { password } = await addMember(db, organizationId, { email, name: 'Bob', role: 'member' })
    await removeMember(db, organizationId, email)
    expect(await members()).toHaveLength(1)
    const signIn = sessionOf(server.client({}).auth.signIn({ email, password: password ?? '' }))
    await expect(signIn).rejects.toMatchObject({ code: 'AUTH_ERROR', details: { reason: 'invalid_credentials' } })
  })

  it('does not change the owner', async () => {
    const { organizationId, members, owner } = await ground()
    const email = newEmail()
    await addMember(db, organizationId, { email, name: 'Bob', role: 'admin' })
    const sentence = 'owner of an organization cannot change'
    await expect(changeRole(db, organizationId, owner, 'member')).rejects.toThrow(sentence)
    await expect(changeRole(db, organizationId, email, 'owner')).rejects.toThrow(sentence)
    await expect(removeMember(db, organizationId, owner)).rejects.toThrow(sentence)
    expect((await members()).map(({ role }) => role)).toEqual(['owner', 'admin'])
  })

  it('refuses a person who is not a member of the organization', async () => {
    const [own, other] = [await ground(), await ground()]
    for (const email of [newEmail(), other.owner]) {
      const none = { exitCode: 1, message: expect.stringContaining(`${email} is not a member`) }
      await expect(changeRole(db, own.organizationId, email, 'admin')).rejects.toMatchObject(none)
      await expect(removeMember(db, own.organizationId, email)).rejects.toMatchObject(none)
    }
  })
})
