import { expect, it } from 'vitest'
import { upsertContacts } from '#conversations/contacts/upsert-contacts.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { queryPlan } from '#testing/query-plan.ts'
import { startTestServer } from '#testing/start-server.ts'
import { findHeldReplies, releaseHeld } from './reply-store.ts'

const server = await startTestServer({ worker: false })
const { db } = server
const organization = await makeOrganization(server)
const { organizationId } = organization
const containerId = await makeNumber(server, organization)
const lid = '770000000100@lid'
const phone = '4915100000007'

it('finds what is held for a person by index alone, under both addresses, and lets it leave', async () => {
  await transaction(db, (trx) =>
    upsertContacts(trx, [{ organizationId, containerId, address: phone, networkName: null }]),
  )
  await rows(db, 'update contacts set lid = :lid where organization_id = :organizationId', { lid, organizationId })
  await holdMessages(5000)
  await rows(db, 'analyze messages, contacts')
  const writers = [{ organizationId, containerId, address: lid }]
  const plan = await queryPlan(db, (explaining) => findHeldReplies(explaining, writers))
  expect(plan.filter((node) => /^(Seq Scan messages|Hash Join|Merge Join)/.test(node))).toEqual([])

  const held = await findHeldReplies(db, writers)
  expect(held).toHaveLength(1)
  expect(await findHeldReplies(db, [{ organizationId, containerId, address: phone }])).toEqual(held)
  expect(await findHeldReplies(db, [{ organizationId, containerId: newId(), address: phone }])).toEqual([])
  await transaction(db, (trx) => releaseHeld(trx, held))
  expect(await findHeldReplies(db, writers)).toEqual([])
  const [due] = await rows<{ count: number }>(
    db,
    `select count(*)::int as count from messages where organization_id = :organizationId and due_at <= service_now()`,
    { organizationId },
  )
  expect(due?.count).toBe(1)
})

/** Stores messages that a rule holds for a day, each to a person of its own. */
async function holdMessages(count: number): Promise<void> {
  await rows(
    db,
    `insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                           network_client_id, due_at, queue_at, created_at, guard_rule, guard_opens, guard_held_at)
     select gen_random_uuid(), :organizationId, :containerId, 'alert', 'text', (4915100000000 + n)::text, 'hi',
            'normal', 'queued',
            gen_random_uuid()::text, now + interval '1 day', now + interval '1 day', now, 'conversations', true, now
       from generate_series(0, :count - 1) n, (select service_now() as now) clock`,
    { organizationId, containerId, count },
  )
}
