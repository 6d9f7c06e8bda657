import { limits } from '@msgctl/contract'
import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { queryPlan } from '#testing/query-plan.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { countUnknown } from './opt-out-store.ts'

const server = await startTestServer()
const { db } = server

/** Fills the organization with contacts that no number knows. */
async function fill(organizationId: string, count: number): Promise<void> {
  await rows(
    db,
    `insert into contacts (id, organization_id, phone, created_at)
     select gen_random_uuid(), :organizationId, '4930' || n, service_now()
       from generate_series(1000000, 999999 + :count::int) n`,
    { organizationId, count },
  )
}

const phones = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `1202555${String(1000 + from + n)}`)

it('opts out at most 20,000 people on trial whom none of its numbers knows, and more with a product', async () => {
  const limit = limits.optedOut.trialRows
  const organization = await makeOrganization(server, { granted: false })
  const client = server.client(organization)
  await fill(organization.organizationId, limit - 3)
  expect(await client.contacts.addOptOuts({ phones: phones(2) })).toMatchObject({ optedOut: 2 })
  await expect(client.contacts.addOptOuts({ phones: phones(4) })).rejects.toMatchObject({
    code: 'FORBIDDEN_ACTION',
    status: 400,
    details: { reason: 'quota_reached', limit, used: limit - 1, requested: 2 },
  })
  expect(await client.contacts.addOptOuts({ phones: phones(2) })).toMatchObject({ optedOut: 0, already: 2 })
  expect(await client.contacts.addOptOuts({ phones: phones(1, 2) })).toMatchObject({ optedOut: 1 })
  await expect(client.contacts.addOptOuts({ phones: phones(1, 3) })).rejects.toMatchObject({ code: 'FORBIDDEN_ACTION' })
  expect((await client.contacts.optOuts()).total).toBe(3)

  const { organizationId } = organization
  await rows(
    db,
    'update organization_products set granted_at = service_now() where organization_id = :organizationId',
    {
      organizationId,
    },
  )
  expect(await client.contacts.addOptOuts({ phones: phones(10) })).toMatchObject({ optedOut: 7, already: 3 })
})

it('counts neither people who wrote nor those of another organization', async () => {
  const organization = await makeOrganization(server, { granted: false })
  const containerId = await makeNumber(server, organization)
  await fill((await makeOrganization(server)).organizationId, 20_000)
  await fill(organization.organizationId, 20_000)
  await sim(server, 'POST inbound', { containerId, from: '12025550777', text: 'hello' })
  const client = server.client(organization)
  await expect
    .poll(async () => (await client.contacts.search({ search: '12025550777' })).total, { interval: 20 })
    .toBe(1)
  expect(await client.contacts.addOptOuts({ phones: ['12025550777'] })).toMatchObject({ optedOut: 1 })
})

it('lets many requests at once not pass the quota together', async () => {
  const organization = await makeOrganization(server, { granted: false })
  await fill(organization.organizationId, 19_995)
  const client = server.client(organization)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => client.contacts.addOptOuts({ phones: phones(2, 2 * n) })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

it('counts by an index alone', async () => {
  const { organizationId } = await makeOrganization(server)
  await fill(organizationId, 1000)
  await rows(db, 'vacuum analyze contacts')
  const plan = await queryPlan(db, (explaining) => countUnknown(explaining, organizationId))
  expect(plan.filter((node) => /^(Index Only Scan|Seq Scan|Index Scan|Bitmap Heap Scan)/.test(node))).toEqual([
    expect.stringMatching(/^Index Only Scan/),
  ])
})
