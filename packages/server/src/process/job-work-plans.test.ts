import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeOrganization } from '#testing/make.ts'
import { queryPlan } from '#testing/query-plan.ts'
import { startTestServer } from '#testing/start-server.ts'
import { storeMessages } from '#testing/stored-messages.ts'
import { findJobsWithoutWork } from './job-store.ts'
import { jobs } from './jobs.ts'

const server = await startTestServer({ worker: false })
const { db } = server

it('finds jobs without work by index, however much there is that is not due', async () => {
  const organization = await makeOrganization(server)
  const { organizationId } = organization
  await rows(
    db,
    `insert into reminders (id, organization_id, owner_id, phone, message, variables, repeat, time_zone, status,
                              send_at,
                            first_send_at, due_at, created_at, updated_at)
     select gen_random_uuid(), :organizationId, gen_random_uuid(), '12025550100', 'x', '{}', 'none', 'UTC', 'scheduled',
            at, at, at, now, now
       from (select service_now() as now, service_now() + n * interval '1 min' as at
           from generate_series(1, 5000) n) made`,
    { organizationId },
  )
  await rows(
    db,
    `insert into mails (id, organization_id, to_email, kind, created_at, sent_at)
     select gen_random_uuid(), :organizationId, n || '@example.com', 'reset', service_now(), service_now()
       from generate_series(1, 5000) n`,
    { organizationId },
  )
  await storeMessages(db, organizationId, { count: 5000 })
  await rows(db, 'analyze reminders, mails, messages')
  const plan = await queryPlan(db, (explaining) => findJobsWithoutWork(explaining, jobs))
  expect(plan.join()).toContain('Index Scan reminders')
  expect(plan.filter((node) => /^(Seq|Bitmap Heap) Scan (reminders|mails|messages)$/.test(node))).toEqual([])
})

it('finds the jobs that have something to do', async () => {
  const organization = await makeOrganization(server)
  await rows(db, `insert into reset_requests (email, ip, created_at) values ('a@example.com', '::1', service_now())`)
  await rows(db, 'update organizations set deleted_at = service_now() where id = :organizationId', {
    organizationId: organization.organizationId,
  })
  const idle = await findJobsWithoutWork(db, jobs)
  expect(idle.has('mail.reset-links')).toBe(false)
  expect(idle.has('organizations.erase')).toBe(false)
  expect(idle.has('reminders.send')).toBe(true)
  expect(idle.has('messages.retention')).toBe(false)
})
