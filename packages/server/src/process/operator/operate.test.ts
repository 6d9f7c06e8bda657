import { randomBytes } from 'node:crypto'
import { products } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { createOrganization } from '#people/organizations/create.ts'
import { grantProducts, revokeProducts } from '#people/organizations/products.ts'
import { showOrganization } from '#people/organizations/read.ts'
import { listOverviews } from '#people/organizations/read-store.ts'
import { setActive, setExtraNumbers } from '#people/organizations/settings.ts'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { sessionOf } from '#testing/session-of.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { db } = server

const newEmail = () => `${randomBytes(6).toString('hex')}@example.com`
const unknown = '0195a0c0-0000-7000-8000-000000000000'
const nowhere = { exitCode: 1, message: expect.stringContaining(`no organization ${unknown}`) }

async function logOf(organizationId: string) {
  return rows<{ action: string; actor: string; details: object }>(
    db,
    `select action, actor_kind as actor, details from activity_log where organization_id = :organizationId order by id`,
    { organizationId },
  )
}

/** What the log names as the client of a session. */
const ownClient = expect.stringMatching(/^msgctl-client\//)

describe('creating an organization', () => {
  it('gives the owner a password and the account a key, and both work', async () => {
    const email = newEmail()
    const created = await createOrganization(db, {
      name: 'Engines',
      owner: { name: 'Ada', email },
      products: ['notify', 'developer'],
      trial: false,
    })
    expect(await server.client(created).account.me()).toMatchObject({
      name: 'Ada',
      email,
      organization: { id: created.organizationId, name: 'Engines' },
      products: ['notify', 'developer'],
    })
    const signedIn = await sessionOf(server.client({}).auth.signIn({ email, password: created.owner.password ?? '' }))
    expect(signedIn.user).toMatchObject({ memberRole: 'owner', organization: { id: created.organizationId } })
    const log = await logOf(created.organizationId)
    expect(log).toEqual([
      {
        action: 'organization.created',
        actor: 'operator',
        details: { name: 'Engines', products: ['notify', 'developer'], trial: false, email },
      },
      { action: 'session.started', actor: 'user', details: { client: ownClient, twoFactor: false } },
    ])
    expect(JSON.stringify(log)).not.toContain(created.owner.password)
  })

  it('puts it on the trial with the option', async () => {
    const wanted = {
      name: 'Trial',
      owner: { name: 'Ada', email: newEmail() },
      products: products,
      trial: true,
    }
    const { organizationId } = await createOrganization(db, wanted)
    const shown = await showOrganization(db, organizationId)
    const days = (shown.trialEndsAt?.getTime() ?? 0) - shown.createdAt.getTime()
    expect(days).toBe(7 * 86_400_000)
    expect(shown.products.map(({ held, active }) => [held, active])).toEqual(products.map(() => ['on trial', true]))
  })

  it('gives a known person another one, without a second trial', async () => {
    const email = newEmail()
    const wanted = { name: 'First', owner: { name: 'Ada', email }, products, trial: false }
    await createOrganization(db, { ...wanted, trial: true })
    const again = { ...wanted, name: 'Second', owner: { name: 'A', email: email.toUpperCase() } }
    const onTrial = createOrganization(db, { ...again, trial: true })
    await expect(onTrial).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('had a trial') })
    expect(await rows(db, `select 1 as one from organizations where name = 'Second'`)).toEqual([])
    const second = await createOrganization(db, again)
    expect(second.owner).toEqual({ email: email.toUpperCase(), password: null })
    expect((await showOrganization(db, second.organizationId)).members).toMatchObject([{ email, role: 'owner' }])
  })
})

describe('products', () => {
  it('stop working once all are revoked, keep everything, and work again once one is granted', async () => {
    const organization = await makeOrganization(server, { products: ['developer', 'notify'] })
    const { organizationId } = organization
    const client = server.client(organization)
    await makeNumber(server, organization)
    expect(await revokeProducts(db, organizationId, ['developer', 'notify', 'shop'])).toEqual([
      { product: 'developer', held: 'granted', active: false, since: expect.any(Date) },
      { product: 'notify', held: 'granted', active: false, since: expect.any(Date) },
    ])
    const send = () => client.alert.send({ phone: '12025550100', message: 'x' })
    await expect(send()).rejects.toMatchObject({ code: 'NO_ACTIVE_PRODUCT', status: 403 })
    expect(await client.numbers.list()).toMatchObject({ usedSessions: 1, maxSessions: 0 })
    await grantProducts(db, organizationId, ['notify'])
    expect((await send()).status).toBe('queued')
    expect(await logOf(organizationId)).toEqual([
      { action: 'products.revoked', actor: 'operator', details: { products: ['developer', 'notify'] } },
      { action: 'products.granted', actor: 'operator', details: { products: ['notify'] } },
    ])
  })

  it('that are granted end the trial for them, and the daily limit with it', async () => {
    const organization = await makeOrganization(server, { granted: false, products: ['developer', 'notify'] })
    const { organizationId } = organization
    expect(await grantProducts(db, organizationId, ['developer', 'connect'])).toEqual([
      { product: 'connect', held: 'granted', active: true, since: expect.any(Date) },
      { product: 'developer', held: 'granted', active: true, since: expect.any(Date) },
      { product: 'notify', held: 'on trial', active: true, since: null },
    ])
    await rows(db, 'update organizations set trial_ends_at = service_now() where id = :organizationId', {
      organizationId,
    })
    expect((await server.client(organization).account.me()).products).toEqual(['developer', 'connect'])
  })
})

describe('deactivating', () => {
  it('shuts out keys and people at once, and activating lets them in again', async () => {
    const organization = await makeOrganization(server)
    const { organizationId } = organization
    const person = server.client({ token: await makeToken(server, organization) })
    await setActive(db, organizationId, false)
    const out = { code: 'ACCOUNT_DEACTIVATED', status: 403 }
    await expect(server.client(organization).account.me()).rejects.toMatchObject(out)
    await expect(person.account.me()).rejects.toMatchObject(out)
    const { deactivatedAt } = await showOrganization(db, organizationId)
    await setActive(db, organizationId, false)
    expect((await showOrganization(db, organizationId)).deactivatedAt).toEqual(deactivatedAt)
    await setActive(db, organizationId, true)
    expect((await person.account.me()).hasApiKey).toBe(true)
    const actions = (await logOf(organizationId)).map(({ action }) => action)
    expect(actions).toEqual(['organization.deactivated', 'organization.deactivated', 'organization.activated'])
  })
})

describe('extra numbers', () => {
  it('count on top of the included ones until their time is over', async () => {
    const organization = await makeOrganization(server, { products: ['developer'] })
    const { organizationId } = organization
    const max = async () => (await server.client(organization).account.me()).maxNumbers
    await setExtraNumbers(db, organizationId, 2, null)
    expect(await max()).toBe(5)
    await setExtraNumbers(db, organizationId, 4, new Date(server.services.clock.now().getTime() + 3_600_000))
    expect(await max()).toBe(7)
    await server.advance(3601)
    expect(await max()).toBe(3)
  })

  it('are refused for a time that is over, and what was before stays', async () => {
    const { organizationId } = await makeOrganization(server)
    await setExtraNumbers(db, organizationId, 2, null)
    const past = new Date(server.services.clock.now().getTime() - 1000)
    await expect(setExtraNumbers(db, organizationId, 5, past)).rejects.toMatchObject({ exitCode: 2 })
    expect(await showOrganization(db, organizationId)).toMatchObject({ extraNumbers: 2, extraExpiresAt: null })
    expect(await logOf(organizationId)).toHaveLength(1)
  })
})

describe('looking', () => {
  it('lists organizations, newest first, with what is active in each', async () => {
    const organization = await makeOrganization(server, { products: ['notify', 'shop'] })
    await makeNumber(server, organization)
    await revokeProducts(db, organization.organizationId, ['shop'])
    const [newest] = await listOverviews(db, 1)
    expect(newest).toMatchObject({
      id: organization.organizationId,
      name: 'Test',
      products: ['notify'],
      numbers: 1,
      apiKeyPreview: `${organization.apiKey.slice(0, 10)}...`,
    })
  })

  it('shows one with its members and numbers, and no secret', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization, { label: 'Shop' })
    await makeToken(server, organization, 'member')
    const shown = await showOrganization(db, organization.organizationId)
    expect(shown.members.map(({ role }) => role)).toEqual(['owner', 'member'])
    expect(shown.numbers).toEqual([
      { id: containerId, label: 'Shop', phoneNumber: expect.any(String), status: 'WORKING' },
    ])
    expect(JSON.stringify(shown)).not.toContain(organization.apiKey)
  })

  it('and changing refuse an organization that is not there', async () => {
    await expect(showOrganization(db, unknown)).rejects.toMatchObject(nowhere)
    await expect(grantProducts(db, unknown, ['notify'])).rejects.toMatchObject(nowhere)
    await expect(revokeProducts(db, unknown, ['notify'])).rejects.toMatchObject(nowhere)
    await expect(setActive(db, unknown, false)).rejects.toMatchObject(nowhere)
    await expect(setExtraNumbers(db, unknown, 1, null)).rejects.toMatchObject(nowhere)
  })
})
