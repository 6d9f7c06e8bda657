import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { activityOf, makePerson, type Person } from '#testing/features/person.ts'
import { makeOrganization } from '#testing/make.ts'
import { makeStaff } from '#testing/payments/staff.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const staff = await makeStaff(server)
const { platform } = staff.client
const reason = 'Asked on the phone'
const nowhere = '0195a0c0-0000-7000-8000-000000000000'
const inDays = (days: number) => new Date(server.services.clock.now().getTime() + days * 86_400_000).toISOString()

/** The last entries of the log of an organization. */
async function lastOf(organizationId: string, count: number) {
  return (await activityOf(server, organizationId)).slice(-count)
}

describe('products', () => {
  it('are granted and revoked, with two logs: the people read why, the staff also who', async () => {
    const { organizationId, apiKey } = await makeOrganization(server, { products: ['notify'] })
    const granted = await platform.setProducts({ organizationId, grant: ['shop'], revoke: ['notify'], reason })
    expect(granted.organization.products).toMatchObject([
      { product: 'notify', state: 'paused', source: 'granted' },
      { product: 'shop', state: 'active', source: 'granted' },
    ])
    expect((await server.client({ apiKey }).account.me()).products).toEqual(['shop'])
    const operator = { actor: 'operator', actorId: null }
    expect(await lastOf(organizationId, 2)).toEqual([
      { ...operator, action: 'products.granted', details: { products: ['shop'], reason } },
      { ...operator, action: 'products.revoked', details: { products: ['notify'], reason } },
    ])
    const person = { actor: 'user', actorId: staff.userId }
    expect(await lastOf(staff.organizationId, 2)).toMatchObject([
      { ...person, action: 'admin.granted', details: { products: ['shop'], reason } },
      { ...person, action: 'admin.revoked', details: { products: ['notify'], reason } },
    ])
  })

  it('are of an organization that is there, and need a change and a reason', async () => {
    const missing = platform.setProducts({ organizationId: nowhere, grant: ['shop'], reason })
    await expect(missing).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { organizationId } = await makeOrganization(server)
    const nothing = platform.setProducts({ organizationId, reason })
    await expect(nothing).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ field: 'grant' }] })
    const silent = platform.setProducts({ organizationId, grant: ['shop'], reason: '' })
    await expect(silent).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ field: 'reason' }] })
  })

  it('of a deleted organization stay', async () => {
    const { organizationId } = await makeOrganization(server)
    await rows(server.db, 'update organizations set deleted_at = service_now() where id = :organizationId', {
      organizationId,
    })
    const refused = { code: 'FORBIDDEN_ACTION', details: { reason: 'deleted' } }
    await expect(platform.setProducts({ organizationId, grant: ['shop'], reason })).rejects.toMatchObject(refused)
  })
})

describe('the trial', () => {
  const trialOf = async ({ client }: Person) => (await client.organization.get()).organization.trialEndsAt

  it('is prolonged, and begins again after its end', async () => {
    const person = await makePerson(server)
    const { organizationId } = person
    const endsAt = inDays(30)
    const { organization } = await platform.setTrial({ organizationId, endsAt, reason })
    expect([organization.trialEndsAt, await trialOf(person)]).toEqual([endsAt, endsAt])
    await platform.setTrial({ organizationId, endsAt: server.services.clock.now().toISOString(), reason })
    expect((await person.client.account.me()).products).toEqual([])
    await platform.setTrial({ organizationId, endsAt: inDays(1), reason })
    expect((await person.client.account.me()).products).toHaveLength(5)
    expect(await lastOf(organizationId, 1)).toMatchObject([{ action: 'trial.set', details: { reason } }])
    expect(await lastOf(staff.organizationId, 1)).toMatchObject([{ action: 'admin.trial_set' }])
  })

  it('gives products to an organization without any: the chosen ones, else all', async () => {
    const without = () => makeOrganization(server, { products: [] })
    const productsOf = async (organizationId: string) =>
      (await platform.organization({ organizationId })).organization.products.map(({ product }) => product)
    const some = await without()
    const wanted = { organizationId: some.organizationId, endsAt: inDays(7), reason }
    await platform.setTrial({ ...wanted, products: ['connect'] })
    expect(await productsOf(some.organizationId)).toEqual(['connect'])
    const all = await without()
    await platform.setTrial({ ...wanted, organizationId: all.organizationId })
    expect(await productsOf(all.organizationId)).toHaveLength(5)
  })

  it('is none beside a granted product, and ends within 90 days', async () => {
    const { organizationId } = await makeOrganization(server)
    const refused = { code: 'FORBIDDEN_ACTION', details: { reason: 'not_on_trial' } }
    await expect(platform.setTrial({ organizationId, endsAt: inDays(7), reason })).rejects.toMatchObject(refused)
    for (const days of [-1, 91]) {
      const far = platform.setTrial({ organizationId, endsAt: inDays(days), reason })
      await expect(far).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ field: 'endsAt' }] })
    }
  })
})

describe('allowances', () => {
  it('are numbers and dollars for assistants, of which what is left out stays', async () => {
    const { organizationId, apiKey } = await makeOrganization(server)
    const shown = async () => (await server.client({ apiKey }).organization.get()).organization
    const until = inDays(30)
    await platform.setAllowance({ organizationId, extraNumbers: 2, extraExpiresAt: until, reason })
    const { organization } = await platform.setAllowance({ organizationId, aiUsdPerMonth: 0.29, reason })
    expect(organization).toMatchObject({
      numbers: { included: 3, extra: 2, extraExpiresAt: until },
      ai: { limitUsd: 0.29 },
    })
    expect(await shown()).toMatchObject({ numbers: organization.numbers, ai: { limitUsd: 0.29 } })
    expect((await server.client({ apiKey }).bots.usage()).limitUsd).toBe(0.29)
    await platform.setAllowance({ organizationId, extraExpiresAt: null, aiUsdPerMonth: null, reason })
    expect(await shown()).toMatchObject({
      numbers: { extra: 2, extraExpiresAt: null },
      ai: { limitUsd: server.services.config.ai.allowanceUsd },
    })
    expect((await lastOf(organizationId, 2)).map(({ action }) => action)).toEqual([
      'extra_numbers.set',
      'ai_allowance.set',
    ])
  })

  it('need something to set, and a time that is not over', async () => {
    const { organizationId } = await makeOrganization(server)
    const nothing = platform.setAllowance({ organizationId, reason })
    await expect(nothing).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ field: 'extraNumbers' }] })
    const past = platform.setAllowance({ organizationId, extraNumbers: 1, extraExpiresAt: inDays(-1), reason })
    await expect(past).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ field: 'extraExpiresAt' }] })
  })
})

describe('a deactivated organization', () => {
  it('is refused, and shows its staff why, until it is activated', async () => {
    const { organizationId, apiKey } = await makeOrganization(server)
    const client = server.client({ apiKey })
    expect((await platform.deactivate({ organizationId, reason })).organization.state).toBe('deactivated')
    await expect(client.account.me()).rejects.toMatchObject({ code: 'ACCOUNT_DEACTIVATED' })
    const details = async () => (await platform.organization({ organizationId })).organization.deactivatedReason
    expect(await details()).toBe(reason)
    expect((await platform.activate({ organizationId, reason: 'settled' })).organization.state).toBe('active')
    await client.account.me()
    expect(await details()).toBeNull()
    expect(await lastOf(staff.organizationId, 2)).toMatchObject([
      { action: 'admin.deactivated', details: { reason } },
      { action: 'admin.activated', details: { reason: 'settled' } },
    ])
  })
})
