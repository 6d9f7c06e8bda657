import { limits } from '@msgctl/contract'
import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })

it.each([
  ['on trial', false, limits.numbers.trialRows],
  ['with a granted product', true, limits.numbers.rows],
])(
  'an organization %s has at most so many numbers, also with a product that includes any number',
  async (_what, granted, limit) => {
    const organization = await makeOrganization(server, { products: ['notify'], granted })
    const client = server.client({ token: await makeToken(server, organization) })
    await rows(
      server.db,
      `insert into numbers (id, organization_id, label, instance_name, status, status_at, status_since, created_at)
     select gen_random_uuid(), :organizationId, 'filled', gen_random_uuid(), 'STOPPED', service_now(), service_now(),
            service_now()
       from generate_series(1, :count::int)`,
      { organizationId: organization.organizationId, count: limit - 1 },
    )
    const { session } = await client.numbers.create({ label: 'Last' })
    expect(await client.numbers.list()).toMatchObject({ maxSessions: null, usedSessions: limit, canCreate: false })
    await expect(client.numbers.create({ label: 'More' })).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      status: 400,
      details: { reason: 'quota_reached', limit, used: limit, requested: 1 },
    })
    await client.numbers.delete({ containerId: session.id })
    expect((await client.numbers.list()).canCreate).toBe(true)
  },
)
