import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { queryPlan } from '#testing/query-plan.ts'
import { startTestServer } from '#testing/start-server.ts'
import { storeMessages } from '#testing/stored-messages.ts'
import { claimDue, findUnheard, readNextCheckMs } from './supervisor-store.ts'

const server = await startTestServer({ worker: false })
const { db } = server
const silence = { sends: 5, people: 3, forMs: 300_000 }

describe('what the supervisor asks again and again', () => {
  it('finds numbers that are due by their index', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    await rows(
      db,
      `insert into numbers (id, organization_id, label, instance_name, status, status_at, status_since, next_check_at,
         created_at)
       select gen_random_uuid(), organization_id, 'Other', 'other-' || n, 'WORKING', status_at, status_at,
              status_at + interval '1 hour', created_at
         from numbers, generate_series(1, 5000) n where id = :containerId`,
      { containerId },
    )
    await rows(db, 'analyze numbers')
    const plan = await queryPlan(db, (explaining) => claimDue(explaining, 100, 60_000))
    expect(plan).toContain('Index Scan numbers')
    expect(plan).not.toContain('Seq Scan numbers')
    const next = await queryPlan(db, (explaining) => readNextCheckMs(explaining))
    expect(next).not.toContain('Seq Scan numbers')
  })

  it('reads no message of numbers that are heard, however many there are', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    await storeMessages(db, organization.organizationId, { count: 20_000, status: 'sent' })
    await rows(db, 'update messages set container_id = :containerId where container_id is null', { containerId })
    await rows(db, 'analyze messages')
    const plan = await queryPlan(db, (explaining) => findUnheard(explaining, [containerId], silence))
    expect(plan).not.toContain('Seq Scan messages')
    expect((await findUnheard(db, [containerId], silence)).size).toBe(0)
  })
})
