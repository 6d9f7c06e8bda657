import { describe, expect, it } from 'vitest'
import { rows, transaction } from '#platform/db/db.ts'
import { countUnstarted } from '#sending/campaigns/store.ts'
import { countUnsent } from '#sending/reminders/store.ts'
import { makeOrganization } from '#testing/make.ts'
import { queryPlan } from '#testing/query-plan.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const reminder = { phone: '12025550100', message: 'hi', sendAt: '2099-01-01T00:00:00Z' }
const draft = { name: 'n', template: 't', recipients: [{ phone: '12025550100' }, { phone: '12025550102' }] }

/** Fills the organization with a campaign of `recipients` that was never started and with reminders never sent. */
async function fill(organizationId: string, ownerId: string, count: number): Promise<void> {
  await rows(
    server.db,
    `insert into campaigns (id, organization_id, name, template, status, total, created_at)
     values (gen_random_uuid(), :organizationId, 'filled', 't', 'draft', :count, service_now())`,
    { organizationId, count },
  )
  await transaction(server.db, async (trx) => {
    // Each row would look up its organization and its owner, which are there.
    await trx.raw('set local session_replication_role = replica')
    await rows(
      trx,
      `insert into reminders (id, organization_id, owner_id, phone, message, variables, repeat, time_zone, status,
                              send_at, first_send_at, due_at, created_at, updated_at)
     select gen_random_uuid(), :organizationId, :ownerId, '1', 'm', '{}', 'none', 'UTC', 'scheduled', t.at, t.at, t.at,
            t.at, t.at
       from generate_series(1, :count::int), (select service_now() + interval '1 year' as at) t`,
      { organizationId, ownerId, count },
    )
  })
}

describe.each([
  ['on trial', false, 20_000],
  ['with a granted product', true, 100_000],
])('an organization %s', (_what, granted, limit) => {
  it(`keeps ${limit} recipients and as many reminders that were never sent`, async () => {
    const organization = await makeOrganization(server, { granted })
    await fill(organization.organizationId, organization.ownerId, limit - 2)
    const client = server.client(organization)
    const { campaign } = await client.campaigns.create(draft)
    const refused = (requested: number) => ({
      code: 'FORBIDDEN_ACTION',
      status: 400,
      details: { reason: 'quota_reached', limit, used: limit, requested },
    })
    await expect(client.campaigns.create(draft)).rejects.toMatchObject(refused(2))
    const longer = [...draft.recipients, { phone: '12025550120' }]
    await expect(client.campaigns.update({ id: campaign.id, recipients: longer })).rejects.toMatchObject(refused(1))
    await client.campaigns.update({ id: campaign.id, recipients: draft.recipients.slice(1) })
    await client.reminders.create(reminder)
    await client.reminders.create(reminder)
    await expect(client.reminders.create(reminder)).rejects.toMatchObject(refused(1))
    const { message, ...row } = reminder
    await expect(client.reminders.import({ message, rows: [row, row] })).rejects.toMatchObject(refused(2))
    await client.campaigns.delete({ id: campaign.id })
    await client.campaigns.create(draft)
  })
})

it('many requests at once do not pass the quota together', async () => {
  const organization = await makeOrganization(server, { granted: false })
  await fill(organization.organizationId, organization.ownerId, 19_996)
  const client = server.client(organization)
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => client.campaigns.create(draft)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

it('is counted by indexes alone', async () => {
  const { organizationId } = await makeOrganization(server)
  await rows(
    server.db,
    `insert into campaigns (id, organization_id, name, template, status, total, created_at, started_at)
     select gen_random_uuid(), :organizationId, 'sent', repeat('t', 200), 'completed', 1, service_now(), service_now()
       from generate_series(1, 10000)`,
    { organizationId },
  )
  await rows(server.db, 'vacuum analyze campaigns')
  await rows(server.db, 'vacuum analyze reminders')
  for (const count of [countUnstarted, countUnsent]) {
    const plan = await queryPlan(server.db, (explaining) => count(explaining, organizationId))
    expect(plan.filter((node) => /^(Index Only Scan|Seq Scan|Index Scan|Bitmap Heap Scan)/.test(node))).toEqual([
      expect.stringMatching(/^Index Only Scan/),
    ])
  }
})
