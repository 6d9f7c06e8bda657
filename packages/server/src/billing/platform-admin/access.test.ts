import { describe, expect, it } from 'vitest'
import { setPlatformAdmin } from '#people/organizations/platform-admin.ts'
import { rows } from '#platform/db/db.ts'
import { activityOf, makePerson, password } from '#testing/features/person.ts'
import { makeToken } from '#testing/make.ts'
import { makeStaff } from '#testing/payments/staff.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { db } = server
const reason = 'because'

describe('who administers the platform', () => {
  it('is staff who signed in with two steps, and GET /me says so', async () => {
    const staff = await makeStaff(server)
    expect((await staff.client.account.me()).platformAdmin).toBe(true)
    const { organizations } = await staff.client.platform.organizations()
    expect(organizations.map(({ id }) => id)).toContain(staff.organizationId)
    const other = await makePerson(server)
    expect((await other.client.account.me()).platformAdmin).toBe(false)
    await expect(other.client.platform.organizations()).rejects.toMatchObject({ code: 'ADMIN_ONLY', status: 403 })
  })

  it('is not a person with one step, also where the organization does not require two', async () => {
    const person = await makePerson(server)
    await setPlatformAdmin(db, person.organizationId, true)
    const refused = { code: 'TWO_FACTOR_REQUIRED', status: 403 }
    await expect(person.client.platform.billing()).rejects.toMatchObject(refused)
    expect((await person.client.organization.get()).organization.id).toBe(person.organizationId)
  })

  it('is no member, and no key', async () => {
    const staff = await makeStaff(server)
    const organization = { organizationId: staff.organizationId, apiKey: '', ownerId: staff.userId }
    const member = server.client({ token: await makeToken(server, organization, 'member') })
    await expect(member.platform.billing()).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
    const { apiKey } = await staff.client.account.generateKey()
    await expect(server.client({ apiKey }).platform.billing()).rejects.toMatchObject({ code: 'USER_REQUIRED' })
  })

  it('ends with the flag of the organization, the role and the session', async () => {
    const staff = await makeStaff(server)
    await staff.client.platform.billing()
    await setPlatformAdmin(db, staff.organizationId, false)
    await expect(staff.client.platform.billing()).rejects.toMatchObject({ code: 'ADMIN_ONLY' })
    await setPlatformAdmin(db, staff.organizationId, true)
    await staff.client.platform.billing()
    await rows(db, `update members set role = 'member' where user_id = :userId`, { userId: staff.userId })
    await expect(staff.client.platform.billing()).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
    await rows(db, `update members set role = 'owner' where user_id = :userId`, { userId: staff.userId })
    await staff.client.auth.signOut()
    await expect(staff.client.platform.billing()).rejects.toMatchObject({ code: 'AUTH_ERROR' })
  })
})

describe('an organization that administers the platform', () => {
  it('is chosen on the command line of the operator alone, once', async () => {
    const { organizationId } = await makeStaff(server)
    await expect(setPlatformAdmin(db, organizationId, true)).rejects.toThrow('already one')
    await setPlatformAdmin(db, organizationId, false)
    await expect(setPlatformAdmin(db, organizationId, false)).rejects.toThrow('not one')
    const actions = (await activityOf(server, organizationId)).map(({ action, actor }) => `${actor} ${action}`)
    expect(actions.slice(-2)).toEqual(['operator platform_admin.added', 'operator platform_admin.removed'])
  })

  it('cannot be deleted by its owner', async () => {
    const { client, authenticator } = await makeStaff(server)
    await client.organization.create({ name: 'Second' })
    const wanted = { name: 'Grace Engines', password, code: authenticator.code() }
    await expect(client.organization.delete(wanted)).rejects.toMatchObject({ code: 'ADMIN_CANNOT_DELETE' })
  })

  it('is not changed by staff, neither its own nor another', async () => {
    const staff = await makeStaff(server)
    const other = await makeStaff(server, 'Alan')
    for (const { organizationId } of [staff, other]) {
      const refused = { code: 'FORBIDDEN_ACTION', details: { reason: 'platform_admin' } }
      const { platform } = staff.client
      const endsAt = new Date(server.services.clock.now().getTime() + 86_400_000).toISOString()
      const calls = [
        () => platform.setProducts({ organizationId, grant: ['shop'], reason }),
        () => platform.setTrial({ organizationId, endsAt, reason }),
        () => platform.setAllowance({ organizationId, extraNumbers: 1, reason }),
        () => platform.deactivate({ organizationId, reason }),
        () => platform.activate({ organizationId, reason }),
      ]
      for (const call of calls) await expect(call()).rejects.toMatchObject(refused)
    }
  })
})
